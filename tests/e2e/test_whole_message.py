"""What a person wrote reaches the provider: past an automatic handoff of `baton run`, and past a compression."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any

import pytest

from baton.adapters.models.open import open_model
from baton.adapters.stores.sqlite.open import open_sqlite
from baton.core.handoff.opening import INTRODUCTION
from baton.core.log.payloads import UserInput
from baton.engine.turns.parts import Parts
from baton.engine.turns.runtime import Runtime
from baton.engine.turns.toolbox import Toolbox
from tests.e2e.test_fresh_process import TALE
from tests.e2e.test_run import run
from tests.engine.conftest import QUICK, FakeApprover, FakeMemory
from tests.engine.test_compress_messages import NOTES, RULES
from tests.support.handoffs import git, repository
from tests.support.model_servers import ModelServer, OpenAIServer, Reply, Request, say
from tests.support.whole_message import LONG, PICTURE, PNG

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(240), pytest.mark.usefixtures("warm_home")]
CONFIG = """
agent:
  auto_handoff_on_compression:
    enabled: true
    max_prompt_tokens: 6000
    mode: {mode}
"""
SUMMARY = "Done: looked at the cart. Open: the retry. " * 3


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def script(request: Request) -> Reply:
    system = str(request.body["messages"][0]["content"])
    if system.startswith("You are closing"):
        return say(TALE)
    return say(SUMMARY) if system.startswith("You summarise") else say("Noted.")


def sent(server: ModelServer) -> list[Any]:
    """The messages of the last request, without the system prompt."""
    return server.requests[-1].body["messages"][1:]


@pytest.mark.parametrize("mode", ["fresh_session", "fresh_process"])
async def test_a_script_hands_over_a_long_message_with_its_picture(isolated: Path, mode: str) -> None:
    work = repository(isolated)
    (work / "lock.png").write_bytes(PNG)
    git(work, "add", ".")
    git(work, "commit", "-qm", "all")
    home = Path(os.environ["BATON_HOME"])
    home.mkdir(exist_ok=True, mode=0o700)
    (home / "config.yaml").write_text(CONFIG.format(mode=mode))
    async with OpenAIServer(script) as server:
        code, _, err = await run(server, "Fix the race.")
        assert code == 0, err
        conversation = err.partition("conversation ")[2].split()[0]
        code, out, err = await run(server, "-c", conversation, "--image", "lock.png", piped=LONG.encode())
        assert (code, out.count("Noted.")) == (0, 1), err
        parts = [part for message in sent(server) for part in message["content"] if message["role"] == "user"]
        texts = [part["text"] for part in parts if part["type"] == "text"]
        assert texts[0].startswith(INTRODUCTION)
        assert any(text.endswith(LONG) or f"{LONG}\n" in text for text in texts)
        assert f"data:image/png;base64,{PICTURE}" in [
            part["image_url"]["url"] for part in parts if part["type"] == "image_url"
        ]


async def test_four_rules_in_four_languages_are_in_the_request_after_a_compression(tmp_path: Path) -> None:
    """A greeting, the rules, eight long messages, a compression, and the next request as the provider gets it."""
    async with OpenAIServer(script) as server:
        model = open_model("openai-chat:gpt-4", server.environ)
        store = open_sqlite(str(tmp_path / "baton.db"))
        conversation, _ = store.conversations.start("shop")
        toolbox = Toolbox([], FakeApprover(), FakeMemory(), "ask")
        runtime = Runtime(store, lambda _: Parts(model, toolbox, QUICK), surface="test")
        for text in ("Hello, this is about the shop.", " ".join(RULES), *NOTES):
            await anext(aiter(runtime.turn(conversation.id, UserInput(text[:2400]))), None)
            while runtime.busy(conversation.id):
                await asyncio.sleep(0.01)
        assert await runtime.compress(conversation.id) == "compressed"
        events = [event async for event in runtime.turn(conversation.id, UserInput("And now?"))]
        assert events[-1].reason == "completed"
        assert [rule for rule in RULES if rule in str(sent(server)[0]["content"])] == list(RULES)
        await runtime.close()
        await model.close()
        store.close()
