"""Handoffs as a person meets them in the terminal."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from baton.core.agent.message import Call, Prompt
from baton.core.handoff.policy import FRESH_PROCESS, FRESH_SESSION, PROMPT_USER, Policy
from baton.core.log.entry import NewEntry
from baton.core.log.usage import count_tokens
from baton.surfaces.tui.app import ChatApp
from baton.surfaces.tui.earlier import EarlierView
from baton.surfaces.tui.screens import ReviewScreen
from baton.surfaces.tui.widgets import Fold
from baton.testing.model import FakeModel
from tests.support.handoffs import kit, repository
from tests.surface.tui.conftest import SIZE, asked, idle, matches_snapshot, ready, screen_text, send, until

pytestmark = pytest.mark.anyio
MakeApp = Callable[..., ChatApp]
TALE = "## Completed work\nLooked at a.py.\n## Design decisions\nNone.\n## Next recommended action\nRun `make`."
ASK = "Fix the race. Never touch migrations."
VERIFIED = re.compile(r"HEAD [0-9a-f]{7} on main and the (\d+ )?changed files? match the packet")


def script(prompt: Prompt) -> list[Any]:
    return ["Noted."] if prompt.system == "be good" else [TALE]


@pytest.fixture
def app_with(chat_app: MakeApp, tmp_path: Path) -> Callable[..., ChatApp]:
    def make(policy: Policy | None = None, model: FakeModel | None = None, mode: str = "ask") -> ChatApp:
        root = tmp_path / "shop"
        if not root.exists():
            repository(root)
        return chat_app(model or FakeModel(script), handoff=kit(root, tmp_path / "home", policy), mode=mode)

    return make


async def reviewing(pilot: Pilot[int]) -> None:
    await until(pilot, lambda: isinstance(pilot.app.screen, ReviewScreen) and "Enter start" in screen_text(pilot.app))


def head(app: ChatApp) -> Any:
    chat = app.backend.chat
    return chat.store.sessions.get(chat.store.conversations.get(chat.current().id).head_id)


def compressed(app: ChatApp, times: int) -> None:
    store, session = app.backend.chat.store, head(app)
    proof = store.conversations.claim(session.conversation_id, "other", 60)
    data = {"outcome": "compressed", "keep_from": session.entries + 1, "text": "short", "first": "", "constraints": []}
    store.entries.append(proof, session.id, [NewEntry("compression", {**data, "summary": "s"})] * times)
    store.conversations.release(proof)


async def test_the_packet_is_reviewed_and_the_screen_turns_to_the_fresh_session(app_with: MakeApp) -> None:
    async with app_with().run_test(size=SIZE) as pilot:
        app = await ready(pilot)
        await send(pilot, ASK)
        await idle(pilot, app)
        old = head(app)
        await send(pilot, "/handoff")
        await reviewing(pilot)
        shown = re.sub(r"\d{8}_\d{6}_[0-9a-f]{6}(-\d{8}T\d{6}Z)?|/\S*shop", "…", screen_text(app))
        assert "Continue in a fresh session with this packet?" in shown
        assert re.search(r"rules +1/1", shown)
        await pilot.press("enter")
        await until(pilot, lambda: "Continued in a fresh session" in screen_text(app))
        assert (head(app).parent_id, head(app).edge) == (old.id, "handoff")
        fresh = app.backend.chat.store.entries.load(head(app).id)
        assert 0 < app.line.tokens == count_tokens(fresh), "the packet is all that the fresh context holds"
        assert "The session began from a packet" in screen_text(app)
        assert "Noted." not in screen_text(app)
        await until(pilot, lambda: bool(VERIFIED.search(screen_text(app))))
        assert screen_text(app).count("Next: ") == 1
        app.query_one(".packet", Fold).fold(False)
        await until(pilot, lambda: "## Lineage" in screen_text(app))
        await send(pilot, "go on")
        await idle(pilot, app)
        assert "Noted." in screen_text(app)


@pytest.mark.parametrize("key", ["c", "escape"])
async def test_cancel_changes_nothing(app_with: MakeApp, key: str) -> None:
    async with app_with().run_test(size=SIZE) as pilot:
        app = await ready(pilot)
        await send(pilot, ASK)
        await idle(pilot, app)
        old = head(app)
        await send(pilot, "/handoff")
        await reviewing(pilot)
        await pilot.press(key)
        await until(pilot, lambda: "Cancelled. The session continues as it was." in screen_text(app))
        assert head(app).id == old.id
        assert app.backend.chat.store.drafts.list_waiting() == []


async def test_the_packet_can_be_edited_first(app_with: MakeApp, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("baton.surfaces.shared.editor.edit_text", lambda text: text + "\nDo the docs first.\n")
    async with app_with().run_test(size=SIZE) as pilot:
        app = await ready(pilot)
        await send(pilot, ASK)
        await idle(pilot, app)
        monkeypatch.setattr(app, "suspend", _nothing)
        await send(pilot, "/handoff")
        await reviewing(pilot)
        await pilot.press("e")
        await until(pilot, lambda: len(app.backend.chat.store.packets.of(app.backend.chat.current().id)) == 2)
        await reviewing(pilot)
        await pilot.press("enter")
        await until(pilot, lambda: "Continued in a fresh session" in screen_text(app))
        first = app.backend.chat.store.entries.load(head(app).id)[0]
        assert "Do the docs first." in first.data["text"]


class _nothing:  # noqa: N801
    def __enter__(self) -> None: ...

    def __exit__(self, *_: object) -> None: ...


async def test_a_draft_that_waits_is_told_and_shown_again(app_with: MakeApp) -> None:
    async with app_with().run_test(size=SIZE) as pilot:
        app = await ready(pilot)
        await send(pilot, ASK)
        await idle(pilot, app)
        await send(pilot, "/handoff")
        await reviewing(pilot)
    (draft,) = app.backend.chat.store.drafts.list_waiting()
    async with app_with().run_test(size=SIZE) as pilot:
        app = await ready(pilot)
        await until(pilot, lambda: "has a packet that waits for your answer" in screen_text(app))
        await send(pilot, f"/resume {draft.conversation_id}")
        await until(pilot, lambda: "/handoff shows it." in screen_text(app))
        await idle(pilot, app)
        await send(pilot, "/handoff")
        await reviewing(pilot)
        assert [each.id for each in app.backend.chat.store.drafts.list_waiting()] == [draft.id]
        await pilot.press("d")
        await until(pilot, lambda: "There is no earlier packet" in screen_text(app))
        await pilot.press("escape")
        await reviewing(pilot)
        await pilot.press("enter")
        await until(pilot, lambda: head(app).edge == "handoff")


async def test_a_packet_alone_is_written_and_told(app_with: MakeApp) -> None:
    async with app_with().run_test(size=SIZE) as pilot:
        app = await ready(pilot)
        await send(pilot, ASK)
        await idle(pilot, app)
        await send(pilot, "/handoff --packet-only")
        await until(pilot, lambda: "The packet is .baton/handoffs/" in screen_text(app))
        assert head(app).edge == "root"


async def test_without_a_review(app_with: MakeApp) -> None:
    async with app_with().run_test(size=SIZE) as pilot:
        app = await ready(pilot)
        await send(pilot, ASK)
        await idle(pilot, app)
        await send(pilot, "/fresh")
        await until(
            pilot, lambda: head(app).edge == "handoff" and "Started a fresh session from the packet" in screen_text(app)
        )


async def test_the_policy_goes_on_in_the_same_turn_and_says_so(app_with: MakeApp) -> None:
    async with app_with(Policy(enabled=True)).run_test(size=SIZE) as pilot:
        app = await ready(pilot)
        await send(pilot, ASK)
        await idle(pilot, app)
        compressed(app, 2)
        await send(pilot, "next")
        await until(pilot, lambda: head(app).edge == "handoff")
        await idle(pilot, app)
        shown = screen_text(app)
        assert "Session compressed 2 times. Continued in a fresh session from the packet" in shown
        assert VERIFIED.search(shown)
        assert shown.index("match") < shown.index("Next: an answer to your last message") < shown.rindex("Noted.")
        assert ASK not in shown
        assert app.line.compressions == 0
        app.query_one(EarlierView).fold(False)
        await until(pilot, lambda: ASK in screen_text(app))


async def test_asked_in_the_middle_of_a_turn_a_yes_lets_the_work_go_on(app_with: MakeApp) -> None:
    async with app_with(Policy(enabled=True, mode=PROMPT_USER)).run_test(size=SIZE) as pilot:
        app = await ready(pilot)
        await send(pilot, ASK)
        await idle(pilot, app)
        compressed(app, 2)
        await send(pilot, "next")
        await reviewing(pilot)
        assert "Continue in a fresh session?" in screen_text(app)
        await pilot.press("enter")
        await until(pilot, lambda: head(app).edge == "handoff" and "Noted." in screen_text(app))
        await idle(pilot, app)
        assert "Go on with the work." not in screen_text(app)


@pytest.mark.parametrize("key", ["escape", "n"])
async def test_a_closed_question_answers_the_very_message_and_is_not_asked_again(app_with: MakeApp, key: str) -> None:
    model = FakeModel(script)
    async with app_with(Policy(enabled=True, mode=PROMPT_USER), model).run_test(size=SIZE) as pilot:
        app = await ready(pilot)
        await send(pilot, ASK)
        await idle(pilot, app)
        compressed(app, 2)
        await send(pilot, "What is in a.py?")
        await reviewing(pilot)
        asked = len(model.prompts)
        await pilot.press(key)
        await until(pilot, lambda: len(model.prompts) > asked)
        await idle(pilot, app)
        assert getattr(model.prompts[-1].messages[-1], "text", "") == "What is in a.py?"
        await send(pilot, "And in b.py?")
        await idle(pilot, app)
        assert getattr(model.prompts[-1].messages[-1], "text", "") == "And in b.py?"
        assert head(app).edge == "root"
        assert len(app.backend.chat.store.packets.of(app.backend.chat.current().id)) == 1


async def test_the_model_asks(app_with: MakeApp) -> None:
    lines = iter([[Call("1", "session_handoff", {"reason": "it is long"})]])
    model = FakeModel(lambda prompt: next(lines, ["Noted."]) if prompt.system == "be good" else [TALE])
    async with app_with(model=model).run_test(size=SIZE) as pilot:
        app = await ready(pilot)
        await send(pilot, ASK)
        await reviewing(pilot)
        await pilot.press("c")
        await until(pilot, lambda: "Noted." in screen_text(app))
        assert head(app).edge == "root"


async def test_a_new_process_takes_over(app_with: MakeApp) -> None:
    app = app_with(Policy(enabled=True, mode=FRESH_PROCESS))
    async with app.run_test(size=SIZE) as pilot:
        await ready(pilot)
        await send(pilot, ASK)
        await idle(pilot, app)
        compressed(app, 2)
        await send(pilot, "next")
        await until(pilot, lambda: bool(app.successor))
    assert app.successor.startswith("c_")


async def test_the_review_as_it_looks(app_with: MakeApp) -> None:
    async with app_with().run_test(size=SIZE) as pilot:
        app = await ready(pilot)
        await send(pilot, ASK)
        await idle(pilot, app)
        await send(pilot, "/handoff")
        await reviewing(pilot)
        text = re.sub(r"\d{8}_\d{6}_[0-9a-f]{6}", "20260101_000000_000000", screen_text(app))
        text = re.sub(r"\d{8}T\d{6}Z", "20260101T000000Z", text)
        text = re.sub(r"\d+ of 4,000", "368 of 4,000", text)
        text = re.sub("[▁▂▃▄▅▆▇]{2}", "  ", text)  # the scroll bar's end moves with the length of the workspace's path
        matches_snapshot("review", re.sub(r"\n.*(?:Workspace:|pytest-|looks0|popen-gw).*", "", text))


async def test_a_handoff_is_taken_back_and_the_screen_is_as_it_was(app_with: MakeApp) -> None:
    model = FakeModel(script)
    async with app_with(model=model).run_test(size=SIZE) as pilot:
        app = await ready(pilot)
        await send(pilot, ASK)
        await idle(pilot, app)
        await send(pilot, "/undo")
        await until(pilot, lambda: "There is nothing to undo" in screen_text(app))
        await send(pilot, "/fresh")
        await until(pilot, lambda: head(app).edge == "handoff")
        await idle(pilot, app)
        await send(pilot, "/undo")
        await until(pilot, lambda: head(app).edge == "undo" and "handoff was taken back" in screen_text(app))
        assert ASK in screen_text(app)
        await send(pilot, "next")
        await idle(pilot, app)
        assert [message.text for message in model.prompts[-1].messages] == [ASK, "Noted.", "next"]


def pusher(prompt: Prompt) -> list[Any]:
    """In a fresh session it pushes by force, whatever the packet says."""
    if prompt.system != "be good" or "<<<packet-" not in str(prompt.messages[0]):
        return script(prompt)
    tried = any("git push --force" in str(message) for message in prompt.messages[1:])
    return ["Done."] if tried else [Call("call-1", "shell", {"command": "git push --force"})]


async def test_a_call_that_destroys_waits_for_the_terminal_after_a_handoff(app_with: MakeApp) -> None:
    policy = Policy(enabled=True, mode=FRESH_SESSION, require_clean_checkpoint=False)
    async with app_with(policy, FakeModel(pusher), mode="unattended").run_test(size=SIZE) as pilot:
        app = await ready(pilot)
        await send(pilot, ASK)
        await idle(pilot, app)
        compressed(app, 2)
        await send(pilot, "go on")
        await asked(pilot)
        assert "git push --force" in screen_text(app)
        await pilot.press("n")
        await idle(pilot, app)
        results = [each for each in app.backend.chat.store.entries.load(head(app).id) if each.kind == "tool_result"]
        assert [each.data["ok"] for each in results] == [False]
