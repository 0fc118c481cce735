"""Slack as a platform. Imports its library: the registry imports this module only if Slack is configured."""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Collection, Mapping
from pathlib import Path

from baton.adapters.platforms.absence import owner_absent
from baton.adapters.platforms.addresses import check_private
from baton.adapters.platforms.deliver_inbound import deliver_inbound
from baton.adapters.platforms.json_fields import Json, table, text, texts
from baton.adapters.platforms.slack.api import BAD_BLOCKS, GONE, Api, error_code
from baton.adapters.platforms.slack.catch_up import CatchUp, ReadPositions, read_history
from baton.adapters.platforms.slack.inbound import Me, translate
from baton.adapters.platforms.slack.outbound import (
    LIMIT,
    UNSHARED,
    FileTransfer,
    address,
    has_key,
    mark_with_key,
    render,
    render_title,
    render_without_blocks,
    size,
)
from baton.adapters.platforms.slack.place import NAME, is_direct, place, stamp
from baton.adapters.platforms.slack.socket import Socket
from baton.config.platform_settings import SlackSettings
from baton.core.errors import BadCredentials, BadPlace, PlatformError, SendLater, SendRefused, SendUnsure
from baton.core.transfer.place import Place
from baton.ports.platform import Abilities, File, Greeting, Inbound, Outgoing, Platform, PlatformState, Sink

_LOG = logging.getLogger("baton.platforms.slack")
_ABILITIES = Abilities(
    limit=LIMIT, unit="utf16", once="probe", threads=True, edits=True, typing=True, files=True, buttons=True,
    fixed_chats=True,
)  # fmt: skip
_MEMBERS, _PAGES = 1000, 20
_KEPT = 500
"""Messages remembered, because Slack reports many twice: as a mention, again after a while, or in the history."""

_FIND_SECONDS = 8 * 86_400
"""How far back a message of ours is searched for; nothing older is delivered again."""


def open_platform(settings: SlackSettings, state: PlatformState, home: Path) -> Platform:  # noqa: ARG001 - keeps no files
    """`BadCredentials` if a token is missing, or if the address is not encrypted."""
    if not settings.bot_token or not settings.app_token:
        raise BadCredentials(platform=NAME, reason="bot_token and app_token must both be set")
    check_private(NAME, settings.api, "anybody on the way could read the tokens")
    return SlackPlatform(Api(settings.api, settings.bot_token, settings.app_token), state)


