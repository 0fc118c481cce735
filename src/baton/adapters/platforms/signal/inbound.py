"""What the daemon reports, as what a person said; and listening to it, through any number of lost connections."""

from __future__ import annotations

import asyncio
import json
import logging
import re
from collections.abc import Sequence
from typing import cast
from urllib.parse import quote

import httpx2

from baton.adapters.platforms.backoff import Backoff
from baton.adapters.platforms.deliver_inbound import deliver_inbound
from baton.adapters.platforms.http_calls import CONNECT
from baton.adapters.platforms.json_fields import Json, parse_json, table, tables, text, whole
from baton.adapters.platforms.signal.outbound import Revisions
from baton.adapters.platforms.signal.place import NAME, person, place
from baton.core.display import one_line
from baton.core.errors import BadCredentials, BadPlace, BatonError
from baton.core.transfer.place import Place
from baton.core.value import replace
from baton.ports.platform import File, Inbound, Shelf, Sink

_log = logging.getLogger("baton.platforms")
_QUIET = 45.0
"""The daemon says something every 15 s; silence for three times as long is a dead connection."""


class Receiver:
    def __init__(self, http: httpx2.AsyncClient, daemon: str, account: str, shelf: Shelf) -> None:
        self._http = http
        self._url = f"{daemon}/api/v1/events?account={quote(account, safe='')}"
        self._account = account
        self._held = Held(shelf)
        self.revisions = Revisions()

    async def run(self, sink: Sink) -> None:
        """First what an earlier run could not keep, then what comes, through any number of lost connections."""
        await self._take(sink, await asyncio.to_thread(self._held.get))
        backoff = Backoff()
        while True:
            try:
                await self._listen(sink, backoff)
            except (httpx2.HTTPError, OSError) as error:
                _log.info("signal: the daemon's stream ended (%s)", type(error).__name__)
            await backoff.wait()

    async def _listen(self, sink: Sink, backoff: Backoff) -> None:
        async with self._http.stream("GET", self._url, timeout=httpx2.Timeout(_QUIET, connect=CONNECT)) as stream:
            if stream.status_code in (400, 404):
                reason = "the daemon does not have this account" if stream.status_code == 400 else "there is no daemon"
                raise BadCredentials(platform=NAME, reason=f"{reason} (HTTP {stream.status_code})")
            if stream.status_code != 200:
                return
            events = Events()
            async for piece in stream.aiter_bytes():
                backoff.reset()
                await self._take(sink, events.feed(piece))

    async def _take(self, sink: Sink, events: Sequence[bytes]) -> None:
        """Each in order. What is left when one cannot be kept, or when we are stopped, is put aside."""
        for at, event in enumerate(events):
            if (found := self._read(event)) is None:
                continue
            try:
                await deliver_inbound(sink, found, lambda left=events[at:]: asyncio.to_thread(self._held.put, left))
            except asyncio.CancelledError:
                self._held.put(events[at:])
                raise
        if events:
            await asyncio.to_thread(self._held.clear)

    def _read(self, event: bytes) -> Inbound | None:
        try:
            found = translate(table(parse_json(event)), self._account)
        except Exception as error:  # noqa: BLE001 - one of the edges: what a stranger sent ends nothing
            _log.warning("signal: an event was passed over: %s", one_line(f"{type(error).__name__}: {error}", 200))
            return None
        return found and replace(found, quotes=self.revisions.receipt(found.quotes))


_ATTACHMENT = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9_.-]{0,200}")
_MOST_FILES = 32


def translate(event: Json, account: str) -> Inbound | None:
    """None for receipts, typing, reactions, stories, calls, edits, and for what our own other devices have sent.

    The id is the sender with the time they sent it, which is how Signal itself tells messages apart.
    """
    envelope = table(event.get("envelope")) or table(table(event.get("result")).get("envelope"))
    data = table(envelope.get("dataMessage"))
    sender, sent = person(envelope), whole(data.get("timestamp")) or whole(envelope.get("timestamp"))
    if not sender or not sent or _is_ours(envelope, event, account) or _is_apart(data):
        return None
    where = _place(data, sender)
    if where is None:
        return None
    files = _files(data, where)
    words = _words(data, account)
    if not words and not files:
        return None
    return Inbound(
        id=f"{sender}/{sent}",
        place=where,
        sender=f"{NAME}:{sender}",
        text=words,
        direct=where.room == sender,
        name=one_line(text(envelope.get("sourceName")), 100),
        files=files,
        quotes=_quotes(table(data.get("quote")), sender, account, direct=where.room == sender),
    )


