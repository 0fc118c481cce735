"""`recall` in a turn: what left the context is found again, sessions later, and no secret comes with it."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from baton.adapters.redaction.redactor import open_redactor
from baton.adapters.tools.recall import Recall
from baton.core.agent.message import Call, Prompt, ToolMessage, UserMessage
from baton.core.log.entry import NewEntry
from baton.core.value import replace
from baton.engine.handoff.handoff import Cause
from baton.engine.past import Past
from baton.engine.turns.parts import Parts
from baton.engine.turns.runtime import Runtime
from baton.engine.turns.toolbox import Toolbox
from baton.testing.model import FakeModel
from tests.engine.conftest import QUICK, Bench, FakeApprover, FakeMemory
from tests.support.handoffs import SECRET, OneSecret, kit, repository

pytestmark = pytest.mark.anyio
Make = Callable[..., Bench]
FACT = "By the way, the staging machine is called kingfisher-7"
_LINES = "\n".join(f"MIIEpAIBAAKCAQEA{number:04d}" * 3 for number in range(30))
KEY = f"-----BEGIN RSA PRIVATE KEY-----\n{_LINES}\n-----END RSA PRIVATE KEY-----"


def script(prompt: Prompt) -> list[Any]:
    if prompt.system.startswith("You are closing"):
        return ["## Completed work\nNothing.\n## Design decisions\nNone.\n## Next recommended action\nAsk."]
    last = prompt.messages[-1]
    asked = [each.text for each in prompt.messages if isinstance(each, UserMessage) and each.text.startswith("What is")]
    if isinstance(last, ToolMessage):
        return [f"It said: {last.text}"] if last.ok else ["It failed."]
    return [Call("r1", "recall", {"query": "staging machine name"})] if asked else ["Noted."]


async def test_a_fact_of_the_first_session_is_found_in_the_fourth(bench: Make, tmp_path: Path) -> None:
    root = repository(tmp_path / "repo")
    model = FakeModel(script)
    made = bench(model)
    tool = Recall(Past(lambda: made.store, made.conversation_id, OneSecret), 8000)
    parts = Parts(
        model,
        Toolbox([tool], FakeApprover(), FakeMemory(), "read_only"),
        replace(QUICK, handoff=kit(root, tmp_path / "home")),
    )
    made = replace(made, runtime=Runtime(made.store, lambda _: parts, surface="test"))
    await made.turn("Fix the race in a.py.")
    await made.turn(f"{FACT}; its password is {SECRET}. Thanks.")
    for number in range(3):
        await made.runtime.hand_off(made.conversation_id, lambda handoff: handoff.now(Cause()))
        await made.turn(f"Step {number}.")
    _leave_out_of_the_packet(made)
    await made.turn("What is the name of the staging machine?")
    told = model.prompts[-1].messages[-1]
    assert isinstance(told, ToolMessage)
    assert re.search(r"g1#\d+ the person: .*kingfisher-7", told.text)
    assert SECRET not in str(model.prompts[-1])
    assert "kingfisher-7" in made.entries()[-2].data["text"], "the model could answer with it"
    assert len(made.store.sessions.of(made.conversation_id)) == 5


def _leave_out_of_the_packet(made: Bench) -> None:
    """A packet that says nothing of it, whatever packets keep by themselves."""
    head = made.store.conversations.get(made.conversation_id).head_id
    proof = made.store.conversations.claim(made.conversation_id, "test", 60)
    opening = NewEntry("packet", {"text": "# Nothing of note", "packet": "p_none", "sha256": "", "path": ""})
    made.store.sessions.advance(proof, head, edge="handoff", end_reason="handoff", entries=[opening])
    made.store.conversations.release(proof)


async def test_part_of_a_key_is_not_told_where_only_the_whole_shows_what_it_is(bench: Make, tmp_path: Path) -> None:
    made = bench(FakeModel([["Noted."]]))
    redactor = open_redactor(str(tmp_path), {}, {}, str(tmp_path / "cache"))
    await made.turn(f"Here it is, heffalump:\n{KEY}")
    await made.turn("Now.")
    past = Past(lambda: made.store, made.conversation_id, lambda: redactor)
    for told in (past.find("heffalump", 8000), past.find("MIIEpAIBAAKCAQEA0015*", 8000), past.read("#1", 1, 1500)):
        assert "MIIEpAIB" not in told.text
