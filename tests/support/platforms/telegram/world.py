"""What a Telegram server knows: people, chats, topics, messages, and the updates that wait for the bot."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Any

Json = dict[str, Any]

BOT_ID = 4242
BOT: Json = {"id": BOT_ID, "is_bot": True, "first_name": "Baton", "username": "baton_test_bot"}
TOKEN = f"{BOT_ID}:{'AAtest-' * 5}"
OWNER, STRANGER = 777, 666
PEOPLE: dict[int, Json] = {
    OWNER: {"id": OWNER, "is_bot": False, "first_name": "Olga", "last_name": "Owner", "username": "olga"},
    STRANGER: {"id": STRANGER, "is_bot": False, "first_name": "Sam"},
}
GROUP, FORUM = -4001, -1001000000001
_EPOCH = 1_790_000_000


@dataclass
class Chat:
    id: int
    shown: Json
    members: frozenset[int]
    topics: dict[int, Json] = field(default_factory=dict)
    """The message that began each topic."""
    takes_topics: bool = False
    next_message: int = 10


@dataclass
class Sent:
    """A message of the bot, as people see it."""

    chat: int
    topic: int | None
    message: Json
    file: tuple[str, bytes] | None = None


@dataclass(eq=False)
class Waiting:
    """An update that waits for the bot. One delivered again is not forgotten before it was."""

    update: Json
    again: bool = False
    handed: bool = False

    @property
    def number(self) -> int:
        return self.update["update_id"]


class World:
    def __init__(self) -> None:
        owner = PEOPLE[OWNER]
        private = {"id": OWNER, "type": "private", "first_name": owner["first_name"], "last_name": owner["last_name"]}
        self.chats = {
            OWNER: Chat(OWNER, private, frozenset({OWNER}), takes_topics=True),
            GROUP: Chat(GROUP, {"id": GROUP, "type": "group", "title": "Ordinary"}, frozenset({OWNER, STRANGER})),
            FORUM: Chat(
                FORUM,
                {"id": FORUM, "type": "supergroup", "title": "Forum", "is_forum": True},
                frozenset({OWNER, STRANGER}),
                takes_topics=True,
            ),
        }
        self.webhook = "https://example.org/left-over"
        self.commands: list[Json] = []
        self.undeletable: set[int] = set()
        """Chats in which we may close a topic, but not delete it."""
        self.closed_topics: list[int] = []
        self.sent: list[Sent] = []
        self.typing: list[tuple[int, int | None]] = []
        self.files: dict[str, tuple[str, bytes]] = {}
        self.vanishing: set[str] = set()
        """Files that are gone by the time they are downloaded."""
        self.open_callbacks: set[str] = set()
        self.answered: list[str] = []
        self.queue: list[Waiting] = []
        self.delivered: dict[str, Json] = {}
        """Every update there has been, by the id its message has for us."""
        self.confirmed: set[int] = set()
        self.listeners: set[asyncio.Event] = set()
        self._update = 900
        self._clock = _EPOCH

    def message(self, chat: Chat, sender: Json, topic: int | None, **content: Any) -> Json:
        """A new message, with the fields that every message has."""
        self._clock += 1
        message_id, chat.next_message = chat.next_message, chat.next_message + 1
        held: Json = {"message_id": message_id, "from": sender, "chat": chat.shown, "date": self._clock, **content}
        if topic is not None:
            held |= {"message_thread_id": topic, "is_topic_message": True}
        return held

    def open_topic(self, chat: Chat, name: str) -> Json:
        created = {"name": name, "icon_color": 7322096}
        begun = self.message(chat, BOT, None, forum_topic_created=created)
        begun |= {"message_thread_id": begun["message_id"], "is_topic_message": True}
        chat.topics[begun["message_id"]] = begun
        self.post(f"topic:{begun['message_id']}", message=begun)
        return {"message_thread_id": begun["message_id"], **created}

    def post(self, identity: str, **content: Any) -> Json:
        """A new update for the bot."""
        self._update += 1
        update: Json = {"update_id": self._update, **content}
        self.delivered[identity] = update
        self.enqueue(update)
        return update

    def count_from(self, number: int) -> None:
        """As after a quiet week: the ids of updates go on from anywhere."""
        self._update = number

    def enqueue(self, update: Json, *, again: bool = False) -> None:
        self.queue.append(Waiting(update, again))
        self.queue.sort(key=lambda each: each.number)
        for listener in self.listeners:
            listener.set()

    def hand_out(self, limit: int) -> list[Json]:
        for each in self.queue[:limit]:
            each.handed = True
        return [each.update for each in self.queue[:limit]]

    def confirm(self, offset: int) -> None:
        """Everything before the offset is forgotten."""
        gone = [each for each in self.queue if each.number < offset and (each.handed or not each.again)]
        self.confirmed |= {each.number for each in gone}
        self.queue = [each for each in self.queue if each not in gone]

    def keep_file(self, name: str, data: bytes) -> str:
        reference = f"AgACfile{len(self.files)}"
        self.files[reference] = (name, data)
        return reference

    def find(self, chat: int, message_id: int) -> Sent | None:
        found = (each for each in self.sent if each.chat == chat and each.message["message_id"] == message_id)
        return next(found, None)
