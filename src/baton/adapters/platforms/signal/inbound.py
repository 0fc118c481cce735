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

from baton.adapters.platforms.deliver_inbound import deliver_inbound
from baton.adapters.platforms.http_calls import CONNECT
from baton.adapters.platforms.json_fields import Json, parse_json, table, tables, text, whole
from baton.adapters.platforms.signal.outbound import Revisions
from baton.adapters.platforms.signal.place import NAME, person, place
from baton.core.display import one_line
from baton.core.errors import BadCredentials, BadPlace, BatonError
from baton.core.transfer.place import Place
from baton.core.value import replace
from baton.engine.aio import Backoff, in_thread
from baton.ports.platform import File, Inbound, PlatformState, Sink

_log = logging.getLogger("baton.platforms")
_QUIET = 45.0
"""Seconds. The daemon writes every 15 s, so three times as long without a byte is a dead connection."""

_ATTACHMENT = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9_.-]{0,200}")
_ODD = {"sticker": "sticker", "contacts": "contact", "pollCreate": "poll", "payment": "other", "giftBadge": "other"}
_MOST_FILES = 32
_STATE_KEY = "held"
_LARGEST_EVENT = 4_000_000


def translate(event: Json, account: str) -> Inbound | None:
    """What a person said. None for receipts, typing, reactions, stories, calls and what our other devices sent.

    The id is the sender and the time of sending, which is how Signal itself tells messages apart.
    """
    envelope = table(event.get("envelope")) or table(table(event.get("result")).get("envelope"))
    edit = table(envelope.get("editMessage"))
    data, corrected = table((edit or envelope).get("dataMessage")), whole(edit.get("targetSentTimestamp"))
    sender, sent = person(envelope), whole(data.get("timestamp")) or whole(envelope.get("timestamp"))
    if not sender or not sent or _is_ours(envelope, event, account) or _is_no_message(data):
        return None
    where = _place(data, sender)
    if where is None:
        return None
    words, files = _words(data, account), () if edit else _files(data, where)
    odd = "" if words or files or edit else next((kind for field, kind in _ODD.items() if data.get(field)), "")
    if (edit and not corrected) or not (words or files or odd):
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
        odd=odd,
        corrects=f"{sender}/{corrected}" if edit else "",
    )


class Receiver:
    """Listens to the daemon's stream of events."""

    def __init__(self, http: httpx2.AsyncClient, daemon: str, account: str, state: PlatformState) -> None:
        self._http = http
        self._url = f"{daemon}/api/v1/events?account={quote(account, safe='')}"
        self._account = account
        self._undelivered = UndeliveredEvents(state)
        self.revisions = Revisions()

    async def run(self, sink: Sink) -> None:
        """Delivers first what an earlier run could not keep, then what arrives. Reconnects until cancelled."""
        await self._take(sink, await in_thread(self._undelivered.get))
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
            events = EventStream()
            async for piece in stream.aiter_bytes():
                backoff.reset()
                await self._take(sink, events.feed(piece))

    async def _take(self, sink: Sink, events: Sequence[bytes]) -> None:
        """Delivers events in order. If one cannot be kept, or we are cancelled, it and the rest are put aside."""
        for at, event in enumerate(events):
            if (found := self._read(event)) is None:
                continue
            try:
                await deliver_inbound(sink, found, lambda left=events[at:]: in_thread(self._undelivered.put, left))
            except asyncio.CancelledError:
                self._undelivered.put(events[at:])
                raise
        if events:
            await in_thread(self._undelivered.clear)

    def _read(self, event: bytes) -> Inbound | None:
        try:
            found = translate(table(parse_json(event)), self._account)
        except Exception as error:  # noqa: BLE001 - one of the edges: a stranger's event must not end receiving
            _log.warning("signal: an event was skipped: %s", one_line(f"{type(error).__name__}: {error}", 200))
            return None
        return found and replace(found, quotes=self.revisions.receipt(found.quotes))


class UndeliveredEvents:
    """Events that were read and not kept yet, put aside for the next run: the daemon would not send them again."""

    def __init__(self, state: PlatformState) -> None:
        self._state = state
        self._is_empty = False

    def get(self) -> list[bytes]:
        """What an earlier run put aside, in order; it stays there until `clear`."""
        found = table(parse_json(self._state.get(_STATE_KEY) or "")).get("events")
        events = cast("list[object]", found) if isinstance(found, list) else []
        self._is_empty = not events
        return [text(each).encode() for each in events]

    def put(self, events: Sequence[bytes]) -> None:
        """Best effort: if the store is down, this fails too and is only logged."""
        self._is_empty = False
        try:
            self._state.put(_STATE_KEY, json.dumps({"events": [each.decode("utf-8", "replace") for each in events]}))
        except (BatonError, OSError) as error:
            _log.warning("signal: %d messages could not be put aside (%s)", len(events), type(error).__name__)

    def clear(self) -> None:
        if not self._is_empty:
            self._state.put(_STATE_KEY, "{}")
            self._is_empty = True


class EventStream:
    """Cuts the bytes of a server-sent stream into events. An event that is too large is dropped; comments are none."""

    def __init__(self) -> None:
        self._rest = b""
        self._data: list[bytes] = []
        self._size = 0

    def feed(self, more: bytes) -> list[bytes]:
        """The data of the events that are complete now."""
        *lines, self._rest = (self._rest + more).split(b"\n")
        if len(self._rest) > _LARGEST_EVENT:
            self._rest, self._size = b"", _LARGEST_EVENT + 1
        return [each for line in lines if (each := self._line(line.removesuffix(b"\r"))) is not None]

    def _line(self, line: bytes) -> bytes | None:
        if not line:
            data, whole = b"\n".join(self._data), self._size <= _LARGEST_EVENT
            self._data, self._size = [], 0
            return data if data and whole else None
        if line.startswith(b"data:"):
            self._size += len(line)
            if self._size <= _LARGEST_EVENT:
                self._data.append(line[5:].removeprefix(b" "))
        return None


def _is_ours(envelope: Json, event: Json, account: str) -> bool:
    """Sent by this account, or to another account of the same daemon."""
    ours = text(envelope.get("sourceNumber")) == account
    meant = text(event.get("account")) or text(table(event.get("result")).get("account"))
    return ours or (bool(meant) and meant != account)


def _is_no_message(data: Json) -> bool:
    """Reactions, deletions and answers to a story are not messages."""
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
    """The text, with names in place of the app's placeholders for people; a mention of us is removed."""
    units = text(data.get("message")).encode("utf-16-le", "surrogatepass")
    mentions = sorted(tables(data.get("mentions")), key=lambda each: whole(each.get("start")), reverse=True)
    for each in mentions:
        start, end = 2 * whole(each.get("start")), 2 * (whole(each.get("start")) + whole(each.get("length")))
        if start < end <= len(units):
            units = units[:start] + _mention(each, account).encode("utf-16-le") + units[end:]
    return units.decode("utf-16-le", "replace").strip()


def _mention(mention: Json, account: str) -> str:
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
    """The time of the quoted message if it is ours. In a direct chat, what is not theirs is ours."""
    author = text(quote.get("authorUuid")).lower()
    ours = text(quote.get("authorNumber")) == account or (direct and bool(author) and author != sender)
    return str(whole(quote.get("id"))) if ours and whole(quote.get("id")) else ""
