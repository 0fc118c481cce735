"""Fresh sessions in channels: attended ones are asked about, with the packet to read; unattended ones go on."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from baton.adapters.tools.session_handoff import SessionHandoff
from baton.core.agent.message import Call, Prompt, UserMessage
from baton.core.handoff.opening import INTRODUCTION
from baton.core.handoff.policy import PROMPT_USER, Policy
from baton.core.transfer.place import Place
from baton.core.value import replace
from baton.engine.handoff.handoff import Handoff
from baton.ports.platform import Abilities
from baton.ports.store import Store
from baton.surfaces.shared.wording import describe_turning_point
from baton.surfaces.words import channel as words
from baton.testing.model import FakeModel
from baton.testing.service import Shown
from tests.support.doubtful import doubtful
from tests.support.handoffs import kit, repository
from tests.support.small_gateway import HOME, SmallGateway, quiet, soon
from tests.support.tui import ShellTool
from tests.support.whole_message import LONG, PNG, came_whole
from tests.support.workers.mortal import commits
from tests.surface.gateway.conftest import Make

pytestmark = pytest.mark.anyio
ATTENDED = Policy(enabled=True, mode=PROMPT_USER, require_clean_checkpoint=False)
UNATTENDED = Policy(enabled=True, require_clean_checkpoint=False)
PLAIN = Abilities(limit=2000, unit="chars", once="none")
GROUP = Place("telegram", "-100")


def worker(prompt: Prompt) -> list[Any]:
    """Asks for a fresh session when told `fresh`, and says what it was told last."""
    said = [message.text for message in prompt.messages if isinstance(message, UserMessage)]
    last = [text for text in said if not text.startswith("The workspace is")][-1]
    if last.startswith(INTRODUCTION) or (last == "fresh" and said[0].startswith(INTRODUCTION)):
        return ["On it."]
    if last == "fresh" and isinstance(prompt.messages[-1], UserMessage):
        return [Call("call-1", "session_handoff", {"reason": "it is long"})]
    return [f"Heard: {last}"]


Office = Callable[..., SmallGateway]


@pytest.fixture
def office(make: Make, isolated: Path, tmp_path: Path) -> Office:
    root = repository(isolated)

    def small(policy: Policy = ATTENDED, **given: Any) -> SmallGateway:
        made = make(given.pop("model", None) or FakeModel(worker), tools=[SessionHandoff(), ShellTool()], **given)
        made.host.handoff = kit(root, tmp_path / "home", policy)
        return made

    return small


async def offered(small: SmallGateway, place: Place = HOME) -> Shown:
    """The message with the question, once it and its packet are there."""
    await soon(lambda: any(each.file for each in small.telegram.messages(place)), "the packet")
    return [each for each in small.telegram.messages(place) if "Continue there?" in each.text][-1]


def choice(shown: Shown, word: str) -> str:
    return next(button.choice for button in shown.buttons if button.choice.startswith(word))


async def begun(small: SmallGateway) -> None:
    small.telegram.says(HOME, "hello")
    await small.texts(HOME)


def reasons(small: SmallGateway) -> list[str | None]:
    return [session.end_reason for session in small.store.sessions.of(small.conversation().id)]


async def test_a_packet_is_offered_once_and_started_by_a_button(office: Office) -> None:
    async with office() as small:
        await begun(small)
        small.telegram.says(HOME, "/handoff")
        question = await offered(small)
        small.telegram.presses(HOME, question.receipt, choice(question, "start"))
        await soon(lambda: words.STARTED in small.telegram.texts(HOME))
        small.telegram.says(HOME, "and now?")
        await soon(lambda: "Heard: and now?" in small.telegram.texts(HOME))
        assert reasons(small) == ["handoff", None]
        assert sum("Continue there?" in text for text in small.telegram.texts(HOME)) == 1
        assert len([each for each in small.telegram.messages(HOME) if each.file]) == 1
        assert [text for text in small.telegram.texts(HOME) if "fresh session" in text][1:] == [words.STARTED]


async def test_cancelled_it_goes_on_as_it_was(office: Office) -> None:
    async with office() as small:
        await begun(small)
        small.telegram.says(HOME, "/handoff")
        question = await offered(small)
        small.telegram.presses(HOME, question.receipt, choice(question, "cancel"))
        await soon(lambda: words.STAYED in small.telegram.texts(HOME))
        assert reasons(small) == [None]
        small.telegram.presses(HOME, question.receipt, choice(question, "start"))
        await soon(lambda: words.CLOSED["cancelled"] in small.telegram.texts(HOME))
        assert reasons(small) == [None]


@pytest.mark.parametrize("word", ["start", "Cancel."])
async def test_where_there_are_no_buttons_a_word_answers(office: Office, word: str) -> None:
    async with office(abilities=PLAIN) as small:
        await begun(small)
        small.telegram.says(HOME, "/handoff")
        await soon(lambda: any("answer `start`" in text for text in small.telegram.texts(HOME)))
        small.telegram.says(HOME, word)
        told = words.STARTED if word == "start" else words.STAYED
        await soon(lambda: told in small.telegram.texts(HOME))
        assert reasons(small) == (["handoff", None] if word == "start" else [None])
        small.telegram.says(HOME, word)
        await soon(lambda: f"Heard: {word}" in small.telegram.texts(HOME), "a word that answers nothing is a word")


async def test_a_turn_stopped_for_the_question_goes_on_after_the_answer(office: Office) -> None:
    async with office(ATTENDED) as small:
        small.telegram.says(HOME, "fresh")
        question = await offered(small)
        assert "Heard: fresh" not in small.telegram.texts(HOME)
        small.telegram.presses(HOME, question.receipt, choice(question, "start"))
        await soon(lambda: "On it." in small.telegram.texts(HOME))
        assert reasons(small) == ["handoff", None]


async def test_a_turn_stopped_for_the_question_goes_on_after_a_no(office: Office) -> None:
    async with office(ATTENDED) as small:
        small.telegram.says(HOME, "fresh")
        question = await offered(small)
        small.telegram.presses(HOME, question.receipt, choice(question, "cancel"))
        await soon(lambda: "Heard: fresh" in small.telegram.texts(HOME))
        assert reasons(small) == [None]


async def test_who_keeps_talking_is_answered_where_the_talk_is(office: Office, isolated: Path) -> None:
    async with office(ATTENDED) as small:
        small.telegram.says(HOME, "fresh")
        question = await offered(small)
        for text in ("What is in a.py?", "fresh or not?"):
            small.telegram.says(HOME, text)
            await soon(lambda text=text: f"Heard: {text}" in small.telegram.texts(HOME))
        small.telegram.presses(HOME, question.receipt, choice(question, "start"))
        await soon(lambda: any("is no longer open" in text for text in small.telegram.texts(HOME)))
        assert reasons(small) == [None]
        assert len(list((isolated / ".baton/handoffs").glob("*.md"))) == 1


@pytest.mark.parametrize("word", ["start", "cancel"])
async def test_who_answers_twice_goes_on_once(office: Office, store: Store, word: str) -> None:
    first = office(ATTENDED)
    async with first as small, office(ATTENDED, services=first.services):
        small.telegram.says(HOME, "fresh")
        question = await offered(small)
        await soon(lambda: quiet(small), "the end of the turn")
        for _ in range(4):
            small.telegram.presses(HOME, question.receipt, choice(question, word))
        answer = "On it." if word == "start" else "Heard: fresh"
        await soon(lambda: answer in small.telegram.texts(HOME) and quiet(small), "the work")
        assert small.telegram.texts(HOME).count(answer) == 1
        assert reasons(small) == (["handoff", None] if word == "start" else [None])


@pytest.mark.parametrize("point", commits("own", "advance", "decline", "release"))
async def test_an_answer_counts_also_if_the_store_goes_away_over_it(office: Office, store: Store, point: str) -> None:
    async with office(ATTENDED) as small:
        small.telegram.says(HOME, "fresh")
        question = await offered(small)
        await soon(lambda: quiet(small), "the end of the turn")
        _, outage = doubtful(store, point)
        word = "cancel" if point.startswith("decline") else "start"
        small.telegram.presses(HOME, question.receipt, choice(question, word))
        await soon(lambda: outage.over, "the outage")
        answer = "On it." if word == "start" else "Heard: fresh"
        await soon(lambda: answer in small.telegram.texts(HOME) and quiet(small), "the work")
        assert small.telegram.texts(HOME).count(answer) == 1
        told = [words.STAYED] if word == "cancel" else [words.STARTED]
        assert [text for text in small.telegram.texts(HOME) if text in (words.STAYED, words.STARTED)] == told
        assert reasons(small) == ([None] if word == "cancel" else ["handoff", None])


async def test_unattended_it_goes_on_and_one_notice_names_the_packet(office: Office, isolated: Path) -> None:
    async with office(UNATTENDED) as small:
        small.telegram.says(HOME, "fresh")
        notice = (await small.texts(HOME))[0]
        path = notice[notice.index("`") + 1 :].partition("`")[0]
        assert (isolated / path).read_text().startswith("# Handoff packet")
        packet = small.entries(small.conversation())[0]
        assert packet.data["because"]
        assert describe_turning_point(packet).replace(path, f"`{path}`") == notice.partition(" (")[0], (
            "who only watches is told the same"
        )
        await soon(lambda: "On it." in small.telegram.texts(HOME))
        small.telegram.says(HOME, "hello")
        await soon(lambda: "Heard: hello" in small.telegram.texts(HOME))
        assert reasons(small) == ["compression_handoff", None]
        assert [text for text in small.telegram.texts(HOME) if "fresh session" in text] == [notice]
        assert not any(each.file for each in small.telegram.messages(HOME))


def pusher(prompt: Prompt) -> list[Any]:
    """As `worker`, but in the fresh session it pushes by force, whatever the packet says."""
    said = worker(prompt)
    tried = any("git push --force" in str(message) for message in prompt.messages[1:])
    return [Call("call-2", "shell", {"command": "git push --force"})] if said == ["On it."] and not tried else said


@pytest.mark.parametrize("policy", [ATTENDED, UNATTENDED], ids=["attended", "unattended"])
@pytest.mark.parametrize("word", ["yes", "no"])
async def test_a_call_that_destroys_waits_for_the_channel_after_a_handoff(
    office: Office, policy: Policy, word: str
) -> None:
    async with office(policy, model=FakeModel(pusher)) as small:
        small.host.mode = "unattended"
        small.telegram.says(HOME, "fresh")
        if policy is ATTENDED:
            question = await offered(small)
            small.telegram.presses(HOME, question.receipt, choice(question, "start"))
        await soon(lambda: any("without you" in text for text in small.telegram.texts(HOME)), "the question")
        asked = next(each for each in small.telegram.messages(HOME) if "without you" in each.text)
        assert "git push --force" in asked.text
        small.telegram.presses(HOME, asked.receipt, choice(asked, word))
        await soon(lambda: "On it." in small.telegram.texts(HOME))
        results = [entry for entry in small.entries(small.conversation()) if entry.kind == "tool_result"]
        assert [entry.data["ok"] for entry in results] == [word == "yes"]


async def test_a_draft_is_answered_after_a_restart(office: Office) -> None:
    first = office()
    async with first:
        first.telegram.says(HOME, "fresh")
        question = await offered(first)
    async with office(services=first.services) as second:
        second.telegram.presses(HOME, question.receipt, choice(question, "start"))
        await soon(lambda: "On it." in second.telegram.texts(HOME))
        assert reasons(second) == ["handoff", None]


async def test_a_draft_answered_in_the_terminal_is_no_longer_open_here(office: Office) -> None:
    async with office() as small:
        await begun(small)
        small.telegram.says(HOME, "/handoff")
        question = await offered(small)
        draft_id = choice(question, "start").partition(":")[2]

        async def act(handoff: Handoff) -> object:
            return await handoff.confirm(draft_id)

        await elsewhere(small).hand_off(small.conversation().id, act)
        for word in ("start", "cancel"):
            small.telegram.presses(HOME, question.receipt, choice(question, word))
        await soon(lambda: small.telegram.texts(HOME).count(words.CLOSED["confirmed"]) == 2)
        assert reasons(small) == ["handoff", None]
        small.telegram.says(HOME, "and now?")
        await soon(lambda: "Heard: and now?" in small.telegram.texts(HOME))


def elsewhere(small: SmallGateway) -> Any:
    """A terminal on the same store."""
    from baton.engine.turns.runtime import Runtime

    return Runtime(small.store, small.host.parts, surface="terminal", lease=2)


async def test_a_draft_shows_in_every_place_of_its_conversation_and_is_answered_in_any(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("baton.surfaces.gateway.question_board._FIRST_WORD", 0)
    async with office() as small:
        await begun(small)
        small.telegram.says(GROUP, f"/resume {small.conversation().id}")
        await small.texts(GROUP)
        small.telegram.says(HOME, "/handoff")
        await offered(small)
        question = await offered(small, GROUP)
        small.telegram.presses(GROUP, question.receipt, choice(question, "start"))
        await soon(lambda: words.STARTED in small.telegram.texts(GROUP))
        ended = words.CLOSED["confirmed"]
        for place in (HOME, GROUP):
            await soon(lambda place=place: any(text.endswith(ended) for text in small.telegram.texts(place)))
            assert sum("Continue there?" in text for text in small.telegram.texts(place)) == 1
            assert not any(each.buttons for each in small.telegram.messages(place))
        assert reasons(small) == ["handoff", None]


async def test_a_draft_the_conversation_outran_is_refused_with_words(office: Office) -> None:
    async with office() as small:
        await begun(small)
        small.telegram.says(HOME, "/handoff")
        question = await offered(small)
        small.telegram.says(HOME, "one more thing")
        await soon(lambda: "Heard: one more thing" in small.telegram.texts(HOME))
        small.telegram.presses(HOME, question.receipt, choice(question, "start"))
        await soon(lambda: words.CLOSED["stale"] in small.telegram.texts(HOME))
        assert reasons(small) == [None]


async def test_a_draft_of_a_conversation_that_left_this_place(office: Office) -> None:
    async with office() as small:
        await begun(small)
        small.telegram.says(HOME, "/handoff")
        question = await offered(small)
        before = small.conversation()
        small.telegram.says(HOME, "/new")
        await soon(lambda: small.conversation().id != before.id)
        small.telegram.presses(HOME, question.receipt, choice(question, "start"))
        await soon(lambda: words.OF_ANOTHER.format(id=before.id) in small.telegram.texts(HOME))
        assert [session.end_reason for session in small.store.sessions.of(before.id)] == [None]


async def test_a_guest_starts_nothing(office: Office) -> None:
    async with office(guests=("telegram:mia",)) as small:
        await begun(small)
        small.telegram.says(HOME, "/handoff")
        question = await offered(small)
        small.telegram.presses(HOME, question.receipt, choice(question, "start"), "telegram:mia", direct=False)
        small.telegram.says(HOME, "start", "telegram:mia", direct=False)
        await soon(lambda: any("says:" in text for text in small.telegram.texts(HOME)))
        assert reasons(small) == [None]
        assert words.STARTED not in small.telegram.texts(HOME)


async def test_a_packet_alone_changes_nothing_and_says_nothing_else(office: Office) -> None:
    async with office() as small:
        await begun(small)
        small.telegram.says(HOME, "/handoff --packet-only")
        await soon(lambda: any(each.file for each in small.telegram.messages(HOME)))
        small.telegram.says(HOME, "again")
        await soon(lambda: "Heard: again" in small.telegram.texts(HOME))
        assert reasons(small) == [None]
        assert not any("fresh session" in text for text in small.telegram.texts(HOME))


async def test_a_fresh_session_at_once_names_its_packet_in_the_channel(office: Office, isolated: Path) -> None:
    async with office() as small:
        await begun(small)
        small.telegram.says(HOME, "/fresh")
        await soon(lambda: any("Started a fresh session" in text for text in small.telegram.texts(HOME)))
        told = next(text for text in small.telegram.texts(HOME) if "Started a fresh session" in text)
        path = told.rpartition("packet: ")[2]
        assert (path.endswith(".md"), (isolated / path).is_file()) == (True, True), told


async def test_while_a_turn_runs_there_is_no_handoff(office: Office, store: Store) -> None:
    model = FakeModel([["Thinking", 600, "never"]])
    async with office(model=model) as small:
        small.telegram.says(HOME, "work")
        await soon(lambda: model.prompts)
        for command in ("/handoff", "/fresh", "/new", "/resume x", "/handoff slack", "/compress"):
            small.telegram.says(HOME, command)
        await soon(lambda: sum("A turn is running." in text for text in small.telegram.texts(HOME)) == 6)
        assert (reasons(small), store.drafts.list_waiting()) == ([None], [])
        assert await asyncio.to_thread(store.transfers.of, small.conversation().id) == []


async def test_an_undone_handoff_goes_on_as_if_it_had_not_been(office: Office) -> None:
    model = FakeModel(worker)
    async with office(model=model) as small:
        await begun(small)
        small.telegram.says(HOME, "/undo")
        await soon(lambda: any("There is nothing to undo" in text for text in small.telegram.texts(HOME)))
        small.telegram.says(HOME, "/fresh")
        await soon(lambda: reasons(small) == ["handoff", None])
        small.telegram.says(HOME, "/undo")
        await soon(lambda: any("handoff was taken back" in text for text in small.telegram.texts(HOME)))
        assert reasons(small) == ["handoff", "undone", None]
        small.telegram.says(HOME, "and now?")
        await soon(lambda: "Heard: and now?" in small.telegram.texts(HOME))
        assert [message.text for message in model.prompts[-1].messages] == ["hello", "Heard: hello", "and now?"]


async def test_while_a_turn_runs_nothing_is_undone(office: Office) -> None:
    model = FakeModel([["Thinking", 600, "never"]])
    async with office(model=model) as small:
        small.telegram.says(HOME, "work")
        await soon(lambda: model.prompts)
        small.telegram.says(HOME, "/undo")
        await soon(lambda: any("A turn is running." in text for text in small.telegram.texts(HOME)))
        assert reasons(small) == [None]


@pytest.mark.parametrize("policy", [ATTENDED, UNATTENDED], ids=["attended", "unattended"])
async def test_a_long_message_with_a_picture_reaches_the_fresh_session_whole(
    office: Office, policy: Policy, isolated: Path
) -> None:
    model = FakeModel(lambda prompt: ["Noted."])
    async with office(replace(policy, max_prompt_tokens=5_000), model=model) as small:
        await begun(small)
        small.telegram.says(HOME, LONG, files=[("lock.png", PNG)])
        if policy is ATTENDED:
            question = await offered(small)
            await soon(lambda: quiet(small), "the end of the turn")
            small.telegram.presses(HOME, question.receipt, choice(question, "start"))
        await soon(lambda: reasons(small)[-1:] == [None] and len(reasons(small)) == 2 and quiet(small), "the answer")
        await soon(lambda: small.telegram.texts(HOME).count("Noted.") == 2, "the answer there")
        (kept,) = (isolated / ".baton/inbox").iterdir()
        assert came_whole(model.prompts[-1].messages, f"{LONG}\n[file: .baton/inbox/{kept.name}]")
