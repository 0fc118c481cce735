"""What models need is imported beside the event loop, never in it."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from baton.adapters.models.loading import run_in_thread
from baton.adapters.models.pydantic_model import PydanticModel
from baton.adapters.models.traits import Traits
from baton.core.errors import UnknownModel
from tests.contract.model.kit import HELLO

ROOT = Path(__file__).parents[3]

SCRIPT = """
import asyncio, json, sys, time
sys.modules.update(dict.fromkeys(("pydantic_ai", "openai", "anthropic", "google", "mistralai", "genai_prices")))
from baton.adapters.models.open import open_model, warm
from tests.contract.model.kit import HELLO
from tests.support.model_servers import *

async def main():
    async with SERVER([say(Think("Hm."), "Hi", Use("c1", "read", {"path": "a"}))]) as server:
        start = time.thread_time()
        if WARM:
            warm("NAME")
        model = open_model("NAME", server.environ)
        pieces = [piece async for piece in model.stream(HELLO)]
        used = time.thread_time() - start
        await model.close()
    print(json.dumps({"used": used, "pieces": len(pieces)}))

asyncio.run(main())
"""


@pytest.mark.parametrize(
    ("server", "name", "warm"),
    [
        ("OpenAIServer", "openai:gpt-4o-mini", True),
        ("OpenAIServer", "openai-responses:gpt-5-mini", False),
        ("AnthropicServer", "anthropic:claude-sonnet-5-5", True),
        ("GoogleServer", "google:gemini-3.8-flash", False),
        ("MistralServer", "mistral:mistral-large-latest", False),
        ("OpenRouterServer", "openrouter:anthropic/claude-sonnet-5.5", False),
    ],
)
def test_the_first_answer_holds_up_nothing_and_needs_no_package_of_a_vendor(server: str, name: str, warm: bool) -> None:
    """What the loop's own thread works, measured, because a busy machine is late for other reasons."""
    code = SCRIPT.replace("SERVER", server).replace("NAME", name).replace("WARM", str(warm))
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    told = json.loads(done.stdout)
    assert told["pieces"] == 4
    assert told["used"] < 0.1


def test_a_failure_in_the_thread_is_raised_to_who_waits() -> None:
    def work() -> None:
        raise KeyError("lost")

    with pytest.raises(KeyError):
        run_in_thread(work).result(10)


@pytest.mark.anyio
async def test_a_wait_that_is_cancelled_leaves_the_work_alone() -> None:
    release = asyncio.Event()
    loop = asyncio.get_running_loop()

    def work() -> int:
        return asyncio.run_coroutine_threadsafe(release.wait(), loop).result(10) and 7

    future = run_in_thread(work)
    waiting = asyncio.ensure_future(asyncio.wrap_future(future))
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    release.set()
    assert await asyncio.wrap_future(future) == 7


@pytest.mark.anyio
async def test_a_library_that_cannot_be_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    def build() -> Any:
        raise ImportError("opentelemetry._events is gone")

    monkeypatch.setitem(sys.modules, "baton.adapters.models.errors", None)
    model = PydanticModel("azure:gpt-5", Traits(1, False, True, None, 1.0, ()), build)
    with pytest.raises(UnknownModel, match="the model library cannot be imported; install Baton again"):
        [piece async for piece in model.stream(HELLO)]