def _is_ours(envelope: Json, event: Json, account: str) -> bool:
    """Sent by this account, or to another account of the same daemon."""
    ours = text(envelope.get("sourceNumber")) == account
    meant = text(event.get("account")) or text(table(event.get("result")).get("account"))
    return ours or (bool(meant) and meant != account)


def _is_apart(data: Json) -> bool:
    """A reaction, a removal or an answer to a story is no message."""
    return not data or any(data.get(each) for each in ("reaction", "remoteDelete", "storyContext"))


def _place(data: Json, sender: str) -> Place | None:
    group = table(data.get("groupInfo"))
    if not group:
        return place(sender)
    try:
        return place(f"group.{text(group.get('groupId'))}")
    except BadPlace:
        return None


def _words(data: Json, account: str) -> str:
    """Names stand where the app puts placeholders for people; ours is left out."""
    units = text(data.get("message")).encode("utf-16-le", "surrogatepass")
    mentions = sorted(tables(data.get("mentions")), key=lambda each: whole(each.get("start")), reverse=True)
    for each in mentions:
        start, end = 2 * whole(each.get("start")), 2 * (whole(each.get("start")) + whole(each.get("length")))
        if start < end <= len(units):
            units = units[:start] + _mentioned(each, account).encode("utf-16-le") + units[end:]
    return units.decode("utf-16-le", "replace").strip()


def _mentioned(mention: Json, account: str) -> str:
    if text(mention.get("number")) == account:
        return ""
    return f"@{one_line(text(mention.get('name')) or text(mention.get('uuid')), 60)}"


def _files(data: Json, where: Place) -> tuple[File, ...]:
    found: list[File] = []
    for each in tables(data.get("attachments")):
        ident = text(each.get("id"))
        if _ATTACHMENT.fullmatch(ident) and ".." not in ident and len(found) < _MOST_FILES:
            name = one_line(text(each.get("filename")), 200) or ident
            kind = one_line(text(each.get("contentType")), 100)
            found.append(File(f"{where.room} {ident}", name, kind, whole(each.get("size"))))
    return tuple(found)


def _quotes(quote: Json, sender: str, account: str, *, direct: bool) -> str:
    """The time of the quoted message if it is ours. Of two people, what is not theirs is ours."""
    author = text(quote.get("authorUuid")).lower()
    ours = text(quote.get("authorNumber")) == account or (direct and bool(author) and author != sender)
    return str(whole(quote.get("id"))) if ours and whole(quote.get("id")) else ""


_SHELF = "held"


class Held:
    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf
        self._is_empty = False

    def get(self) -> list[bytes]:
        """What an earlier run put aside, in order; it stays there until `clear`."""
        found = table(parse_json(self._shelf.get(_SHELF) or "")).get("events")
        events = cast("list[object]", found) if isinstance(found, list) else []
        self._is_empty = not events
        return [text(each).encode() for each in events]

    def put(self, events: Sequence[bytes]) -> None:
        """As well as can be: where nothing can be kept, this cannot either."""
        self._is_empty = False
        try:
            self._shelf.put(_SHELF, json.dumps({"events": [each.decode("utf-8", "replace") for each in events]}))
        except (BatonError, OSError) as error:
            _log.warning("signal: %d messages could not be put aside (%s)", len(events), type(error).__name__)

    def clear(self) -> None:
        if not self._is_empty:
            self._shelf.put(_SHELF, "{}")
            self._is_empty = True


_LARGEST_EVENT = 4_000_000


class Events:
    """Server-sent events from bytes as they come. One that is too large is passed over; comments are not events."""

    def __init__(self) -> None:
        self._rest = b""
        self._data: list[bytes] = []
        self._held = 0

    def feed(self, more: bytes) -> list[bytes]:
        """The data of the events that are complete now."""
        *lines, self._rest = (self._rest + more).split(b"\n")
        if len(self._rest) > _LARGEST_EVENT:
            self._rest, self._held = b"", _LARGEST_EVENT + 1
        return [each for line in lines if (each := self._line(line.removesuffix(b"\r"))) is not None]

    def _line(self, line: bytes) -> bytes | None:
        if not line:
            data, whole = b"\n".join(self._data), self._held <= _LARGEST_EVENT
            self._data, self._held = [], 0
            return data if data and whole else None
        if line.startswith(b"data:"):
            self._held += len(line)
            if self._held <= _LARGEST_EVENT:
                self._data.append(line[5:].removeprefix(b" "))
        return None
