"""How full the context is: one figure, whoever asks and whenever."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from baton.core.agent.message import Prompt, Usage
from baton.engine.turns.writer import count_context
from baton.ports.model import Finished
from tests.support.acp.client import Client, allow
from tests.surface.acp.conftest import QUICK, OpenEditor
from tests.surface.acp.test_moving_heads import LONG, SPLIT

pytestmark = pytest.mark.anyio


def counting(prompt: Prompt) -> list[Any]:
    """Counts otherwise than we estimate."""
    if not prompt.tools:
        return ["A summary of it all."]
    size = sum(len(getattr(message, "text", "").split()) for message in prompt.messages)
    return ["Yes.", Finished(Usage(3_000 + size, 5), "stop")]


def silent(prompt: Prompt) -> list[Any]:
    return ["Yes."] if prompt.tools else ["A summary of it all."]


async def in_status(client: Client, session_id: str) -> int:
    since = len(client.frames)
    assert await client.say(session_id, "/status") == "end_turn"
    told = "".join(each["content"]["text"] for each in client.updates("agent_message_chunk", since))
    found = re.search(r"context\s+([\d,]+) of", told)
    assert found, told
    return int(found[1].replace(",", ""))


def last_used(client: Client, since: int = 0) -> int:
    return client.updates("usage_update", since)[-1]["used"]


@pytest.mark.parametrize("model", [counting, silent])
@pytest.mark.parametrize("settings", [QUICK, SPLIT], ids=["in place", "split"])
@pytest.mark.parametrize("act", ["say", "/compress", "/handoff"])
async def test_all_who_ask_are_told_the_same(
    editor: OpenEditor, isolated: Path, tmp_path: Path, model: Any, settings: Any, act: str
) -> None:
    home = tmp_path / "kept"
    async with editor(model, window=20_000, settings=settings, home=home, answer=allow) as client:
        session_id = await client.new(isolated)
        for words in (LONG, LONG, "short"):
            assert await client.say(session_id, words) == "end_turn"
        before = last_used(client)
        assert await in_status(client, session_id) == before
        assert await client.say(session_id, "and on" if act == "say" else act) == "end_turn"
        told = last_used(client)
        assert told == await in_status(client, session_id)
        head = client.store.conversations.get(session_id).head_id
        assert count_context(client.store, head) == told
        assert told != before
    async with editor(model, window=20_000, settings=settings, home=home) as client:
        since = len(client.frames)
        await client.call("session/resume", sessionId=session_id, cwd=str(isolated), mcpServers=[])
        await client.until(lambda: client.updates("usage_update", since))
        assert last_used(client, since) == told == await in_status(client, session_id)
