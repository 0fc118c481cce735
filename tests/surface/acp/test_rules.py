"""Rules in an editor, through slash commands."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from baton.core.log.pins import find_pins
from tests.support.acp.client import EVERYTHING, allow
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


def opening(client: Any, session_id: str) -> str:
    return client.store.entries.load(client.store.conversations.get(session_id).head_id)[0].data["text"]


async def test_a_rule_is_dropped_in_the_form_before_the_fresh_session(editor: OpenEditor, isolated: Path) -> None:
    drops = iter(["99", "1, 2", ""])

    def answer(method: str, params: dict[str, Any]) -> Any:
        if method == "elicitation/create":
            return {"action": "accept", "content": {"decision": "start", "drop": next(drops)}}
        return allow(method, params)

    async with editor([["Yes."]], can=EVERYTHING, answer=answer) as client:
        session_id = await client.new(isolated)
        await client.say(session_id, "Fix the race. Never touch migrations. Always sign commits.")
        await client.say(session_id, f"/pin {RULE}")
        assert await client.say(session_id, "/handoff") == "end_turn"
        asked = client.asked("elicitation/create")
        assert (
            f"1: {RULE}; 2: Never touch migrations." in asked[0]["requestedSchema"]["properties"]["drop"]["description"]
        )
        assert len(asked) == 2
        assert "There is no rule 99. Allowed: 1, 2, 3." in client.text()
        assert "### Rules the person set: 1 standing" in opening(client, session_id)
        assert "- Always sign commits." in opening(client, session_id)
        await client.say(session_id, "and now?")
        assert RULE not in client.model.prompts[-1].system


async def test_without_forms_a_rule_is_dropped_by_a_second_question(editor: OpenEditor, isolated: Path) -> None:
    wanted = iter(["drop", "Never touch migrations.", "start"])

    def answer(method: str, params: dict[str, Any]) -> Any:
        if method != "session/request_permission":
            return allow(method, params)
        word = next(wanted)
        chosen = next(each for each in params["options"] if word in (each["optionId"], each["name"].partition("  ")[2]))
        return {"outcome": {"outcome": "selected", "optionId": chosen["optionId"]}}

    async with editor([["Yes."]], answer=answer) as client:
        session_id = await client.new(isolated)
        await client.say(session_id, "Fix the race. Never touch migrations.")
        assert await client.say(session_id, "/handoff") == "end_turn"
        assert "- No longer asked for: Never touch migrations." in opening(client, session_id)
