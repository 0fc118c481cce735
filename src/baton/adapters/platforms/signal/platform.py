"""Signal as a platform. Imports httpx2: the registry imports this module only if Signal is configured."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Collection
from pathlib import Path

from baton.adapters.platforms.absence import owner_absent
from baton.adapters.platforms.addresses import check_private
from baton.adapters.platforms.http_calls import new_client, read_call, write_call
from baton.adapters.platforms.json_fields import Json, table, tables, text, whole
from baton.adapters.platforms.markup.spans import utf8
from baton.adapters.platforms.signal.api import Failure, Rpc, explain, explain_results
from baton.adapters.platforms.signal.inbound import Receiver
from baton.adapters.platforms.signal.outbound import render, render_message, source
from baton.adapters.platforms.signal.place import NAME, is_group, place, recipient
from baton.config.platform_settings import SignalSettings
from baton.core.errors import BadCredentials, PlatformError, SendLater, SendRefused, SendUnsure
from baton.core.transfer.place import Place
from baton.ports.platform import Abilities, File, Greeting, Outgoing, Platform, PlatformState, Sink

_LARGEST = 20_000_000


def open_platform(settings: SignalSettings, state: PlatformState, home: Path) -> Platform:  # noqa: ARG001 - keeps no files
    """`BadCredentials` if the account is not set, or if the daemon's address would be open to others."""
    if settings.account is None:
        raise BadCredentials(platform=NAME, reason="`account` is not set")
    return Signal(settings.daemon, settings.account, state)


class Signal:
    """An account at a signal-cli daemon."""

    name = NAME
    abilities = Abilities(limit=2000, unit="bytes", once="none", edits=True, typing=True, files=True, fixed_chats=True)

    def __init__(self, daemon: str, account: str, state: PlatformState) -> None:
        check_private(NAME, daemon, "the daemon has no password, so anybody who reaches it speaks as you")
        self._account = account
        self._http = new_client(reuse=False)
        self._rpc = Rpc(self._http, daemon, account)
        self._receiver = Receiver(self._http, daemon.rstrip("/"), account, state)

    def size(self, text: str) -> int:
        return utf8(render(text)[0])

    def room(self, text: str) -> Place:
        return place(text)

    async def connect(self, commands: Greeting) -> str:  # noqa: ARG002 - Signal lists none
        async with read_call(NAME):
            version = await self._rpc.ask("version")
            accounts = await self._rpc.ask("listAccounts")
        if isinstance(version, Failure):
            raise self._no_daemon(version)
        if not isinstance(accounts, Failure):
            self._check_listed(accounts)
        return self._account

    def _no_daemon(self, failure: Failure) -> PlatformError:
        if failure.status >= 500:
            return SendLater(platform=NAME, reason=failure.message)
        reason = f"at this address there is no signal-cli daemon ({failure.message})"
        return BadCredentials(platform=NAME, reason=reason)

    def _check_listed(self, accounts: object) -> None:
        """A daemon started for a single account does not list it, and answers whatever account it is asked for."""
        if self._account not in [text(each.get("number")) for each in tables(accounts)]:
            reason = f"the daemon has no account {self._account}: `signal-cli link` or `register` makes one"
            raise BadCredentials(platform=NAME, reason=reason)

    async def run(self, sink: Sink) -> None:
        await self._receiver.run(sink)

    async def send(self, place: Place, message: Outgoing, key: str) -> str:  # noqa: ARG002 - Signal takes no key
        return await self._send({**recipient(place), **render_message(message)})

    async def edit(self, place: Place, receipt: str, message: Outgoing) -> None:
        target = whole(self._receiver.revisions.newest(receipt))
        if not target:
            raise SendRefused(platform=NAME, reason=f"{receipt[:40]!r} is no message that could be edited")
        revision = await self._send({**recipient(place), **render_message(message), "editTimestamp": target})
        self._receiver.revisions.add(receipt, revision)

    async def _send(self, params: Json) -> str:
        async with write_call(NAME):
            result = await self._rpc.call("send", params)
        if isinstance(result, Failure):
            raise explain(result)
        said = table(result)
        if refused := explain_results(list(tables(said.get("results")))):
            raise refused
        if not whole(said.get("timestamp")):
            raise SendUnsure(platform=NAME, reason="the daemon gave no timestamp")
        return str(whole(said.get("timestamp")))

    async def find(self, place: Place, key: str) -> str | None:  # noqa: ARG002 - Signal cannot be asked
        return None

    async def show_typing(self, place: Place) -> None:
        async with read_call(NAME):
            result = await self._rpc.call("sendTyping", recipient(place))
        if isinstance(result, Failure):
            error = explain(result)
            if isinstance(error, SendLater):
                raise error

    async def open_thread(self, room: Place, title: str, key: str) -> Place:  # noqa: ARG002 - no threads
        return place(room.room)

    async def check_reader(self, room: Place, people: Collection[str]) -> None:
        """A person's room has its reader for ever; of a group the daemon knows the members."""
        async with read_call(NAME):
            groups = await self._rpc.call("listGroups", {}) if is_group(room) else ()
        if isinstance(groups, Failure):
            return
        for group in tables(groups):
            if room.room == f"group.{text(group.get('id'))}":
                members = {f"{NAME}:{text(each.get('uuid')).lower()}" for each in tables(group.get("members"))}
                if members.isdisjoint(people):
                    raise owner_absent(NAME)

    async def fetch(self, file: File) -> bytes:
        room, _, ident = file.ref.rpartition(" ")
        if file.size > _LARGEST:
            raise _too_large()
        async with read_call(NAME):
            result = await self._rpc.call("getAttachment", {"id": ident, **source(place(room))})
        if isinstance(result, Failure):
            raise SendRefused(platform=NAME, reason=f"the file cannot be had ({result.message})")
        try:
            data = base64.b64decode(text(table(result).get("data")), validate=True)
        except binascii.Error:
            raise SendRefused(platform=NAME, reason="the file arrived in an unreadable form") from None
        if len(data) > _LARGEST:
            raise _too_large()
        return data

    async def close(self) -> None:
        await self._http.aclose()


def _too_large() -> SendRefused:
    return SendRefused(platform=NAME, reason=f"the file is larger than {_LARGEST // 1_000_000} MB")
