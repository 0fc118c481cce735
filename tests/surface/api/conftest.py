from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from baton.core.agent.message import Call, Prompt, ToolSpec, UserMessage
from baton.ports.tool import Intent, Outcome, Output
from baton.testing.model import FakeModel, Line
from tests.support.api_bed import ApiBed
from tests.support.backends import BACKENDS, Backend

Make = Callable[..., ApiBed]
IN_MEMORY = pytest.mark.parametrize("backend", ["memory"], indirect=True, scope="module")
"""What is never kept, or refused before, is the same on every store."""


class Deploy:
    """A tool that wants to be asked for."""

    spec = ToolSpec("deploy", "deploys", {"type": "object"})

    async def intent(self, args: Mapping[str, Any]) -> Intent:
        return Intent("deploy to production", "execute", preview="deploy --now")

    async def run(self, args: Mapping[str, Any], output: Output) -> Outcome:
        return Outcome("deployed")


def script(prompt: Prompt) -> Sequence[Line]:
    """Does what it is told: deploys, thinks for ever, talks a lot, or says what it heard."""
    last = prompt.messages[-1]
    if not isinstance(last, UserMessage):
        return ["Done."]
    if last.text == "deploy":
        return ["I deploy.", Call(f"call-{len(prompt.messages)}", "deploy", {})]
    if last.text == "think":
        return ["Hm.", 600.0]
    if last.text == "talk":
        return ["x" * 100_000] * 100
    said = [message.text for message in prompt.messages if isinstance(message, UserMessage)]
    return [f"{len(said)}: ", said[-1]]


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    return "asyncio"


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Files whose tests are about what is kept name their `STORES`."""
    named = any(mark.args[0] == "backend" for mark in metafunc.definition.iter_markers("parametrize"))
    if "backend" in metafunc.fixturenames and not named:
        stores = getattr(metafunc.module, "STORES", ("memory",))
        metafunc.parametrize("backend", stores, indirect=True, scope="module")


@pytest.fixture(scope="module")
def backend(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Backend]:
    backend = BACKENDS[request.param](tmp_path_factory.mktemp("store"))
    with backend.stack:
        yield backend


@pytest.fixture(scope="module")
async def bed(backend: Backend, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[ApiBed]:
    """One for all tests of a file and store: what they share is told apart by their conversations."""
    workspace = tmp_path_factory.mktemp("api")
    async with ApiBed(workspace, FakeModel(script), store=backend.open(), tools=[Deploy()]) as bed:
        yield bed


@pytest.fixture
def make(tmp_path: Path) -> Make:
    def small(**given: Any) -> ApiBed:
        return ApiBed(tmp_path, FakeModel(script), tools=[Deploy()], **given)

    return small