class SlackPlatform:
    """An app in Socket Mode."""

    def __init__(self, api: Api, state: PlatformState) -> None:
        self._api = api
        self._positions = ReadPositions(state)
        self._files = FileTransfer(api, state)
        self._me = Me("", "", "")
        self._address = ""
        self._kept: deque[str] = deque(maxlen=_KEPT)
        self._shows_typing = True

    @property
    def name(self) -> str:
        return NAME

    @property
    def abilities(self) -> Abilities:
        return _ABILITIES

    def size(self, text: str) -> int:
        return size(text)

    def room(self, text: str) -> Place:
        return place(text)

    async def connect(self, commands: Greeting) -> str:  # noqa: ARG002
        """`commands` are ignored: Slack lists those on the app's own page."""
        try:
            said = await self._api.read("auth.test", {})
            self._me = Me(text(said.get("user_id")), text(said.get("team_id")), text(said.get("user")))
            self._address = await self._api.socket_address()
        except PlatformError as error:
            await self._api.close()
            if isinstance(error, SendRefused):
                raise BadCredentials(platform=NAME, reason=error.facts.get("reason", "")) from None
            raise
        return self._me.name

    async def run(self, sink: Sink) -> None:
        async def deliver(inbound: Inbound) -> None:
            if inbound.id in self._kept:
                return
            await deliver_inbound(sink, inbound)
            self._kept.append(inbound.id)
            room, _, ts = inbound.id.rpartition(":")
            if room == inbound.place.room:
                self._positions.mark(inbound.place, ts)

        async def handle(envelope: Json) -> None:
            if inbound := self._translate(envelope):
                await deliver(inbound)

        catch_up = CatchUp(self._api, self._positions, self._me)
        address, self._address = self._address, ""
        await Socket(self._api, lambda: catch_up.run(deliver), handle).run(address)

    async def send(self, place: Place, message: Outgoing, key: str) -> str:
        if message.file is None:
            return await self._post(place, {**render(message), **mark_with_key(key)}, message)
        receipt = await self._files.send(place, message.file, message.text, key)
        if not receipt.startswith(UNSHARED):
            self._positions.begin(place, receipt)
        return receipt

    async def find(self, place: Place, key: str) -> str | None:
        oldest = f"{int(time.time()) - _FIND_SECONDS}.000000"
        async for each in read_history(self._api, place, oldest):
            ours = each.get("user") == self._me.user
            if ours and (has_key(table(each.get("metadata")), key) or self._files.is_sent_as(each, key)):
                return text(each.get("ts"))
        return None

    async def edit(self, place: Place, receipt: str, message: Outgoing) -> None:
        if receipt.startswith(UNSHARED):
            raise SendRefused(platform=NAME, reason="Slack has not shown this file yet")
        where = {"channel": place.room, "ts": receipt}
        await self._write("chat.update", where, render(message), message)

    async def show_typing(self, place: Place) -> None:
        """Only a thread can show it. It disappears when the answer arrives, or after two minutes."""
        if not place.thread or not self._shows_typing:
            return
        status = {"channel_id": place.room, "thread_ts": place.thread, "status": "is writing…"}
        try:
            await self._api.write("assistant.threads.setStatus", status)
        except SendLater:
            raise
        except SendUnsure:
            return
        except PlatformError as error:
            self._shows_typing = False
            _LOG.info("slack: typing is not shown: %s", error.facts.get("reason", ""))

    async def open_thread(self, room: Place, title: str, key: str) -> Place:
        top = place(room.room)
        ts = await self.find(top, key) or await self._post(top, {**render_title(title), **mark_with_key(key)}, None)
        thread = place(top.room, ts)
        self._positions.begin(thread, ts)
        return thread

    async def check_reader(self, room: Place, people: Collection[str]) -> None:
        """Direct messages have their reader for ever. The members of a channel are told to an app that has the scope
        `channels:read` (`groups:read` for a private one); without it nobody is asked.
        """
        if is_direct(room):
            return
        wanted = {person.rpartition(":")[2] for person in people}
        form = {"channel": room.room, "limit": str(_MEMBERS)}
        for _ in range(_PAGES):
            try:
                answer = await self._api.read("conversations.members", form)
            except SendRefused as refused:
                if error_code(refused) in GONE:
                    raise
                return
            if wanted.intersection(texts(answer.get("members"))):
                return
            form["cursor"] = text(table(answer.get("response_metadata")).get("next_cursor"))
            if not form["cursor"]:
                raise owner_absent(NAME)

    async def fetch(self, file: File) -> bytes:
        return await self._files.fetch(file)

    async def close(self) -> None:
        await self._api.close()

    async def _post(self, place: Place, content: Mapping[str, object], message: Outgoing | None) -> str:
        no_previews = {"unfurl_links": False, "unfurl_media": False}
        answer = await self._write("chat.postMessage", {**address(place), **no_previews}, content, message)
        try:
            ts = stamp(answer.get("ts"))
        except BadPlace:
            raise SendUnsure(platform=NAME, reason="the answer does not say what was posted") from None
        self._positions.begin(place, ts)
        return ts

    async def _write(
        self, method: str, where: Mapping[str, object], content: Mapping[str, object], message: Outgoing | None
    ) -> Json:
        """Falls back to Slack's own markup if Slack cannot turn the text into blocks."""
        try:
            return await self._api.write(method, {**where, **content})
        except SendRefused as refused:
            if message is None or message.buttons or error_code(refused) not in BAD_BLOCKS:
                raise
        return await self._api.write(method, {**where, **content, **render_without_blocks(message)})

    def _translate(self, envelope: Json) -> Inbound | None:
        try:
            return translate(envelope, self._me)
        except BadPlace as error:
            _LOG.warning("slack: a malformed event was skipped: %s", error)
            return None
