"""Telegram as a platform. Imports its library: the registry imports this module only if Telegram is configured."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from telegram import ChatMemberRestricted

from baton.adapters.platforms.absence import owner_absent
from baton.adapters.platforms.addresses import check_private
from baton.adapters.platforms.telegram import entities
from baton.adapters.platforms.telegram.api import Api
from baton.adapters.platforms.telegram.inbound import Me, Receiver
from baton.adapters.platforms.telegram.outbound import Sender, list_commands
from baton.adapters.platforms.telegram.place import NAME, chat_of, is_group, room, topic_of
from baton.adapters.platforms.telegram.request import Refused
from baton.adapters.platforms.telegram.topics import TopicKeeper
from baton.config.platform_settings import TelegramSettings
from baton.core.errors import BadCredentials, PlatformError, SendLater, SendRefused, SendUnsure
from baton.core.transfer.place import Place
from baton.ports.platform import Abilities, File, Greeting, Outgoing, Platform, PlatformState, Sink

_LARGEST_FETCHED = 20_000_000
_TYPING_WITHIN = 5.0


def open_platform(settings: TelegramSettings, state: PlatformState, home: Path) -> Platform:  # noqa: ARG001 - keeps no files
    if settings.token is None:
        raise BadCredentials(platform=NAME, reason="no token is set")
    check_private(NAME, settings.api, "the bot's token")
    return TelegramPlatform(Api(settings.token, settings.api.rstrip("/")), state)


class TelegramPlatform:
    """A bot. The server has no way to send a message only once: after an unclear send it may arrive twice."""

    name = NAME
    abilities = Abilities(
        4096, "utf16", "none", threads=True, edits=True, typing=True, files=True, buttons=True, alone=True,
        fixed_chats=True,
    )  # fmt: skip

    def __init__(self, api: Api, state: PlatformState) -> None:
        self._api = api
        self._sender = Sender(api)
        self._state = state
        self._topics = TopicKeeper(api, state)
        self._me: Me | None = None

    def size(self, text: str) -> int:
        return entities.size(text)

    def room(self, text: str) -> Place:
        return room(text)

    async def connect(self, commands: Greeting) -> str:
        try:
            return await self._connect(commands)
        except SendUnsure as error:
            raise SendLater(platform=NAME, reason=error.facts.get("reason")) from None

    async def _connect(self, commands: Greeting) -> str:
        me = await self._api.ask(self._api.get_me())
        await self._api.ask(self._api.delete_webhook())
        await self._api.ask(self._api.set_my_commands(list_commands(commands)))
        self._me = Me(me.id, me.username or "")
        return f"@{self._me.username}"

    async def run(self, sink: Sink) -> None:
        assert self._me is not None, "connect comes before run"
        await Receiver(self._api, self._me, sink, self._state, self._topics).run()

    async def send(self, place: Place, message: Outgoing, key: str) -> str:  # noqa: ARG002 - the server knows no keys
        return await self._sender.send(place, message)

    async def find(self, place: Place, key: str) -> str | None:  # noqa: ARG002 - bots cannot read the history
        return None

    async def edit(self, place: Place, receipt: str, message: Outgoing) -> None:
        if not receipt.isdecimal():
            raise SendRefused(platform=NAME, reason="this is not the receipt of a message")
        await self._sender.edit(place, int(receipt), message)

    async def show_typing(self, place: Place) -> None:
        try:
            action = self._api.send_chat_action(chat_of(place), "typing", message_thread_id=topic_of(place))
            await self._api.ask(action, within=_TYPING_WITHIN)
        except SendLater:
            raise
        except PlatformError:
            return

    async def open_thread(self, room: Place, title: str, key: str) -> Place:
        """A topic that is left by a crash is used by the next try, or removed."""
        return await self._topics.open(
            room, title, key, lambda name: self._api.ask(self._new_topic(chat_of(room), name))
        )

    async def _new_topic(self, chat: int, name: str) -> int | None:
        """None if the chat has no topics, or we may not open one."""
        try:
            made = await self._api.create_forum_topic(chat, name)
        except Refused as answer:
            if answer.code != 400 or answer.moved_to is not None or answer.says("chat not found"):
                raise
            return None
        return made.message_thread_id

    async def check_reader(self, room: Place, people: Collection[str]) -> None:
        """A private chat has its reader for ever. In a group the server is asked; it need not tell a bot that is no
        administrator.
        """
        if not is_group(room):
            return
        for person in people:
            if await self._may_read(chat_of(room), person.removeprefix(f"{NAME}:")):
                return
        raise owner_absent(NAME)

    async def _may_read(self, chat: int, person: str) -> bool:
        """True if the server does not say."""
        if not person.isdecimal():
            return False
        try:
            member = await self._api.ask(self._api.get_chat_member(chat, int(person)))
        except SendRefused:
            return True
        restricted = isinstance(member, ChatMemberRestricted)
        return member.is_member if restricted else member.status not in (member.LEFT, member.BANNED)

    async def fetch(self, file: File) -> bytes:
        too_large = SendRefused(platform=NAME, reason=f"the file is larger than {_LARGEST_FETCHED // 1_000_000} MB")
        if file.size > _LARGEST_FETCHED:
            raise too_large
        content = await self._api.content(file.ref)
        if len(content) > _LARGEST_FETCHED:
            raise too_large
        return content

    async def close(self) -> None:
        await self._api.close_connections()
