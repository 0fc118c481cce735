"""Rules in an editor, through slash commands."""

from __future__ import annotations

from pathlib import Path

import pytest

from baton.core.log.pins import find_pins
from tests.surface.acp.conftest import OpenEditor

pytestmark = pytest.mark.anyio
RULE = "Show me the diff before you commit."


async def test_a_rule_is_pinned_listed_and_dropped(editor: OpenEditor, isolated: Path) -> None:
    async with editor([["Yes."]]) as client:
        session_id = await client.new(isolated)
        assert await client.say(session_id, "hello") == "end_turn"
        assert await client.say(session_id, f"/pin {RULE}") == "end_turn"
        assert f"Pinned as rule 1, in every request from now on: {RULE}" in client.text()
        await client.say(session_id, "/compress")
        await client.say(session_id, "and now?")
        assert RULE in client.model.prompts[-1].system
        await client.say(session_id, "/pins")
        assert f"  1  {RULE}" in client.text()
        await client.say(session_id, "/unpin 1")
        await client.say(session_id, "then?")
        assert RULE not in client.model.prompts[-1].system


async def test_alone_it_pins_the_last_message_and_errors_are_answers(editor: OpenEditor, isolated: Path) -> None:
    async with editor([["Yes."]]) as client:
        session_id = await client.new(isolated)
        await client.say(session_id, "/pin")
        await client.say(session_id, "/unpin 99")
        assert "There is nothing to pin." in client.text()
        assert "There is no rule to drop" in client.text()
        await client.say(session_id, RULE)
        await client.say(session_id, "/pin")
        head = client.store.conversations.get(session_id).head_id
        assert [pin.text for pin in find_pins(client.store.entries.load(head))] == [RULE]
        await client.say(session_id, "/pin")
        assert "That rule is pinned already, as number 1." in client.text()
