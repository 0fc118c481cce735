"""The owner is a sender: what a room is, who is in it, and what was so yesterday give nobody a say."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from typing import Any

import pytest

from baton.core.agent.message import Call, ToolSpec
from baton.core.transfer.place import Place
from baton.core.value import replace
from baton.engine.mail import readers
from baton.ports.platform import Inbound
from baton.ports.store import Store
from baton.ports.tool import Intent, Outcome, Output
from baton.surfaces.gateway.reception import to_body
from baton.testing.model import FakeModel
from baton.testing.platform import ALL
from baton.wiring.people import open_directory
from tests.support.small_gateway import HOME, OWNER, Deploy, SmallGateway, soon
from tests.surface.gateway.conftest import Make

pytestmark = pytest.mark.anyio
FIXED = replace(ALL, fixed_chats=True)
MALLORY = "telegram:mallory"
GROUP = Place("telegram", "-100")
CALLS = [["I deploy.", Call("call-1", "deploy", {})], ["Done."]]
WORDS = (
    "yes",
    "always",
    "start",
    "go on",
    "hello",
    "/status",
    "!new",
    "/sethome",
    "/handoff slack",
    "/resume",
    "AAAA-AAAA",
)


async def speak(small: SmallGateway, sender: str, room: Place = HOME, *, direct: bool = True) -> None:
    """Everything somebody would try, until all of it was dropped."""
    before = small.gateway.figures()["dropped"]
    for word in WORDS:
        small.telegram.says(room, word, sender, direct=direct)
    await soon(lambda: small.gateway.figures()["dropped"] == before + len(WORDS))


async def test_a_home_whose_members_can_change_stands_for_nobody(
    make: Make, store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING, "baton.gateway"):
        async with make(owners=()) as small:
            await speak(small, MALLORY)
            assert (small.telegram.sent, store.conversations.page(10).rows) == ([], ())
    said = [record.getMessage() for record in caplog.records if "was not heard" in record.getMessage()]
    assert len(said) == 1
    assert "baton pair telegram" in said[0]


async def test_a_direct_home_whose_members_never_change_stands_for_its_owner(make: Make) -> None:
    async with make(owners=(), abilities=FIXED) as small:
        small.telegram.says(HOME, "hello", "telegram:777")
        assert await small.texts(HOME) == ["1: hello"]
        await speak(small, MALLORY, direct=False)
        await speak(small, MALLORY, Place("telegram", "778"))


async def test_a_home_that_was_set_later_stands_for_nobody_even_if_its_members_never_change(make: Make) -> None:
    async with make(home={}, abilities=FIXED) as small:
        small.telegram.says(HOME, "/sethome")
        await small.texts(HOME)
        await speak(small, MALLORY)
        assert len(small.telegram.sent) == 1


async def test_a_question_is_answered_by_its_owner_even_if_a_stranger_is_alone_in_the_room(make: Make) -> None:
    deploy = Deploy()
    async with make(FakeModel(CALLS), tools=[deploy], owners=(OWNER,)) as small:
        small.telegram.says(HOME, "deploy it")
        await soon(lambda: any(each.buttons for each in small.telegram.messages(HOME)))
        question = small.telegram.messages(HOME)[-1]
        await speak(small, MALLORY)
        for button in question.buttons:
            small.telegram.presses(HOME, question.receipt, button.choice, MALLORY)
        await soon(lambda: small.gateway.figures()["dropped"] == len(WORDS) + len(question.buttons))
        assert deploy.done == 0
        small.telegram.says(HOME, "yes")
        await soon(lambda: "Done." in small.telegram.texts(HOME))
        assert deploy.done == 1


async def test_who_was_paired_before_is_the_owner_still(make: Make, store: Store) -> None:
    """As an earlier version left it in the register."""
    store.register.put("person/telegram:9", {"role": "owner", "name": "Ann", "at": 1})
    store.register.put("home/telegram", {"place": "telegram:9", "by": "telegram:9"})
    async with make(home={}, owners=()) as small:
        room = Place("telegram", "9")
        small.telegram.says(room, "hello", "telegram:9")
        assert await small.texts(room) == ["1: hello"]
        assert small.host.target("telegram") == "telegram"
        await speak(small, MALLORY, room)


@pytest.mark.parametrize("abilities", [ALL, FIXED])
async def test_who_was_forgotten_is_a_stranger_in_what_was_their_home_and_nothing_goes_there(
    make: Make, store: Store, abilities: object
) -> None:
    async with make(home={}, owners=(), abilities=abilities) as small:
        people, room = open_directory(store, small.settings), Place("telegram", "9")
        code = await asyncio.to_thread(people.invite, "telegram", "owner")
        small.telegram.says(room, code, "telegram:9")
        await small.texts(room)
        assert people.forget("telegram:9")
        assert people.homes() == {}
        await speak(small, "telegram:9", room)
        assert len(small.telegram.sent) == 1


async def test_what_somebody_said_before_they_were_forgotten_is_done_no_more(make: Make, store: Store) -> None:
    """Also what an earlier version took for the owner's because of the room it was said in."""
    for number, word in enumerate(WORDS):
        said = Inbound(f"old-{number}", HOME, MALLORY, word, direct=True)
        store.inbox.put(f"telegram:{said.id}", HOME, to_body(said, "owner"))
    async with make() as small:
        await soon(lambda: small.gateway.figures()["handled"] == len(WORDS))
        assert (small.telegram.sent, store.conversations.page(10).rows) == ([], ())
        small.telegram.says(HOME, "hello")
        assert await small.texts(HOME) == ["1: hello"]


