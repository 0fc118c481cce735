"""What does not happen every day: silent models, busy terminals, places that lost their conversation."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from baton.core.agent.message import Call, Prompt, ToolSpec, UserMessage
from baton.core.errors import SendRefused, UnknownModel
from baton.core.transfer import replies
from baton.core.transfer import transfer as rules
from baton.core.transfer.place import Place
from baton.ports.store import Store
from baton.ports.tool import Intent, Outcome, Output
from baton.surfaces.gateway.reception import Message
from baton.surfaces.words import channel as words
from baton.surfaces.words.commands import NOTHING_RUNS, STOP_ASKED
from baton.testing.model import FakeModel
from tests.support.small_gateway import HOME, OWNER, soon
from tests.surface.gateway.conftest import Make
from tests.surface.gateway.test_talking import CALLS, Deploy

pytestmark = pytest.mark.anyio
THREAD = Place("telegram", "-100", "5")


class Look:
    """A tool nobody is asked about."""

    spec = ToolSpec("look", "looks", {"type": "object"})

    async def intent(self, args: Mapping[str, Any]) -> Intent:
        return Intent("look", "read")

    async def run(self, args: Mapping[str, Any], output: Output) -> Outcome:
        return Outcome("seen")


@pytest.mark.parametrize("script", [[[]], [[""]], [[" \n\t "]], [[Call("c", "look", {})], ["  "]]])
async def test_a_model_that_says_nothing_leaves_nobody_in_silence(make: Make, script: Any, store: Store) -> None:
    first = make(FakeModel(script), tools=[Look()])
    async with first:
        first.telegram.says(HOME, "hello")
        assert await first.texts(HOME) == [replies.SILENT]
    async with make(services=first.services) as second:
        second.telegram.says(HOME, "again")
        await second.texts(HOME, 2)
        assert second.telegram.texts(HOME).count(replies.SILENT) == 1


async def test_what_cannot_be_told_does_not_silence_the_rest_of_a_turn(
    make: Make, monkeypatch: pytest.MonkeyPatch, store: Store
) -> None:
    script = [["One.", Call("a", "look", {})], ["Two.", Call("b", "look", {})], ["Three."]]
    async with make(FakeModel(script), tools=[Look()]) as small:
        outbox, failed = small.gateway.parts.correspondence.outbox, []
        put = outbox.put_now

        def once(place: Place, key: str, letter: Any, conversation_id: str = "") -> str:
            if letter.text == "Two." and not failed:
                failed.append(key)
                raise ValueError("nobody expected this")
            return put(place, key, letter, conversation_id)

        monkeypatch.setattr(outbox, "put_now", once)
        small.telegram.says(HOME, "work")
        assert await small.texts(HOME, 3) == ["One.", "Two.", "Three."]
        assert failed


async def test_a_model_may_give_the_same_id_to_two_calls(make: Make) -> None:
    deploy = Deploy()
    script = [[Call("call_0", "deploy", {"n": 1})], [Call("call_0", "deploy", {"n": 2})], ["Done."]]
    async with make(FakeModel(script), tools=[deploy]) as small:
        small.telegram.says(HOME, "deploy twice")
        for count in (1, 2):
            await soon(lambda count=count: small.telegram.texts(HOME)[count - 1 :])
            question = small.telegram.messages(HOME)[-1]
            small.telegram.presses(HOME, question.receipt, question.buttons[0].choice)
            await soon(lambda count=count: deploy.done == count)
        await soon(lambda: "Done." in small.telegram.texts(HOME))


async def test_many_small_steps_arrive_in_order(make: Make) -> None:
    def step(prompt: Prompt) -> list[Any]:
        number = sum(not isinstance(message, UserMessage) for message in prompt.messages) // 2
        return [f"step {number}"] if number == 5 else [f"step {number}", Call(f"c{number}", "look", {})]

    async with make(FakeModel(step), tools=[Look()]) as small:
        small.telegram.says(HOME, "go")
        assert await small.texts(HOME, 6) == [f"step {number}" for number in range(6)]


async def test_words_while_a_question_waits_are_kept_and_said_to_be(make: Make) -> None:
    deploy = Deploy()
    async with make(FakeModel([*CALLS, ["It deploys."]]), tools=[deploy]) as small:
        small.telegram.says(HOME, "deploy it")
        await soon(lambda: any(each.buttons for each in small.telegram.messages(HOME)))
        small.telegram.says(HOME, "what does it do?")
        await soon(lambda: words.QUEUED in small.telegram.texts(HOME))
        assert deploy.done == 0
        small.telegram.says(HOME, "yes")
        await soon(lambda: small.telegram.texts(HOME)[-2:] == ["Done.", "It deploys."])


async def test_a_word_answers_in_every_place_that_shows_the_question(make: Make) -> None:
    deploy, other = Deploy(), Place("telegram", "8")
    async with make(FakeModel([["hello"], *CALLS, ["What?"]]), tools=[deploy]) as small:
        small.telegram.says(HOME, "hello")
        await small.texts(HOME)
        small.telegram.says(other, f"/resume {small.conversation().id}")
        await small.texts(other)
        small.telegram.says(HOME, "deploy it")
        await soon(lambda: any(each.buttons for each in small.telegram.messages(other)))
        small.telegram.says(other, "one moment")
        await soon(lambda: words.QUEUED in small.telegram.texts(other))
        assert deploy.done == 0
        small.telegram.says(other, "ok")
        await soon(lambda: "What?" in small.telegram.texts(other))
        assert deploy.done == 1
        assert "Done." in small.telegram.texts(HOME)
        await soon(lambda: any(text.endswith("✓ Allowed on Telegram.") for text in small.telegram.texts(HOME)))
        await soon(lambda: not any(each.buttons for each in small.telegram.messages(other)))


async def test_stop_reaches_the_gateway_whose_turn_it_is(make: Make) -> None:
    """Whichever of two takes the message from the inbox."""
    model = FakeModel([["Thinking", 600, "never"]])
    first = make(model, lease=60)  # a busy machine must not lose its turns meanwhile
    async with first, make(model, services=first.services, lease=60) as second:
        places = [Place("telegram", f"stop-{number}") for number in range(3)]
        for place in places:
            first.telegram.says(place, "work")
        await soon(lambda: len(model.prompts) == 3)
        for place in places:
            conversation = first.conversation(place)
            [idle] = [each for each in (first, second) if not each.gateway.parts.runtime.busy(conversation.id)]
            stop = Message("stop", place, OWNER, "owner", "/stop", attempts=2)
            await idle.gateway.parts.desk.handle(stop)
        await soon(lambda: all("◆ Stopped." in first.telegram.texts(place) for place in places))
        assert [first.telegram.texts(place) for place in places] == [["Thinking", "◆ Stopped."]] * 3
        await soon(lambda: not any(each.gateway.parts.runtime.count_running() for each in (first, second)))


async def test_stop_of_what_a_terminal_does_says_so(make: Make, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("baton.engine.turns.stopping.PATIENCE", 0.1)
    async with make() as small:
        small.telegram.says(HOME, "hello")
        await small.texts(HOME)
        await soon(lambda: small.conversation().owner is None)
        proof = store.conversations.claim(small.conversation().id, "terminal:1:abc", 60)
        small.telegram.says(HOME, "/stop")
        assert (await small.texts(HOME, 2))[1] == STOP_ASKED.format(who="a terminal (process 1)")
        store.conversations.release(proof)
        small.telegram.says(HOME, "/stop\n now")
        assert (await small.texts(HOME, 3))[2] == NOTHING_RUNS


async def test_resume_says_what_is_wrong(make: Make, store: Store) -> None:
    async with make() as small:
        one, two = small.terminal("a"), small.terminal("b")
        small.telegram.says(HOME, "/resume fix the race")
        answer = (await small.texts(HOME))[0]
        assert one.id in answer
        assert two.id in answer
        small.telegram.says(HOME, "/resume no such thing")
        assert "no such thing" in (await small.texts(HOME, 2))[1]
        assert store.bindings.at(HOME) is None
        transfer = store.transfers.request(one.id, "terminal:local", "signal")
        small.telegram.says(HOME, f"/resume {one.id}")
        answer = (await small.texts(HOME, 3))[2]
        assert "already being transferred to signal" in answer
        assert store.transfers.get(transfer.id).state == rules.PENDING
        assert store.bindings.at(HOME) is None


async def test_a_conversation_at_work_in_a_terminal_is_resumed_and_waited_for(make: Make, store: Store) -> None:
    async with make(FakeModel([["Said here."]])) as small:
        conversation = small.terminal("a")
        proof = store.conversations.claim(conversation.id, "terminal:1:abc", 60)
        small.telegram.says(HOME, f"/resume {conversation.id}")
        waits = words.HELD_WAITS.format(where="A terminal")
        assert waits in (await small.texts(HOME))[0]
        small.telegram.says(HOME, "/fresh")
        assert (await small.texts(HOME, 2))[1] == words.HELD.format(where="A terminal")
        small.telegram.says(HOME, "and you?")
        assert (await small.texts(HOME, 3))[2] == waits
        store.conversations.release(proof)
        assert (await small.texts(HOME, 4))[3:] == ["Said here."]


async def test_who_asked_for_the_terminal_may_think_again(make: Make, store: Store) -> None:
    async with make() as small:
        small.telegram.says(HOME, "hello")
        await small.texts(HOME)
        conversation = small.conversation()
        small.telegram.says(HOME, "/handoff terminal")
        await small.texts(HOME, 2)
        small.telegram.says(HOME, "/handoff slack")
        await soon(lambda: [each.state for each in store.transfers.of(conversation.id)] == ["failed", "completed"])
        assert store.bindings.at(HOME) is None


async def test_a_move_that_fails_is_told_where_it_was_asked_for(make: Make, store: Store) -> None:
    async with make() as small:
        small.telegram.says(HOME, "hello")
        await small.texts(HOME)
        small.services["slack"].trouble(SendRefused(platform="slack", reason="the bot was removed"), 3)
        small.telegram.says(HOME, "/handoff slack")
        await soon(lambda: any("did not move to Slack" in text for text in small.telegram.texts(HOME)))
        assert "the bot was removed" in small.telegram.texts(HOME)[-1]
        small.telegram.says(HOME, "still here?")
        await soon(lambda: any("still here?" in text for text in small.telegram.texts(HOME)))


async def test_new_in_a_thread_is_heard_from_there(make: Make, store: Store) -> None:
    async with make() as small:
        conversation = small.terminal("a")
        small.telegram.says(THREAD, "chatter", direct=False)
        small.telegram.says(THREAD, f"/resume {conversation.id}", direct=False)
        await small.texts(THREAD)
        for _ in range(2):
            small.telegram.says(THREAD, "/new", direct=False)
        await small.texts(THREAD, 3)
        small.telegram.says(THREAD, "/sessions", direct=False)
        assert "Untitled" not in (await small.texts(THREAD, 4))[3]
        small.telegram.says(THREAD, "the tide tables", direct=False)
        assert (await small.texts(THREAD, 5))[4] == "1: the tide tables"
        assert small.conversation(THREAD).title == "the tide tables"
        assert len(store.conversations.page(10).rows) == 2


async def test_a_place_whose_conversation_was_pruned_begins_anew(make: Make, store: Store) -> None:
    async with make() as small:
        small.telegram.says(HOME, "hello")
        await small.texts(HOME)
        before = small.conversation()
        later = time.time_ns() // 1000 + 10_000_000
        await soon(lambda: store.upkeep.remove(before.id, later))
        small.telegram.says(HOME, "hello again")
        assert (await small.texts(HOME, 2))[1] == "1: hello again"
        assert small.conversation().id != before.id


async def test_a_bad_model_is_refused_with_words_and_the_old_one_stays(make: Make) -> None:
    async with make() as small:
        small.telegram.says(HOME, "hello")
        await small.texts(HOME)
        agent = small.host.agent(small.conversation())

        def use_model(name: str) -> None:
            raise UnknownModel(model=name, known="fake:model")

        agent.use_model = use_model  # type: ignore[method-assign]
        small.telegram.says(HOME, "/model nonsense")
        assert "nonsense" in (await small.texts(HOME, 2))[1]
        small.telegram.says(HOME, "and now?")
        assert (await small.texts(HOME, 3))[2] == "2: and now?"


@pytest.mark.parametrize("text", ["/etc/hosts is odd", "!important: look", "/", "!", "//", "/ stop", "!!!"])
async def test_a_path_or_an_exclamation_is_no_command(make: Make, text: str) -> None:
    async with make() as small:
        small.telegram.says(HOME, text)
        assert await small.texts(HOME) == [f"1: {text}"]


async def test_files_of_a_message_that_waits_are_fetched_once(make: Make, store: Store, isolated: Path) -> None:
    async with make() as small:
        small.telegram.says(HOME, "hello")
        await small.texts(HOME)
        await soon(lambda: small.conversation().owner is None)
        proof = store.conversations.claim(small.conversation().id, "terminal:1", 60)
        fetched: list[str] = []
        fetch = small.telegram.fetch

        def counted(ref: str) -> bytes | None:
            fetched.append(ref)
            return fetch(ref)

        small.telegram.fetch = counted  # type: ignore[method-assign]
        small.telegram.says(HOME, "look", files=[("a.txt", b"data")])
        await soon(lambda: any(mail.attempts > 2 for mail in store.inbox.list_waiting()))
        store.conversations.release(proof)
        await soon(lambda: any("[file: .baton/inbox/" in text for text in small.telegram.texts(HOME)))
        assert len(fetched) == 1
