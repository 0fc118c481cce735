"""Approvals, handoffs and drafts over HTTP."""

from __future__ import annotations

import pytest

from baton.core.log.payloads import HandoffAsked, TurnEnd, new_entry
from baton.engine.turns import questions
from tests.support.api_bed import ApiBed
from tests.support.handoffs import PLACEHOLDER, SECRET
from tests.support.small_gateway import soon
from tests.surface.api.conftest import IN_MEMORY

pytestmark = pytest.mark.anyio
STORES = ("memory", "postgres")
NOBODY = "d_000000000000"


@IN_MEMORY
@pytest.mark.parametrize(("answer", "told"), [("yes", "deployed"), ("always", "deployed"), ("no", "the user said no")])
async def test_a_question_is_listed_and_answered_once(bed: ApiBed, answer: str, told: str) -> None:
    conversation = await bed.begin()
    ends: list[str] = []
    async for event in bed.turn(f"/v1/conversations/{conversation}/turns", text="deploy"):
        if event.name == "approval_asked":
            (asked,) = (await bed.get("/v1/approvals"))["approvals"]
            assert (asked["tool"], asked["preview"]) == ("deploy", "deploy --now")
            assert asked["conversation_id"] == conversation
            path = f"/v1/approvals/{asked['handle']}"
            decided = {"conversation_id": conversation, "answer": answer, "kept": False}
            assert await bed.post(path, answer=answer) == decided
            again = await bed.post(path, 409, answer="yes")
            assert (again["code"], "through the API" in again["what"]) == ("answered-already", True)
        elif event.name == "tool_ended":
            ends.append(event.data["text"])
    assert len(ends) == 1
    assert told in ends[0]
    assert (await bed.get("/v1/approvals"))["approvals"] == []


@IN_MEMORY
async def test_calls_of_the_same_id_in_two_conversations_are_two_questions(bed: ApiBed) -> None:
    """Models number their calls as they like."""
    first, second = await bed.begin("one"), await bed.begin("two")
    for conversation in (first, second):
        await bed.post(f"/v1/conversations/{conversation}/turns", 202, text="deploy")
    await soon(lambda: len(questions.list_open(bed.store)) == 2)
    asked = {each["conversation_id"]: each for each in (await bed.get("/v1/approvals"))["approvals"]}
    assert asked[first]["call_id"] == asked[second]["call_id"]
    assert asked[first]["handle"] != asked[second]["handle"]
    await bed.post(f"/v1/approvals/{asked[second]['handle']}", answer="no")
    await soon(lambda: not bed.context.runtime.busy(second))
    assert [each["conversation_id"] for each in (await bed.get("/v1/approvals"))["approvals"]] == [first]
    await bed.post(f"/v1/conversations/{first}/stop")


@IN_MEMORY
async def test_a_stopped_turn_asks_no_longer(bed: ApiBed) -> None:
    conversation = await bed.begin()
    await bed.post(f"/v1/conversations/{conversation}/turns", 202, text="deploy")
    await soon(lambda: questions.list_open(bed.store))
    await bed.post(f"/v1/conversations/{conversation}/stop")
    await soon(lambda: not bed.context.runtime.busy(conversation))
    assert (await bed.get("/v1/approvals"))["approvals"] == []


@IN_MEMORY
async def test_an_answer_that_is_none_is_refused_and_the_question_stays(bed: ApiBed) -> None:
    conversation = await bed.begin()
    await bed.post(f"/v1/conversations/{conversation}/turns", 202, text="deploy")
    await soon(lambda: questions.list_open(bed.store))
    (asked,) = (await bed.get("/v1/approvals"))["approvals"]
    told = (await bed.post(f"/v1/approvals/{asked['handle']}", 400, answer="maybe"))["what"]
    assert "Allowed: yes, always, begins, edits, no." in told
    assert len((await bed.get("/v1/approvals"))["approvals"]) == 1
    await bed.post(f"/v1/conversations/{conversation}/stop")


async def test_a_packet_by_itself_changes_nothing(bed: ApiBed) -> None:
    conversation = await bed.begin("keep the tests green")
    path = f"/v1/conversations/{conversation}"
    before = (await bed.get(path))["head"]
    made = await bed.post(f"{path}/handoffs", 201, kind="packet")
    assert (bed.workspace / made["packet_path"]).is_file()
    assert made["score"]["tokens"] > 0
    assert (await bed.get(path))["head"] == before


async def test_a_fresh_session_at_once(bed: ApiBed) -> None:
    conversation = await bed.begin("keep the tests green")
    made = await bed.post(f"/v1/conversations/{conversation}/handoffs", 201, kind="fresh")
    shown = await bed.get(f"/v1/conversations/{conversation}")
    assert (shown["head"], len(shown["sessions"])) == (made["session_id"], 2)


