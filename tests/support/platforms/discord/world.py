"""What there is on the stand-in: people, channels, messages, files; and what Discord's rules say about them."""

from __future__ import annotations

import secrets
import time
from dataclasses import dataclass, field

from tests.support.platforms.discord import shapes
from tests.support.platforms.discord.shapes import Json

_EPOCH_MS = 1_420_070_400_000
NONCE_WINDOW = 300.0


class Refuse(Exception):
    """An answer that is not a success, with Discord's own number for the reason."""

    def __init__(self, status: int, code: int, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.body: Json = {"code": code, "message": message}


@dataclass
class Nonce:
    message_id: str
    at: float


@dataclass
class World:
    """`token` is the bot's. The bot is in the guild with everybody, and has a private chat with the owner."""

    token: str = field(
        default_factory=lambda: f"{secrets.token_hex(12)}.{secrets.token_hex(3)}.{secrets.token_hex(14)}"
    )
    base: str = ""
    _last_id: int = 0

    def __post_init__(self) -> None:
        self.bot = shapes.user(self.new_id(), "baton", bot=True)
        self.owner = shapes.user(self.new_id(), "ada")
        self.stranger = shapes.user(self.new_id(), "mallory")
        self.robot = shapes.user(self.new_id(), "other-bot", bot=True)
        self.people = {each["id"]: each for each in (self.bot, self.owner, self.stranger, self.robot)}
        self.guild_id, self.application_id = self.new_id(), self.new_id()
        self.channels: dict[str, Json] = {}
        self.room = self._add(shapes.text_channel(self.new_id(), self.guild_id, "home", 0))
        self.group = self._add(shapes.text_channel(self.new_id(), self.guild_id, "team", 1))
        self.forum = self._add(shapes.text_channel(self.new_id(), self.guild_id, "forum", 2, kind=15))
        self.chat = self._add(shapes.private_channel(self.new_id(), self.owner))
        self.messages: dict[str, Json] = {}
        self.files: dict[str, bytes] = {}
        self.typed: dict[str, int] = {}
        self.called: list[str] = []
        """Whom the bot's messages have notified."""
        self.nonces: dict[str, Nonce] = {}
        self.acknowledged: dict[str, int] = {}
        self.no_threads = False
        self.closed: set[str] = set()
        self.left: set[str] = set()
        """People who are no longer in the guild."""

    def new_id(self) -> str:
        """Higher than any before, and with the time in it."""
        self._last_id = max(self._last_id + 1, (int(time.time() * 1000) - _EPOCH_MS) << 22)
        return str(self._last_id)

    def channel(self, channel_id: str) -> Json:
        if channel_id not in self.channels:
            raise Refuse(404, 10003, "Unknown Channel")
        if channel_id in self.closed:
            raise Refuse(403, 50001, "Missing Access")
        return self.channels[channel_id]

    def message(self, channel_id: str, message_id: str) -> Json:
        self.channel(channel_id)
        found = self.messages.get(message_id)
        if found is None or found["channel_id"] != channel_id:
            raise Refuse(404, 10008, "Unknown Message")
        return found

    def in_channel(self, channel_id: str) -> list[Json]:
        """The oldest first."""
        found = [each for each in self.messages.values() if each["channel_id"] == channel_id]
        return sorted(found, key=lambda each: int(each["id"]))

    def visible(self, channel_id: str, person_id: str) -> bool:
        """A private thread is seen by whoever began it alone: nobody else was ever added."""
        channel = self.channels[channel_id]
        return channel["type"] != 12 or channel["owner_id"] == person_id

    def add_message(self, channel_id: str, author: Json, content: str, **more: object) -> Json:
        made = shapes.message(self.new_id(), channel_id, author, content) | more
        self.messages[made["id"]] = made
        self.channels[channel_id]["last_message_id"] = made["id"]
        return made

    def add_file(self, channel_id: str, name: str, data: bytes, media_type: str) -> Json:
        file_id = self.new_id()
        path = f"/attachments/{channel_id}/{file_id}/{name}"
        self.files[path] = data
        return shapes.attachment(file_id, name, len(data), f"{self.base}{path}?ex=1&is=1&hm=0", media_type)

    def add_thread(self, parent_id: str, thread_id: str, name: str, kind: int, archive: int) -> Json:
        if self.no_threads:
            raise Refuse(403, 50013, "Missing Permissions")
        parent = self.channel(parent_id)
        if parent["type"] not in (0, 5):
            raise Refuse(400, 50024, "Cannot execute action on this channel type")
        if thread_id in self.channels:
            raise Refuse(400, 160004, "A thread has already been created for this message")
        return self._add(shapes.thread(thread_id, parent, name, self.bot["id"], kind, archive))

    def known_nonce(self, nonce: str) -> Json | None:
        """The message that was made with this nonce within the last few minutes."""
        known = self.nonces.get(nonce)
        if known is None or time.monotonic() - known.at > NONCE_WINDOW:
            return None
        return self.messages[known.message_id]

    def keep_nonce(self, nonce: str, message_id: str) -> None:
        self.nonces[nonce] = Nonce(message_id, time.monotonic())

    def _add(self, channel: Json) -> Json:
        self.channels[channel["id"]] = channel
        return channel