async def test_a_guest_whose_place_was_freed_meanwhile_begins_nothing(make: Make, store: Store) -> None:
    said = Inbound("old", GROUP, "telegram:mia", "hello", direct=False)
    store.inbox.put("telegram:old", GROUP, to_body(said, "guest"))
    async with make(guests=("telegram:mia",)) as small:
        await soon(lambda: small.gateway.figures()["handled"] == 1)
        assert store.conversations.page(10).rows == ()


async def test_a_code_that_others_could_read_is_spent(make: Make, store: Store) -> None:
    async with make(home={}, owners=()) as small:
        people = open_directory(store, small.settings)
        code = await asyncio.to_thread(people.invite, "telegram", "owner")
        small.telegram.says(GROUP, code, "telegram:9", direct=False)
        await soon(lambda: not people.has_invitation("telegram"))
        small.telegram.says(Place("telegram", "666"), code, MALLORY)
        await soon(lambda: small.gateway.figures()["dropped"] == 2)
        assert (people.list(), people.why_ended("telegram")) == ([], "shown")


async def test_a_code_that_is_not_the_right_one_ends_nothing_in_a_group(make: Make, store: Store) -> None:
    async with make(home={}, owners=()) as small:
        people = open_directory(store, small.settings)
        code = await asyncio.to_thread(people.invite, "telegram", "owner")
        for _ in range(20):
            small.telegram.says(GROUP, "AAAA-AAAA", MALLORY, direct=False)
        await soon(lambda: small.gateway.figures()["dropped"] == 20)
        small.telegram.says(Place("telegram", "9"), code, "telegram:9")
        assert "you are the owner" in (await small.texts(Place("telegram", "9")))[0]


async def move(small: SmallGateway, target: str = "telegram") -> str:
    """Why a conversation of the terminal did not move; empty if it did."""
    transfer = small.store.transfers.request(small.terminal("the code word is heron").id, "terminal:local", target)
    await soon(lambda: small.store.transfers.get(transfer.id).state in ("failed", "completed"))
    return small.store.transfers.get(transfer.id).error


async def test_nothing_is_moved_into_a_room_that_the_owner_has_left(make: Make) -> None:
    async with make() as small:
        small.telegram.left.add((HOME, OWNER))
        assert "you are not in that room now" in await move(small)
        assert (small.telegram.sent, small.telegram.opened) == ([], {})
        small.telegram.left.clear()
        assert await move(small) == ""


async def test_one_owner_in_the_room_is_enough(make: Make) -> None:
    async with make(owners=(OWNER, "telegram:2")) as small:
        small.telegram.left.add((HOME, OWNER))
        assert await move(small) == ""


async def test_nothing_is_moved_to_where_nobody_is_known(make: Make) -> None:
    async with make(owners=()) as small:
        assert "nobody is known as you on Telegram" in await move(small)
        assert small.telegram.sent == []
    async with make(owners=(), abilities=FIXED) as small:
        assert await move(small) == ""


class Leave:
    """While it runs, the owner leaves the room."""

    spec = ToolSpec("look", "looks", {"type": "object"})
    small: SmallGateway

    async def intent(self, args: Mapping[str, Any]) -> Intent:
        return Intent("look", "read")

    async def run(self, args: Mapping[str, Any], output: Output) -> Outcome:
        self.small.telegram.left.add((HOME, OWNER))
        return Outcome("looked")


async def test_what_a_turn_says_after_its_owner_left_the_room_is_not_posted_there(
    make: Make, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(readers, "FRESH", 0.0)
    script = [["I look. ", Call("1", "look", {})], ["The secret plan is ready."], ["You are back."]]
    tool = Leave()
    async with make(FakeModel(script), tools=[tool]) as small:
        tool.small = small
        small.telegram.says(HOME, "go")
        await soon(lambda: small.telegram.left, "the owner's leaving")
        await soon(lambda: store.conversations.get(small.conversation().id).owner is None, "the end of the turn")
        await soon(lambda: not store.inbox.list_waiting(), "its message to be settled")
        await soon(lambda: not store.outbox.list_waiting(), "the end of delivery")
        assert "secret plan" not in "".join(small.telegram.texts(HOME))
        small.telegram.left.clear()
        small.telegram.says(HOME, "and?")
        await soon(lambda: "You are back." in small.telegram.texts(HOME))
        assert "secret plan" not in "".join(small.telegram.texts(HOME))
