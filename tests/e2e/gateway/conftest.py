"""A gateway, a platform's server and a model that answers from what it was sent."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from tests.support.gateway_bed import Gateway
from tests.support.gateway_crew import MessengerCrew
from tests.support.messenger.service import Messenger
from tests.support.model_servers import OpenAIServer, Reply, Request, say

ARRIVAL = "This conversation has just moved to"


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def answers(request: Request) -> Reply:
    """Knows only what is in the context it was sent."""
    messages = [str(message.get("content") or "") for message in request.body["messages"]]
    last, before = messages[-1], "\n".join(messages[:-1])
    if ARRIVAL in last:
        return say("I am here. We were talking about the tide.")
    if "code word" in last and "?" in last:
        found = [word for word in ("kingfisher", "heron") if word in before]
        return say(f"The code word is {found[0] if found else 'unknown to me'}.")
    return say(f"You said: {last[:200]}")


@pytest.fixture
async def model() -> AsyncIterator[OpenAIServer]:
    async with OpenAIServer(answers) as server:
        yield server


@pytest.fixture
async def gateway(isolated: Path, tmp_path: Path, model: OpenAIServer) -> AsyncIterator[Gateway]:
    async with Gateway(tmp_path / "home" / "baton", isolated, model.environ) as gateway:
        yield gateway


@pytest.fixture
def messenger(tmp_path: Path) -> Iterator[Messenger]:
    with Messenger(tmp_path / "messenger") as messenger:
        yield messenger


@pytest.fixture
def gateways(
    location: str, tmp_path: Path, messenger: Messenger, request: pytest.FixtureRequest
) -> Iterator[MessengerCrew]:
    """Real gateway processes on one store; the parameter says how the platform tells a repetition."""
    with MessengerCrew(location, tmp_path, messenger, ["chat"], getattr(request, "param", "key")) as crew:
        yield crew
