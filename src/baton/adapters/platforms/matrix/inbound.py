"""What an event of a room's timeline says, as what a person said; and the way from `/sync` to the sink.

Everything in an event was written by somebody else. Messages are delivered one after the other, and the position moves
only after the last of them. An encrypted message that arrived before its key waits; people are told once if the key
does not arrive.
"""

from __future__ import annotations

import fcntl
import json
import logging
import os
import re
import time
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from pathlib import Path

from baton.adapters.platforms.deliver_inbound import deliver_inbound
from baton.adapters.platforms.json_fields import Json, parse_json, storable, table, tables, text, whole
from baton.adapters.platforms.locations import describe_location
from baton.adapters.platforms.matrix.encryption import Machine
from baton.adapters.platforms.matrix.outbound import file_reference
from baton.adapters.platforms.matrix.place import NAME, place
from baton.adapters.platforms.matrix.sync import Batch, Sync
from baton.core.display import one_line
from baton.core.errors import BadCredentials, BadPlace, PlatformError, SendLater, SomebodyElse
from baton.core.transfer.place import Place
from baton.core.value import replace, value
from baton.engine.aio import Backoff
from baton.ports.platform import File, Inbound, PlatformState, Sink

_SPEECH = ("m.text", "m.emote")
_KINDS = {"m.room.message": "", "m.sticker": "sticker", "m.poll.start": "poll", "org.matrix.msc3381.poll.start": "poll"}
"""The types of events that people send, and as what they are odd."""
_GEO = re.compile(r"geo:(-?[0-9.]{1,20}),(-?[0-9.]{1,20})")
_FILES = ("m.file", "m.image", "m.audio", "m.video")
_PERSON = re.compile(r"@[^\s\x00-\x1f\x7f]{1,254}")
_EVENT = re.compile(r"[^\s\x00-\x1f\x7f]{1,255}")
_FORWARDED = ("m.forwarded", "org.matrix.msc2723.forwarded")
_FALLBACK = re.compile(r"> (?:\* )?<@[^\n]*\n(?:>[^\n]*\n)*\n?")
_log = logging.getLogger("baton.platforms")
NOTICE = "A message here could not be decrypted, so it was not read. Please send it once more."
_STATE_KEY = "unreadable"
_MOST, _MOST_OF_A_ROOM = 30, 10
_DAY_SECONDS = 86_400.0


def translate(event: Json, room: str, us: str, *, direct: bool, name: str) -> Inbound | None:
    """What a person said. None for notices, which bots send, and for forwards, which are not addressed to us. `quotes`
    names the event that is answered, whoever wrote it. An edit names the event it corrects, which may be anybody's.
    """
    sender, identity, content = text(event.get("sender")), text(event.get("event_id")), table(event.get("content"))
    relation = table(content.get("m.relates_to"))
    if event.get("type") not in _KINDS or "state_key" in event or sender == us:
        return None
    if _PERSON.fullmatch(sender) is None or _EVENT.fullmatch(identity) is None:
        return None
    if any(mark in content for mark in _FORWARDED):
        return None
    shown = one_line(name, 100)
    if relation.get("rel_type") == "m.replace":
        corrects, words = text(relation.get("event_id")), _words(table(content.get("m.new_content")))
        if not words or _EVENT.fullmatch(corrects) is None:
            return None
        return Inbound(identity, place(room), f"{NAME}:{sender}", words, direct, shown, corrects=corrects)
    said, files, quotes = _words(content), _files(content), _quotes(relation)
    odd = _KINDS[text(event.get("type"))]
    if not said and not files and not odd:
        return None
    try:
        where = place(room, text(relation.get("event_id")) if relation.get("rel_type") == "m.thread" else "")
    except BadPlace:
        return None
    said = _FALLBACK.sub("", said, count=1) if quotes and said.startswith("> ") else said
    if odd:
        said, files = "", ()
    return Inbound(identity, where, f"{NAME}:{sender}", said, direct, shown, files, quotes=quotes, odd=odd)