async def test_a_draft_is_read_changed_and_confirmed(bed: ApiBed) -> None:
    conversation = await bed.begin("keep the tests green")
    made = await bed.post(f"/v1/conversations/{conversation}/handoffs", 201, kind="draft")
    path = f"/v1/drafts/{made['draft_id']}"
    assert made["draft_id"] in [draft["id"] for draft in (await bed.get("/v1/drafts"))["drafts"]]
    shown = await bed.get(path)
    assert "keep the tests green" in shown["markdown"]
    edited = await bed.put(path, markdown=f"{shown['markdown']}\n\nThe password is {SECRET}.\n")
    assert edited["markdown"].endswith(f"The password is {PLACEHOLDER}.\n")
    moved = await bed.post(f"{path}/confirm")
    assert (await bed.get(f"/v1/conversations/{conversation}"))["head"] == moved["session_id"]
    assert (await bed.get(path))["state"] == "confirmed"
    for again in ("confirm", "cancel"):
        assert (await bed.post(f"{path}/{again}", 409))["code"] in ("draft-stale", "bad-transition")


async def test_a_draft_is_cancelled(bed: ApiBed) -> None:
    conversation = await bed.begin("keep the tests green")
    made = await bed.post(f"/v1/conversations/{conversation}/handoffs", 201, kind="draft")
    assert (await bed.post(f"/v1/drafts/{made['draft_id']}/cancel"))["state"] == "cancelled"
    assert len((await bed.get(f"/v1/conversations/{conversation}"))["sessions"]) == 1


async def test_a_draft_that_the_conversation_outran_is_not_used(bed: ApiBed) -> None:
    conversation = await bed.begin("keep the tests green")
    made = await bed.post(f"/v1/conversations/{conversation}/handoffs", 201, kind="draft")
    assert [event.name async for event in bed.turn(f"/v1/conversations/{conversation}/turns", text="more")]
    assert (await bed.post(f"/v1/drafts/{made['draft_id']}/confirm", 409))["code"] == "draft-stale"


async def test_nothing_is_handed_off_while_a_turn_runs(bed: ApiBed) -> None:
    conversation = await bed.begin("keep the tests green")
    made = await bed.post(f"/v1/conversations/{conversation}/handoffs", 201, kind="draft")
    await bed.post(f"/v1/conversations/{conversation}/turns", 202, text="think")
    assert (await bed.post(f"/v1/conversations/{conversation}/handoffs", 409, kind="fresh"))["code"] == "turn-runs"
    for word in ("confirm", "cancel"):
        assert (await bed.post(f"/v1/drafts/{made['draft_id']}/{word}", 409))["code"] == "turn-runs"
    await bed.post(f"/v1/conversations/{conversation}/stop")


@IN_MEMORY
@pytest.mark.parametrize("path", [NOBODY, "..", "c_000000000000", "d_%00"])
async def test_a_draft_that_is_not_there(bed: ApiBed, path: str) -> None:
    await bed.get(f"/v1/drafts/{path}", 404)
    await bed.put(f"/v1/drafts/{path}", 404, markdown="x")
    for word in ("confirm", "cancel"):
        await bed.post(f"/v1/drafts/{path}/{word}", 404)


@IN_MEMORY
@pytest.mark.parametrize("markdown", ["", "a\0", "x" * 500_001])
async def test_a_text_that_cannot_be_kept_is_refused(bed: ApiBed, markdown: str) -> None:
    await bed.put(f"/v1/drafts/{NOBODY}", 400, markdown=markdown)


@IN_MEMORY
async def test_whoever_is_asked_and_says_something_else_is_answered(bed: ApiBed) -> None:
    conversation = await bed.begin()
    made = await bed.post(f"/v1/conversations/{conversation}/handoffs", 201, kind="draft")
    proof = bed.store.conversations.claim(conversation, "other", 60)
    asked = [new_entry(HandoffAsked(made["draft_id"], "tokens")), new_entry(TurnEnd("u_1", "waiting"))]
    head = bed.store.conversations.get(conversation).head_id
    bed.store.entries.append(proof, head, asked)
    bed.store.conversations.release(proof)
    ended = [event async for event in bed.turn(f"/v1/conversations/{conversation}/turns", text="hello")][-1]
    assert ended.data["reason"] == "completed"
    assert (await bed.get(f"/v1/drafts/{made['draft_id']}"))["state"] == "cancelled"
    refused = [entry.data for entry in bed.store.entries.load(head) if entry.kind == "handoff_declined"]
    assert refused == [{"draft": made["draft_id"], "reason": "tokens"}]
