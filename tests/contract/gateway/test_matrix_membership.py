"""On a real Synapse: whatever happens to the members of the owner's room, nobody else becomes the owner.

In each attempt the owner has paired in a room of two and a tool waits there for a yes. Then somebody else gets into the
room, or makes believe to be there, and tries everything; at the end the owner's own word still counts.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, cast
from urllib.parse import unquote

import pytest

from baton.core.transfer.place import Place
from baton.ports.store import Store
from baton.wiring.people import open_directory
from tests.contract.gateway.conftest import OnStage
from tests.contract.gateway.scene import Scene
from tests.contract.platform.stage import Stage
from tests.support.platforms.matrix.person import Person
from tests.support.platforms.matrix.stage import MatrixStage
from tests.support.small_gateway import soon

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(240)]

WORDS = (
    "yes",
    "always",
    "no",
    "start",
    "hello",
    "deploy",
    "!status",
    "!new",
    "!sethome",
    "!handoff terminal",
    "AAAA-AAAA",
)


class Affair:
    """The owner, the other one, the bot, and the room in which the tool asks."""

    def __init__(self, stage: MatrixStage, scene: Scene, store: Store) -> None:
        self.stage = stage
        self.scene = scene
        self.store = store
        self.room = stage.room.room
        self.owner, self.mallory = stage.people[stage.owner], stage.people[stage.stranger]
        self.bot = stage.bot
        self.conversations = 1

    @property
    def question(self) -> str:
        """The event with which the tool asks."""
        return self._question

    async def begin(self) -> None:
        """Pairs by a code in the room of two, and lets a tool ask there."""
        people = open_directory(self.store, self.scene.small.settings)
        code = await asyncio.to_thread(people.invite, "matrix", "owner")
        await self.scene.asks(code, "you are the owner")
        await self.scene.asks("deploy", "deploy --now")
        self._question = (await self.said(self.room))[-1][0]

    async def ask_again(self) -> None:
        """Once the question before shows its answer: that comes when it comes, and nobody else made it."""
        await soon(self._shows_its_answer, "the answer in the question before")
        await self.owner.say(self.room, {"msgtype": "m.text", "body": "deploy"})
        await self.scene.sees("Deployed.")
        await self.scene.sees("deploy --now", times=2)

    async def _shows_its_answer(self) -> bool:
        events = [each for each in await self.bot.events(self.room) if each["sender"] == self.bot.id]
        return any(each["content"].get("m.relates_to", {}).get("event_id") == self._question for each in events)

    async def said(self, room: str) -> list[tuple[str, str]]:
        """Our messages there: ids and words."""
        events = [each for each in await self.bot.events(room) if each["sender"] == self.bot.id]
        return [(each["event_id"], each["content"]["body"]) for each in events if each["type"] == "m.room.message"]

    async def let_in(self) -> None:
        await self.owner.invite(self.room, self.mallory.id)
        await self.mallory.join(self.room)

    async def promote(self, **levels: int) -> None:
        """Gives each of `owner`, `mallory` and `bot` a power level, and the others none."""
        named = {"owner": self.owner.id, "mallory": self.mallory.id, "bot": self.bot.id}
        users = {named[name]: level for name, level in levels.items()}
        await self.owner.set_state(self.room, "m.room.power_levels", {"users": users, "state_default": 50})

    async def try_everything(self, room: str, **relation: Any) -> None:
        """Until all of it was dropped; nothing was done, begun or said."""
        reception = self.scene.small.gateway.parts.reception
        before, ours = reception.dropped, await self.said(room)
        more = {"m.relates_to": relation} if relation else {}
        await asyncio.gather(*(self.mallory.say(room, {"msgtype": "m.text", "body": word, **more}) for word in WORDS))
        await soon(lambda: reception.dropped >= before + len(WORDS), "the stranger's words")
        assert await self.said(room) == ours
        self.check_nothing_happened()

    def check_nothing_happened(self) -> None:
        assert self.scene.deploy.done == 0
        assert len(self.store.conversations.page(10).rows) == self.conversations
        assert open_directory(self.store, self.scene.small.settings).homes() == {"matrix": self.stage.room.key}

    async def owner_says_yes(self) -> None:
        await self.owner.say(self.room, {"msgtype": "m.text", "body": "yes"})
        await soon(lambda: self.scene.deploy.done == 1, "the owner's yes")

    async def move(self, target: str = "matrix") -> str:
        """Why a conversation of the terminal was not moved there; empty if it was."""
        transfer = self.store.transfers.request(
            self.scene.small.terminal("the code word is heron").id, "terminal:local", target
        )
        await soon(lambda: self.store.transfers.get(transfer.id).state in ("failed", "completed"))
        return self.store.transfers.get(transfer.id).error


async def with_a_room_of_two(found: Stage) -> MatrixStage:
    """The stage with a room in which the owner may be demoted; since version 12 whoever made a room may not."""
    stage = cast("MatrixStage", found)
    owner = stage.people[stage.owner]
    room = await owner.make_room(stage.bot.id, preset="private_chat", room_version="10", is_direct=True)
    await stage.bot.join(room)
    stage.room = Place("matrix", room)
    return stage


Open = Callable[[], Any]


@pytest.fixture
def affair(on_stage: OnStage, store: Store, workspace: Path) -> Open:
    @asynccontextmanager
    async def opened() -> AsyncIterator[Affair]:
        async with on_stage("matrix") as found:
            stage = await with_a_room_of_two(found)
            async with Scene(stage, store, workspace, home={}, owners=()) as scene:
                at = Affair(stage, scene, store)
                await at.begin()
                yield at

    return opened


async def the_owner_leaves(at: Affair) -> None:
    await at.let_in()
    await at.owner.leave(at.room)


async def the_owner_is_kicked(at: Affair) -> None:
    await at.let_in()
    await at.promote(owner=50, mallory=100)
    await at.mallory.remove(at.room, at.owner.id)


async def the_owner_is_banned(at: Affair) -> None:
    await at.let_in()
    await at.promote(owner=50, mallory=100)
    await at.mallory.remove(at.room, at.owner.id, "ban")


async def the_owner_leaves_and_the_rest_are_two_by_a_public_door(at: Affair) -> None:
    await at.owner.set_state(at.room, "m.room.join_rules", {"join_rule": "public"})
    await at.mallory.join(at.room)
    await at.owner.leave(at.room)


async def the_bot_is_kicked_and_invited_again_by_another(at: Affair) -> None:
    await at.let_in()
    await at.promote(owner=50, mallory=100)
    await at.owner.leave(at.room)
    await at.mallory.remove(at.room, at.bot.id)
    await at.mallory.invite(at.room, at.bot.id)
    await joined(at, at.room)


async def the_bot_is_banned_and_let_in_again_by_another(at: Affair) -> None:
    await at.let_in()
    await at.promote(owner=50, mallory=100)
    await at.mallory.remove(at.room, at.owner.id)
    await at.mallory.remove(at.room, at.bot.id, "ban")
    await at.mallory.remove(at.room, at.bot.id, "unban")
    await at.mallory.invite(at.room, at.bot.id)
    await joined(at, at.room)


async def another_is_named_like_the_owner_and_alone(at: Affair) -> None:
    await the_owner_leaves(at)
    for name in ("owner", at.owner.id, f"{at.owner.id} (owner)"):
        await at.mallory.call("PUT", "profile", at.mallory.id, "displayname", body={"displayname": name})


async def another_may_do_everything_and_the_owner_nothing(at: Affair) -> None:
    await at.let_in()
    await at.promote(mallory=100, bot=50)


async def another_leaves_and_comes_back_without_the_owner(at: Affair) -> None:
    await at.let_in()
    await at.mallory.leave(at.room)
    await at.owner.invite(at.room, at.mallory.id)
    await at.owner.leave(at.room)
    await at.mallory.join(at.room)


async def everything_happens_while_the_gateway_hears_nothing(at: Affair) -> None:
    await at.stage.cut()
    await the_owner_leaves(at)
    await at.mallory.say(at.room, {"msgtype": "m.text", "body": "yes"})
    await at.stage.restore()


ALONE: list[Callable[[Affair], Awaitable[None]]] = [
    the_owner_leaves,
    the_owner_is_kicked,
    the_owner_is_banned,
    the_owner_leaves_and_the_rest_are_two_by_a_public_door,
    the_bot_is_kicked_and_invited_again_by_another,
    the_bot_is_banned_and_let_in_again_by_another,
    another_is_named_like_the_owner_and_alone,
    another_may_do_everything_and_the_owner_nothing,
    another_leaves_and_comes_back_without_the_owner,
    everything_happens_while_the_gateway_hears_nothing,
]


async def joined(at: Affair, room: str) -> None:
    async def look() -> bool:
        return room in (await at.bot.call("GET", "joined_rooms"))["joined_rooms"]

    await soon(look, "the bot in the room")


@pytest.mark.parametrize("happens", ALONE, ids=lambda each: each.__name__)
async def test_a_waiting_tool_and_the_room_are_safe_when(
    happens: Callable[[Affair], Awaitable[None]], affair: Open
) -> None:
    async with affair() as at:
        await happens(at)
        await at.try_everything(at.room)
        await at.try_everything(at.room, rel_type="m.thread", event_id=at.question, is_falling_back=False)


async def test_a_third_in_the_room_sees_the_question_and_cannot_answer_it(affair: Open) -> None:
    async with affair() as at:
        await at.let_in()
        await at.try_everything(at.room)
        await at.try_everything(at.room, **{"m.in_reply_to": {"event_id": at.question}})
        await at.owner_says_yes()


async def test_a_question_asked_before_a_third_is_safe_from_the_first_word(affair: Open) -> None:
    async with affair() as at:
        await at.owner_says_yes()
        await at.let_in()
        at.scene.deploy.done = 0
        await at.ask_again()
        await at.try_everything(at.room)
        await at.owner_says_yes()


async def test_an_owner_who_left_and_came_back_is_the_owner_and_the_other_is_not(affair: Open) -> None:
    async with affair() as at:
        await at.owner.set_state(at.room, "m.room.join_rules", {"join_rule": "public"})
        await the_owner_leaves(at)
        await at.try_everything(at.room)
        await at.owner.join(at.room)
        await at.try_everything(at.room)
        await at.owner_says_yes()


async def test_what_another_makes_of_the_owners_messages_decides_nothing(affair: Open) -> None:
    """Edits, reactions, copies, redactions, and messages in the form of state."""
    async with affair() as at:
        await at.let_in()
        await at.promote(owner=100, mallory=100, bot=50)
        theirs = await at.owner.say(at.room, {"msgtype": "m.notice", "body": "nothing"})
        edit = {"msgtype": "m.text", "body": "yes"}
        for target in (theirs, at.question):
            relation = {"rel_type": "m.replace", "event_id": target}
            await at.mallory.say(at.room, {**edit, "m.new_content": edit, "m.relates_to": relation})
            for key in ("✅", "👍", "yes"):
                reaction = {"rel_type": "m.annotation", "event_id": target, "key": key}
                await at.mallory.say(at.room, {"m.relates_to": reaction}, "m.reaction")
        for extra in ({"sender": at.owner.id}, {"m.mentions": {"user_ids": [at.owner.id]}}, {"event_id": theirs}):
            await at.mallory.say(at.room, {**edit, **extra})
        await at.mallory.call("PUT", "rooms", at.room, "state", "m.room.message", at.owner.id[1:], body=edit)
        garbage = {"algorithm": "m.megolm.v1.aes-sha2", "ciphertext": "AwgA", "session_id": "x", "sender": at.owner.id}
        await at.mallory.say(at.room, garbage, "m.room.encrypted")
        await at.mallory.call("PUT", "rooms", at.room, "redact", theirs, "t1", body={"reason": "yes"})
        await at.try_everything(at.room)
        await at.owner_says_yes()


async def test_an_answer_that_the_homeserver_delivers_again_counts_once(affair: Open) -> None:
    async with affair() as at:
        await at.let_in()
        said = await at.owner.say(at.room, {"msgtype": "m.text", "body": "no"})
        await at.scene.sees("Refused")
        await at.ask_again()
        at.stage.proxy.redeliver(said)
        await at.try_everything(at.room)
        await at.owner_says_yes()


async def test_an_upgraded_room_is_not_home_and_makes_nobody_the_owner(affair: Open) -> None:
    async with affair() as at:
        await at.let_in()
        await at.promote(owner=100, mallory=100, bot=100)
        answer = await at.mallory.call("POST", "rooms", at.room, "upgrade", body={"new_version": "11"})
        new = answer["replacement_room"]
        await at.mallory.invite(new, at.bot.id)
        await joined(at, new)
        await at.try_everything(new)
        await at.try_everything(at.room)
        assert "that room was upgraded" in await at.move()
        assert not [words for _, words in await at.said(at.room) if "heron" in words]


async def test_after_an_upgrade_the_owner_makes_the_new_room_home_and_the_other_does_not(affair: Open) -> None:
    async with affair() as at:
        answer = await at.owner.call("POST", "rooms", at.room, "upgrade", body={"new_version": "11"})
        new = answer["replacement_room"]
        await at.owner.invite(new, at.mallory.id)
        await at.mallory.join(new)
        await at.owner.invite(new, at.bot.id)
        await joined(at, new)
        await at.try_everything(new)
        await at.owner.say(new, {"msgtype": "m.text", "body": "!sethome"})
        await soon(lambda: home(at) == Place("matrix", new).key, "the new home")
        assert await at.move() == ""


def home(at: Affair) -> str:
    return open_directory(at.store, at.scene.small.settings).homes().get("matrix", "")


async def test_a_room_that_looks_like_home_is_not(affair: Open) -> None:
    """A room of two with the same name, in which the other is the owner by every right that Matrix knows."""
    async with affair() as at:
        await at.owner.set_state(at.room, "m.room.name", {"name": "Home"})
        for more in ({"name": "Home", "is_direct": True}, {"name": "Home", "creation_content": {"m.federate": False}}):
            room = await at.mallory.make_room(at.bot.id, **more)
            await joined(at, room)
            await at.try_everything(room)


async def test_a_crowd_of_invitations_by_a_stranger_makes_nobody_known(affair: Open) -> None:
    async with affair() as at:
        rooms = [await at.mallory.make_room(at.bot.id, is_direct=True) for _ in range(5)]
        for room in rooms:
            await joined(at, room)
        for room in rooms:
            await at.try_everything(room)
        await at.owner_says_yes()


@pytest.mark.parametrize(
    "happens", [the_owner_leaves, the_owner_is_kicked, the_owner_is_banned], ids=lambda each: each.__name__
)
async def test_no_conversation_is_told_to_the_room_once(
    happens: Callable[[Affair], Awaitable[None]], affair: Open
) -> None:
    async with affair() as at:
        await happens(at)
        before = await at.said(at.room)
        assert "you are not in that room now" in await at.move()
        assert await at.said(at.room) == before


async def test_a_room_that_the_bot_was_put_out_of_is_named_as_the_reason(affair: Open) -> None:
    async with affair() as at:
        await at.owner.remove(at.room, at.bot.id)
        assert "Baton is not in that room any more" in await at.move()


async def test_a_thread_of_a_moved_conversation_is_safe_when_the_owner_is_gone(affair: Open) -> None:
    async with affair() as at:
        assert await at.move() == ""
        moved = at.store.conversations.find("fix the race")
        thread = unquote(at.store.bindings.of(moved.id)[0].place.rpartition(":")[2])
        at.conversations = 2
        await the_owner_leaves(at)
        await at.try_everything(at.room, rel_type="m.thread", event_id=thread, is_falling_back=False)


async def test_a_home_that_only_the_configuration_names_makes_nobody_the_owner(
    on_stage: OnStage, store: Store, workspace: Path
) -> None:
    """Neither the one who stands in it now nor the one who stood there first."""
    async with on_stage("matrix") as found, Scene(found, store, workspace, owners=()) as scene:
        stage = cast("MatrixStage", found)
        reception = scene.small.gateway.parts.reception
        await stage.says(stage.room, "hello")
        await soon(lambda: reception.dropped == 1)
        owner, mallory = stage.people[stage.owner], stage.people[stage.stranger]
        await owner.invite(stage.room.room, mallory.id)
        await mallory.join(stage.room.room)
        await owner.leave(stage.room.room)
        for word in WORDS:
            await mallory.say(stage.room.room, {"msgtype": "m.text", "body": word})
        await soon(lambda: reception.dropped == 1 + len(WORDS))
        assert await stage.bot.events(stage.room.room)
        assert (store.conversations.page(10).rows, scene.deploy.done) == ((), 0)


async def test_a_code_that_a_third_can_read_is_spent(on_stage: OnStage, store: Store, workspace: Path) -> None:
    async with on_stage("matrix") as found, Scene(found, store, workspace, home={}, owners=()) as scene:
        stage = cast("MatrixStage", found)
        people = open_directory(store, scene.small.settings)
        owner, mallory = stage.people[stage.owner], stage.people[stage.stranger]
        await owner.invite(stage.room.room, mallory.id)
        code = await asyncio.to_thread(people.invite, "matrix", "owner")
        await stage.says(stage.room, code)
        await soon(lambda: people.why_ended("matrix") == "shown")
        own = await mallory.make_room(stage.bot.id, is_direct=True)
        await knock(scene, mallory, own, code)
        assert people.list() == []


async def test_a_stranger_who_guesses_takes_no_try_of_the_owner(
    on_stage: OnStage, store: Store, workspace: Path
) -> None:
    async with on_stage("matrix") as found, Scene(found, store, workspace, home={}, owners=()) as scene:
        stage = cast("MatrixStage", found)
        people = open_directory(store, scene.small.settings)
        mallory = stage.people[stage.stranger]
        own = await mallory.make_room(stage.bot.id, is_direct=True)
        code = await asyncio.to_thread(people.invite, "matrix", "owner")
        for _ in range(6):
            await knock(scene, mallory, own, "AAAA-AAAA")
        await knock(scene, mallory, own, code)
        assert people.list() == []
        await scene.asks(code, "you are the owner")
        assert [each[:2] for each in people.list()] == [(stage.owner, "owner")]


async def knock(scene: Scene, person: Person, room: str, text: str) -> None:
    reception = scene.small.gateway.parts.reception
    before = reception.dropped
    await person.say(room, {"msgtype": "m.text", "body": text})
    await soon(lambda: reception.dropped > before)


async def test_a_gateway_that_starts_with_only_a_stranger_in_the_room_does_not_hear_them(
    on_stage: OnStage, store: Store, workspace: Path
) -> None:
    """What was said while it was stopped, too; and they do not read the rest of the turn that was cut off."""
    async with on_stage("matrix") as found:
        stage = await with_a_room_of_two(found)
        async with Scene(stage, store, workspace, home={}, owners=()) as scene:
            at = Affair(stage, scene, store)
            await at.begin()
        await the_owner_leaves(at)
        for word in WORDS:
            await at.mallory.say(at.room, {"msgtype": "m.text", "body": word})
        async with Scene(stage, store, workspace, home={}, owners=()) as scene:
            again = Affair(stage, scene, store)
            await soon(lambda: scene.small.gateway.parts.reception.dropped >= len(WORDS))

            def is_resumed() -> bool:
                entries = scene.small.entries(scene.small.conversation(stage.room))
                return any("Heard: Baton was stopped" in entry.text for entry in entries if entry.kind == "assistant")

            await soon(is_resumed, "the turn that was cut off")
            await again.try_everything(at.room)
            assert not any("Heard: Baton was stopped" in words for _, words in await again.said(at.room))