class Receiver:
    """Delivers what `/sync` brings.

    `is_ours` says whether we sent an event; `tell` tells people of a message not decrypted within `patience` seconds.
    """

    def __init__(
        self,
        machine: Machine,
        sync: Sync,
        undecrypted: UndecryptedMessages,
        *,
        is_ours: Callable[[str, str], Awaitable[bool]],
        tell: Callable[[UndecryptedMessage], Awaitable[None]],
        patience: float,
    ) -> None:
        self._machine = machine
        self._sync = sync
        self._undecrypted = undecrypted
        self._is_ours = is_ours
        self._tell = tell
        self._patience = patience
        self._batch: Batch | None = None

    async def run(self, sink: Sink) -> None:
        """Receives until cancelled or `BadCredentials`."""
        backoff = Backoff()
        while True:
            try:
                await self._round(sink)
                backoff.reset()
            except BadCredentials:
                raise
            except Exception as error:  # noqa: BLE001 - an edge: receiving continues, whatever happened
                _log_error("receiving waits", error)
                await backoff.wait(error.after if isinstance(error, SendLater) else 0.0)

    async def _round(self, sink: Sink) -> None:
        batch = self._batch = self._batch or await self._sync.next()
        await self._retry_undecrypted(sink)
        while batch.events:
            try:
                await self._handle(sink, *batch.events[0])
            except PlatformError:
                raise
            except Exception as error:  # noqa: BLE001 - an event is foreign input: one must not stop us
                _log_error("an event was left out", error)
            batch.events.popleft()
        self._sync.commit(batch)
        self._batch = None
        await self._sync.accept_invitations()

    async def _handle(self, sink: Sink, room_id: str, event: Json) -> None:
        opened = self._machine.unseal(event, room_id)
        if opened is not None:
            await self._deliver(sink, room_id, opened)
        elif event.get("sender") != self._machine.user_id:
            await self._wait_for_key(room_id, event)

    async def _wait_for_key(self, room_id: str, event: Json) -> None:
        if not self._undecrypted.add(room_id, event):
            return
        try:
            await self._machine.request_key(event, room_id)
        except PlatformError as error:
            _log_error("a key could not be asked for", error)

    async def _retry_undecrypted(self, sink: Sink) -> None:
        """Delivers what can be decrypted by now, and tells people of what has waited too long."""
        for waiting in self._undecrypted.messages():
            opened = self._machine.unseal(waiting.event, waiting.room)
            if opened is not None:
                await self._deliver(sink, waiting.room, opened)
                self._undecrypted.remove(waiting)
        for waiting in self._undecrypted.take_overdue(self._patience):
            try:
                await self._tell(waiting)
            except PlatformError as error:
                _log_error("nobody could be told of an unreadable message", error)

    async def _deliver(self, sink: Sink, room_id: str, event: Json) -> None:
        if (inbound := self._translate(room_id, event)) is None:
            return
        if inbound.quotes and not await self._is_ours(room_id, inbound.quotes):
            inbound = replace(inbound, quotes="")
        await deliver_inbound(sink, inbound)

    def _translate(self, room_id: str, event: Json) -> Inbound | None:
        room, sender = self._machine.rooms.get(room_id), event.get("sender")
        direct = room is not None and len(room.users) == 2 and sender in room.users
        name = (room.user_name(sender) if room is not None and isinstance(sender, str) else None) or ""
        return translate(event, room_id, self._machine.user_id, direct=direct, name=name)


@contextmanager
def hold_device(home: Path) -> Generator[None]:
    """Raises `SomebodyElse` while another process reads with the same device: each would use up the other's keys."""
    flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
    with os.fdopen(os.open(home / "receiver.lock", flags, 0o600), "r+b") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise SomebodyElse(platform=NAME, reason="another process has the same device") from None
        yield


