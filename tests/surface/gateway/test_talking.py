"""People talk in channels: turns, order, commands, questions, files, strangers."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from baton.core.agent.message import Call
from baton.core.errors import SendLater, SendRefused
from baton.core.transfer.place import Place
from baton.ports.platform import Abilities
from baton.surfaces.words import channel as words
from baton.testing.model import FakeModel
from tests.support.small_gateway import HOME, Deploy, soon
from tests.surface.gateway.conftest import Make

pytestmark = pytest.mark.anyio
GROUP = Place("telegram", "-100")


CALLS = [["I deploy.", Call("call-1", "deploy", {})], ["Done."]]


async def test_a_message_is_a_turn_and_the_place_speaks_for_one_conversation(make: Make) -> None:
    async with make() as small:
        small.telegram.says(HOME, "hello")
        assert await small.texts(HOME) == ["1: hello"]
        small.telegram.says(HOME, "again")
        assert await small.texts(HOME, 2) == ["1: hello", "2: again"]
        assert small.conversation().title == "hello"
        assert small.telegram.typed[HOME] >= 1
        assert small.gateway.figures()["handled"] == 2


async def test_a_message_delivered_again_is_heard_once(make: Make) -> None:
    async with make() as small:
        message = small.telegram.says(HOME, "hello")
        for _ in range(5):
            small.telegram.redeliver(message)
        small.telegram.says(HOME, "end")
        assert await small.texts(HOME, 2) == ["1: hello", "2: end"]


async def test_messages_during_a_turn_are_answered_in_order(make: Make) -> None:
    async with make(FakeModel(lambda prompt: [0.2, f"{len(prompt.messages)}: {prompt.messages[-1].text}"])) as small:
        for number in range(5):
            small.telegram.says(HOME, f"m{number}")
        await soon(lambda: any("m4" in text for text in small.telegram.texts(HOME)))
        assert [text.partition(": ")[2] for text in small.telegram.texts(HOME)] == ["m0", "m1", "m2", "m3", "m4"]


async def test_a_stranger_is_not_heard_and_nothing_of_theirs_is_kept(make: Make) -> None:
    async with make() as small:
        for sender, name, direct in (("telegram:666", "owner", True), ("telegram:owner2", "telegram:owner", False)):
            small.telegram.says(Place("telegram", "666"), "let me in", sender, name=name, direct=direct)
            small.telegram.says(GROUP, "/status", sender, name=name, direct=False)
        small.telegram.says(HOME, "hello")
        assert await small.texts(HOME) == ["1: hello"]
        assert small.gateway.figures()["dropped"] == 4
        assert [place for place, _ in small.telegram.sent if place != HOME] == []
        assert len(small.store.conversations.page(10).rows) == 1


async def test_in_a_room_the_owner_is_heard_only_where_it_is_bound(make: Make) -> None:
    async with make() as small:
        small.telegram.says(GROUP, "chatter", direct=False)
        small.telegram.says(GROUP, "/help", direct=False)
        assert "/handoff" in (await small.texts(GROUP))[0]
        small.telegram.says(HOME, "hello")
        await small.texts(HOME)
        small.telegram.says(GROUP, f"/resume {small.conversation().id}", direct=False)
        await small.texts(GROUP, 2)
        small.telegram.says(GROUP, "and now?", direct=False)
        assert (await small.texts(GROUP, 3))[-1] == "2: and now?"


async def test_a_guest_talks_where_it_is_bound_and_their_words_are_theirs(make: Make) -> None:
    async with make(guests=("telegram:mia",)) as small:
        small.telegram.says(Place("telegram", "5"), "hi", "telegram:mia")
        small.telegram.says(HOME, "hello")
        await small.texts(HOME)
        small.telegram.says(HOME, "/stop", "telegram:mia", name="Mia", direct=False)
        small.telegram.says(HOME, "what is this?", "telegram:mia", name="Mia", direct=False)
        answer = (await small.texts(HOME, 2))[1]
        assert answer == "2: Mia (telegram:mia) says:\n> what is this?"
        assert small.gateway.figures()["dropped"] == 2


async def test_a_tool_asks_and_only_the_owner_decides(make: Make) -> None:
    deploy = Deploy()
    async with make(FakeModel(CALLS), tools=[deploy], guests=("telegram:mia",)) as small:
        small.telegram.says(HOME, "deploy it")
        await small.texts(HOME, 2)
        question = small.telegram.messages(HOME)[-1]
        assert "deploy --now" in question.text
        choices = [button.choice for button in question.buttons]
        small.telegram.presses(HOME, question.receipt, choices[0], "telegram:mia", direct=False)
        assert deploy.done == 0
        small.telegram.presses(HOME, question.receipt, choices[0])
        await soon(lambda: "Done." in small.telegram.texts(HOME))
        assert deploy.done == 1
        await soon(lambda: f"{question.text}\n\n✓ Allowed." in small.telegram.texts(HOME))
        assert not any(each.buttons for each in small.telegram.messages(HOME))
        assert len(small.telegram.messages(HOME)) == 3


async def test_where_nothing_can_be_edited_old_buttons_decide_nothing(make: Make) -> None:
    deploy = Deploy()
    fixed = Abilities(limit=2000, unit="chars", once="none", buttons=True)
    async with make(FakeModel(CALLS), tools=[deploy], abilities=fixed) as small:
        small.telegram.says(HOME, "deploy it")
        await small.texts(HOME, 2)
        question = small.telegram.messages(HOME)[-1]
        choice = question.buttons[0].choice
        small.telegram.presses(HOME, question.receipt, choice)
        assert (await small.texts(HOME, 4))[2:] == ["✓ Allowed.", "Done."]
        small.telegram.presses(HOME, question.receipt, choice)
        assert (await small.texts(HOME, 5))[-1] == "Already answered: allowed on Telegram."
        assert deploy.done == 1


async def test_a_question_that_was_stopped_says_so(make: Make) -> None:
    async with make(FakeModel(CALLS), tools=[Deploy()]) as small:
        small.telegram.says(HOME, "deploy it")
        await soon(lambda: any(each.buttons for each in small.telegram.messages(HOME)))
        small.telegram.says(HOME, "/stop")
        await soon(lambda: any(text.endswith("◆ No longer open.") for text in small.telegram.texts(HOME)))
        assert not any(each.buttons for each in small.telegram.messages(HOME))


async def test_without_buttons_a_word_decides(make: Make) -> None:
    deploy = Deploy()
    plain = Abilities(limit=2000, unit="chars", once="none")
    async with make(FakeModel(CALLS), tools=[deploy], abilities=plain) as small:
        small.telegram.says(HOME, "deploy it")
        assert "answer `yes`" in (await small.texts(HOME, 2))[1]
        small.telegram.says(HOME, "No")
        await soon(lambda: "Done." in small.telegram.texts(HOME))
        assert deploy.done == 0


async def test_stop_stops_and_says_so_once(make: Make) -> None:
    model = FakeModel(lambda prompt: ["Thinking", 60, "never"] if len(prompt.messages) == 1 else ["again"])
    async with make(model) as small:
        small.telegram.says(HOME, "hello")
        await soon(lambda: model.prompts)
        small.telegram.says(HOME, "/stop")
        await soon(lambda: "◆ Stopped." in small.telegram.texts(HOME))
        small.telegram.says(HOME, "go")
        await soon(lambda: "again" in small.telegram.texts(HOME))
        assert small.telegram.texts(HOME) == ["Thinking", "◆ Stopped.", "again"]


async def test_commands_come_from_the_one_table(make: Make) -> None:
    async with make() as small:
        small.telegram.says(HOME, "/status")
        small.telegram.says(HOME, "!help")
        small.telegram.says(HOME, "/transcript")
        small.telegram.says(HOME, "/nonsense")
        texts = await small.texts(HOME, 4)
        assert texts[0].startswith("There is no conversation here yet")
        assert "Model: fake:model" in texts[0]
        assert "/handoff" in texts[1]
        assert "works in the terminal" in texts[2]
        assert "/nonsense" in texts[3]
        small.telegram.says(HOME, "hello")
        await small.texts(HOME, 5)
        small.telegram.says(HOME, "/status@baton_bot")
        assert "fake:model" in (await small.texts(HOME, 6))[-1]
        small.telegram.says(HOME, "/new")
        await small.texts(HOME, 7)
        small.telegram.says(HOME, "a fresh start")
        assert (await small.texts(HOME, 8))[-1] == "1: a fresh start"
        assert len(small.store.conversations.page(10).rows) == 2


async def test_a_list_says_how_to_choose_and_which_one_speaks_here(make: Make) -> None:
    async with make() as small:
        small.telegram.says(HOME, "the first")
        await small.texts(HOME, 1)
        small.telegram.says(HOME, "/new")
        await small.texts(HOME, 2)
        small.telegram.says(HOME, "the second")
        await small.texts(HOME, 3)
        small.telegram.says(HOME, "/sessions")
        listed = (await small.texts(HOME, 4))[-1].splitlines()
        assert [line.partition("` ")[2] for line in listed[:2]] == ["the second ← here", "the first"]
        assert "/resume" in listed[-1]
        small.telegram.says(HOME, "/resume the third")
        missing = (await small.texts(HOME, 5))[-1]
        assert ("There is no conversation 'the third'" in missing, "`/sessions` lists" in missing) == (True, True)
        assert "baton sessions" not in missing


async def test_the_status_tells_how_full_the_context_is(make: Make) -> None:
    async with make() as small:
        small.telegram.says(HOME, "hello")
        await small.texts(HOME, 1)
        small.telegram.says(HOME, "/status")
        [line] = [row for row in (await small.texts(HOME, 2))[-1].splitlines() if row.startswith("context")]
        assert not line.split()[1].startswith("0")


async def test_a_long_answer_is_shown_while_it_is_written_and_ends_as_one_message(make: Make) -> None:
    parts = [piece for number in range(8) for piece in (f"part {number}. ", 0.4)]
    async with make(FakeModel([parts])) as small:
        small.telegram.says(HOME, "tell me")
        first = (await small.texts(HOME))[0]
        assert first.startswith("part 0.")
        assert first.endswith("▌")
        await soon(lambda: small.telegram.texts(HOME)[0].endswith("part 7."))
        assert len(small.telegram.messages(HOME)) == 1


async def test_an_answer_over_the_limit_arrives_whole_in_order(make: Make) -> None:
    long = "\n\n".join(f"Paragraph {number}: " + "word " * 60 for number in range(40))
    async with make(FakeModel([[long]])) as small:
        small.telegram.says(HOME, "tell me")
        await soon(lambda: "Paragraph 39" in "".join(small.telegram.texts(HOME)))
        assert "".join(small.telegram.texts(HOME)).split() == long.split()
        assert all(len(text) <= 2000 for text in small.telegram.texts(HOME))


async def test_trouble_on_the_way_costs_time_and_nothing_else(make: Make) -> None:
    async with make() as small:
        small.telegram.trouble(SendLater(platform="telegram", reason="slow down", after=0.05), 2)
        small.telegram.swallow(1)
        small.telegram.says(HOME, "hello")
        small.telegram.says(HOME, "again")
        assert await small.texts(HOME, 2) == ["1: hello", "2: again"]
        small.telegram.trouble(SendRefused(platform="telegram", reason="blocked"))
        small.telegram.says(HOME, "lost")
        small.telegram.says(HOME, "kept")
        assert (await small.texts(HOME, 3))[2] == "4: kept"
        assert small.gateway.figures()["refused"] == 1


async def test_where_a_platform_cannot_tell_a_repetition_is_marked(make: Make) -> None:
    plain = Abilities(limit=2000, unit="chars", once="none")
    async with make(abilities=plain) as small:
        small.telegram.swallow(1)
        small.telegram.says(HOME, "hello")
        assert await small.texts(HOME, 2) == ["1: hello", "♻ (may repeat) 1: hello"]


async def test_files_are_kept_in_the_workspace_and_named_to_the_agent(make: Make, isolated: Path) -> None:
    async with make() as small:
        small.telegram.says(HOME, "look", files=[("../../evil name.txt", b"data"), ("b.bin", b"\0")])
        answer = (await small.texts(HOME))[0]
        paths = [line.removeprefix("[file: ").rstrip("]") for line in answer.splitlines()[1:]]
        assert [(isolated / path).read_bytes() for path in paths] == [b"data", b"\0"]
        assert all(path.startswith(".baton/inbox/") and ".." not in path for path in paths)
        assert (isolated / paths[0]).stat().st_mode & 0o777 == 0o600


async def test_a_message_of_a_megabyte_is_refused_with_words(make: Make) -> None:
    async with make() as small:
        small.telegram.says(HOME, "x" * 1_000_000)
        assert "too long" in (await small.texts(HOME))[0]
        assert small.store.bindings.at(HOME) is None


async def test_secrets_do_not_leave(make: Make) -> None:
    async with make(FakeModel([["The password is hunter2."]])) as small:
        small.telegram.says(HOME, "what is it?")
        assert await small.texts(HOME) == ["The password is [redacted: password]."]


async def test_an_error_of_the_model_is_said(make: Make) -> None:
    from baton.core.errors import MissingKey

    async with make(FakeModel([[MissingKey(model="openai:x", variable="OPENAI_API_KEY")], ["better"]])) as small:
        small.telegram.says(HOME, "hello")
        assert (await small.texts(HOME))[0].startswith("⚠ ")
        small.telegram.says(HOME, "again")
        assert (await small.texts(HOME, 2))[1] == "better"


async def test_home_is_where_the_owner_says(make: Make) -> None:
    async with make(home={}) as small:
        small.telegram.says(GROUP, "/sethome", direct=False)
        await small.texts(GROUP)
        assert small.gateway.states["telegram"] == "connected"
        small.telegram.says(GROUP, "hello here", direct=False)
        assert (await small.texts(GROUP, 2))[1] == "1: hello here"


async def test_many_conversations_at_once(make: Make) -> None:
    async with make() as small:
        places = [Place("telegram", str(number)) for number in range(40)]
        for place in places:
            small.telegram.says(place, f"from {place.room}")
        for place in places:
            assert await small.texts(place) == [f"1: from {place.room}"]


async def test_pairing_by_a_code_from_the_terminal(make: Make) -> None:
    from baton.wiring.people import open_directory

    async with make(home={}, owners=()) as small:
        people, room = open_directory(small.store, small.settings), Place("telegram", "9")
        code = await asyncio.to_thread(people.invite, "telegram", "owner")
        for guess in ("AAAA-AAAA", "hello", code.lower() + "x"):
            small.telegram.says(room, guess, "telegram:9")
        small.telegram.says(room, code, "telegram:9", name="Ann")
        assert "you are the owner" in (await small.texts(room))[0]
        assert people.homes() == {"telegram": room.key}
        small.telegram.says(Place("telegram", "8"), code, "telegram:8")
        small.telegram.says(room, "hello", "telegram:9")
        assert (await small.texts(room, 2))[1] == "1: hello"
        assert people.list() == [("telegram:9", "owner", "Ann")]


async def test_a_code_from_somebody_known_is_for_the_door_and_makes_less_of_nobody(make: Make) -> None:
    from baton.wiring.people import open_directory

    async with make(home={}, owners=()) as small:
        people, room = open_directory(small.store, small.settings), Place("telegram", "9")
        roles = ("guest", "owner", "owner")
        for role in roles:
            code = await asyncio.to_thread(people.invite, "telegram", role)
            small.telegram.says(room, code, "telegram:9", name="Ann")
            await soon(lambda: not people.has_invitation("telegram"))
        texts = await small.texts(room, 3)
        assert texts == [words.PAIRED[role] for role in roles]
        code = await asyncio.to_thread(people.invite, "telegram", "guest")
        small.telegram.says(room, code, "telegram:9")
        assert (await small.texts(room, 4))[3] == f"1: {code}"
        assert people.list() == [("telegram:9", "owner", "Ann")]
        assert people.has_invitation("telegram")


async def test_five_wrong_guesses_of_a_stranger_end_their_tries_and_not_the_owners_code(make: Make) -> None:
    from baton.wiring.people import open_directory

    async with make(home={}, owners=()) as small:
        people, room = open_directory(small.store, small.settings), Place("telegram", "9")
        code = await asyncio.to_thread(people.invite, "telegram", "owner")
        stranger = Place("telegram", "666")
        for number in range(5):
            small.telegram.says(stranger, f"AAAAAAA{number + 2}", "telegram:666")
        small.telegram.says(stranger, code, "telegram:666")
        await soon(lambda: small.gateway.figures()["dropped"] == 6)
        assert (people.list(), small.telegram.sent) == ([], [])
        assert people.count_strangers("telegram") == 1
        small.telegram.says(room, code, "telegram:9")
        assert "you are the owner" in (await small.texts(room))[0]
