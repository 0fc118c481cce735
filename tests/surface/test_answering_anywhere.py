"""A question that is asked on one surface is shown and answered on every other: once, and all of them show its end."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest

from baton.core.agent.choice import YES
from baton.core.errors import AnsweredAlready
from baton.core.handoff import packet as states
from baton.engine.turns import questions
from baton.surfaces.words import chat as in_terminal
from baton.surfaces.words import editor as words
from tests.support.small_gateway import soon
from tests.support.surfaces import NAMES, Surfaces

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Surfaces look ten times as often."""
    surfaces = ("surfaces.tui.controller", "surfaces.acp.other_questions", "surfaces.acp.handoff")
    for name in (*surfaces, "engine.turns.queue"):
        monkeypatch.setattr(f"baton.{name}.LOOK", 0.1)


@pytest.fixture
async def surfaces(isolated: Path, tmp_path: Path) -> AsyncIterator[Surfaces]:
    async with Surfaces(tmp_path / "all", isolated) as made:
        yield made


@pytest.mark.parametrize("asking", NAMES)
async def test_a_question_is_answered_once_on_every_other_surface(surfaces: Surfaces, asking: str) -> None:
    await ask_and_answer(surfaces, asking, [each for each in NAMES if each != asking])


@pytest.mark.timeout(300)
async def test_telegram_and_matrix_do_so_by_their_real_adapters(isolated: Path, tmp_path: Path) -> None:
    async with Surfaces(tmp_path / "all", isolated, real=True) as surfaces:
        await ask_and_answer(surfaces, "terminal", ["telegram", "matrix"])
        await ask_and_answer(surfaces, "telegram", ["matrix", "editor"])
        await ask_and_answer(surfaces, "matrix", ["telegram", "api"])


async def ask_and_answer(surfaces: Surfaces, asking: str, others: Sequence[str]) -> None:
    for number, answering in enumerate(others):
        text, allow = f"{asking}-{answering}", number % 2 == 0
        question = await surfaces.ask(asking, text)
        await surfaces.answer(answering, question, allow=allow)
        await soon(lambda text=text: surfaces.results(text), f"{text} to be acted on")
        assert [bool(each["ok"]) for each in surfaces.results(text)] == [allow]
        for name in NAMES:
            await surfaces.check_ended(name, question)
        ended = questions.find(surfaces.store, question.conversation_id, question.handle)
        assert ended.where.partition(":")[0] == answering
        with pytest.raises(AnsweredAlready):
            questions.answer(surfaces.store, question, YES, where="api")


async def talked_once(surfaces: Surfaces) -> None:
    """There is something to write a packet about."""
    await surfaces.answer("api", await surfaces.ask("api", "words"))
    await soon(lambda: surfaces.results("words"), "the call to end")
    await soon(lambda: surfaces.store.conversations.get(surfaces.conversation_id).owner is None, "the turn to end")


async def test_a_draft_of_another_surface_is_announced_in_the_terminal_and_the_editor(surfaces: Surfaces) -> None:
    await talked_once(surfaces)

    async def write_draft() -> bool:
        """False while another surface looks after the conversation, for a moment."""
        path = f"/v1/conversations/{surfaces.conversation_id}/handoffs"
        return (await surfaces.bed.client.post(path, json={"kind": "draft"})).status_code == 201

    await soon(write_draft, "a draft")
    await surfaces.wait_for(lambda: in_terminal.PACKET_WAITS in surfaces.screen(), "the terminal to tell of it")
    await surfaces.wait_for(lambda: words.DRAFT_WAITS in surfaces.editor.text(), "the editor to tell of it")


@pytest.mark.parametrize("answer", ["confirm", "cancel"])
async def test_a_draft_the_editor_asks_about_may_be_answered_elsewhere(surfaces: Surfaces, answer: str) -> None:
    """Its dialogue is withdrawn, the prompt ends by itself, and the thread says how."""
    await talked_once(surfaces)
    prompted = surfaces.editor.prompt(surfaces.conversation_id, "/handoff")
    (draft,) = await soon(lambda: surfaces.store.drafts.list_waiting(surfaces.conversation_id), "a draft")
    await soon(lambda: f"review-{draft.id}" in surfaces.dialogues, "the editor to ask about it")
    await surfaces.bed.post(f"/v1/drafts/{draft.id}/{answer}")
    ended = await prompted
    assert ended["result"]["stopReason"] == "end_turn"
    state = states.CONFIRMED if answer == "confirm" else states.CANCELLED
    assert words.ELSEWHERE[state].partition(" The packet")[0] in surfaces.editor.text()