class UndecryptedMessages:
    """Kept in the platform's state, so that a message that was acknowledged is not forgotten."""

    def __init__(self, state: PlatformState, now: Callable[[], float] = time.time) -> None:
        self._state = state
        self._now = now
        kept = tables(parse_json(state.get(_STATE_KEY) or "[]"))
        self._waiting = [_read_waiting(each) for each in kept if text(each.get("room"))]

    def add(self, room: str, event: Json) -> bool:
        """False if it waits already, or if too many do: the first ones stay."""
        self._waiting = [each for each in self._waiting if self._now() - each.since < _DAY_SECONDS]
        ids = [each.event.get("event_id") for each in self._waiting]
        of_the_room = [each for each in self._waiting if each.room == room]
        if event.get("event_id") in ids or len(ids) >= _MOST or len(of_the_room) >= _MOST_OF_A_ROOM:
            return False
        self._keep([*self._waiting, UndecryptedMessage(room, event, self._now(), told=False)])
        return True

    def messages(self) -> list[UndecryptedMessage]:
        return list(self._waiting)

    def remove(self, read: UndecryptedMessage) -> None:
        self._keep([each for each in self._waiting if each is not read])

    def take_overdue(self, after: float) -> list[UndecryptedMessage]:
        """Those that have waited too long and were not reported yet: one for each place, with all of them marked."""
        late = [each for each in self._waiting if not each.told and self._now() - each.since >= after]
        if late:
            marked = [
                UndecryptedMessage(each.room, each.event, each.since, each.told or each in late)
                for each in self._waiting
            ]
            self._keep(marked)
        return list({each.place: each for each in late}.values())

    def _keep(self, waiting: list[UndecryptedMessage]) -> None:
        self._waiting = waiting
        kept = [
            {"room": each.room, "event": each.event, "since": each.since, "told": each.told} for each in self._waiting
        ]
        self._state.put(_STATE_KEY, json.dumps(kept))


@value
class UndecryptedMessage:
    """An encrypted event that waits for its key; `told` once people know of it."""

    room: str
    event: Json
    since: float
    told: bool

    @property
    def place(self) -> Place:
        """Where it was said: the relation to a thread is not encrypted."""
        relation = table(table(self.event.get("content")).get("m.relates_to"))
        try:
            return place(self.room, text(relation.get("event_id")) if relation.get("rel_type") == "m.thread" else "")
        except BadPlace:
            return place(self.room)


def _words(content: Json) -> str:
    """The words. A file's body is its caption only if the name is given separately."""
    kind, body = content.get("msgtype"), storable(text(content.get("body")))
    if kind in _FILES:
        name = storable(text(content.get("filename")))
        return body if name and body != name else ""
    if kind == "m.location" and (found := _GEO.match(text(content.get("geo_uri")))):
        return describe_location(found[1], found[2], body)
    return body if kind in _SPEECH else ""


def _files(content: Json) -> tuple[File, ...]:
    ref = file_reference(content) if content.get("msgtype") in _FILES else ""
    if not ref:
        return ()
    info = table(content.get("info"))
    name = one_line(text(content.get("filename")) or text(content.get("body")), 200)
    media_type = one_line(text(info.get("mimetype")), 100)
    return (File(ref, name.replace("\\", "/").rpartition("/")[2] or "file", media_type, whole(info.get("size"))),)


def _quotes(relation: Json) -> str:
    """The answered event. In a thread, the fallback for old clients names one that was not answered."""
    if relation.get("rel_type") == "m.thread" and relation.get("is_falling_back") is True:
        return ""
    answered = text(table(relation.get("m.in_reply_to")).get("event_id"))
    return answered if _EVENT.fullmatch(answered) else ""


def _log_error(what: str, error: Exception) -> None:
    _log.warning("matrix: %s: %s", what, one_line(f"{type(error).__name__}: {error}", 200))


def _read_waiting(kept: Json) -> UndecryptedMessage:
    since, told = _number(kept.get("since")), kept.get("told") is True
    return UndecryptedMessage(text(kept.get("room")), table(kept.get("event")), since, told)


def _number(given: object) -> float:
    return float(given) if isinstance(given, int | float) else 0.0
