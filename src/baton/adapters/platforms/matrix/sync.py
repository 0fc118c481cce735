"""Reading `/sync`: one answer after the other, each complete, including what its timelines left out."""

from __future__ import annotations

import json
import logging
from collections import deque
from collections.abc import Sequence

from baton.adapters.platforms.json_fields import Json, table, tables, text
from baton.adapters.platforms.matrix.api import Api, path, send_later
from baton.adapters.platforms.matrix.encryption import Machine
from baton.core.display import one_line
from baton.core.errors import BadCredentials, PlatformError, SendLater, SendRefused
from baton.ports.platform import PlatformState

_log = logging.getLogger("baton.platforms")
_POLL_MS = 20_000
_PAGE, _PAGES = 100, 50
_MOST_ROOMS = 1_000
_NOTHING: dict[str, list[str]] = {"types": []}


class Batch:
    """The events of one answer that were not delivered yet, and the position after them."""

    def __init__(self, events: Sequence[tuple[str, Json]], then: str) -> None:
        self.events = deque(events)
        self.then = then


class Sync:
    """The position is in the platform's state and moves only with `commit`."""

    def __init__(self, api: Api, machine: Machine, state: PlatformState) -> None:
        self._api = api
        self._machine = machine
        self._state = state
        self._key = f"since {machine.user_id}"
        self._taken: tuple[str, Json] | None = None

    async def begin(self) -> None:
        """Learns which rooms we are in. The very first time, everything said before is skipped."""
        since = self._state.get(self._key) or ""
        try:
            await self._fetch(since, full=True)
        except SendRefused as error:
            if not since:
                raise
            _log.warning("matrix: the server does not know how far we had read, so we begin anew: %s", error)
            since = ""
            await self._fetch("", full=True)
        await self._exchange_keys()
        if not since and self._taken is not None:
            if await self.accept_invitations():
                await self._fetch(text(self._taken[1].get("next_batch")))
            self.commit(Batch((), text(self._taken[1].get("next_batch"))))

    async def next(self) -> Batch:
        """Waits for the next answer."""
        if self._taken is None:
            await self._fetch(self._state.get(self._key) or "", wait=True)
        since, answer = self._taken or ("", {})
        events: list[tuple[str, Json]] = []
        for room_id, joined in table(table(answer.get("rooms")).get("join")).items():
            timeline = table(table(joined).get("timeline"))
            told = list(tables(timeline.get("events")))
            if timeline.get("limited") is True and since:
                told = [*await self._read_gap(room_id, text(timeline.get("prev_batch")), since), *told]
            events += [(room_id, each) for each in _since_our_arrival(told, self._machine.user_id)]
        return Batch(events, text(answer.get("next_batch")))

    def commit(self, batch: Batch) -> None:
        """Everything in the batch is kept: the position moves behind it."""
        self._state.put(self._key, batch.then)
        self._taken = None

    async def accept_invitations(self) -> bool:
        """Accepts every invitation: strangers are told apart later, and their words go no further. Whether any was."""
        joined = False
        for room_id in list(self._machine.invited_rooms):
            if len(self._machine.rooms) >= _MOST_ROOMS:
                _log.warning("matrix: an invitation was left unanswered: we are in %d rooms", _MOST_ROOMS)
                return joined
            try:
                await self._api.tell("POST", path("join", room_id), {})
                joined = True
            except SendLater:
                continue
            except PlatformError as error:
                _log.warning("matrix: a room that invited us cannot be joined: %s", error)
            self._machine.invited_rooms.pop(room_id, None)
        return joined

    async def _fetch(self, since: str, *, full: bool = False, wait: bool = False) -> None:
        query = {"filter": _filter(first=not since), "set_presence": "offline"}
        query |= {"since": since} if since else {}
        query |= {"timeout": str(_POLL_MS)} if wait else {"timeout": "0"}
        query |= {"full_state": "true"} if full else {}
        answer = await self._api.ask(path("sync"), query)
        if not text(answer.get("next_batch")) or await self._machine.receive_sync(answer) is None:
            raise send_later("the server's answer has not the form of one", 5.0)
        self._taken = (since, answer)
        if not full:
            await self._exchange_keys()

    async def _exchange_keys(self) -> None:
        """A failure is retried after the next answer, and when a message needs the keys."""
        try:
            await self._machine.exchange_keys()
        except BadCredentials:
            raise
        except Exception as error:  # noqa: BLE001 - the keys are foreign input: reading continues
            _log.warning("matrix: keys could not be exchanged: %s", one_line(f"{type(error).__name__}: {error}", 200))

    async def _read_gap(self, room_id: str, before: str, since: str) -> list[Json]:
        """What was said between two answers and is in neither of them."""
        found: list[Json] = []
        for _ in range(_PAGES):
            query = {"dir": "b", "from": before, "to": since, "limit": str(_PAGE)}
            try:
                page = await self._api.ask(path("rooms", room_id, "messages"), query)
            except SendRefused as error:
                _log.warning("matrix: the history of a room cannot be read: %s", error)
                break
            chunk, before = list(tables(page.get("chunk"))), text(page.get("end"))
            found += chunk
            if not chunk or not before:
                break
        else:
            _log.warning(
                "matrix: more than %d messages arrived while we were away; the oldest were not read", len(found)
            )
        return found[::-1]


def _since_our_arrival(events: list[Json], us: str) -> list[Json]:
    """The events without those before we were invited into the room."""
    start = 0
    for position, event in enumerate(events):
        if event.get("type") == "m.room.member" and event.get("state_key") == us:
            now = _membership(event.get("content"))
            before = _membership(table(event.get("unsigned")).get("prev_content"))
            if now == "invite" or (now == "join" and before not in ("join", "invite")):
                start = position
    return events[start:]


def _membership(content: object) -> str:
    return text(table(content).get("membership"))


def _filter(*, first: bool) -> str:
    timeline = {"limit": 1 if first else 50}
    room = {"timeline": timeline, "ephemeral": _NOTHING, "account_data": _NOTHING}
    return json.dumps({"room": room, "presence": _NOTHING, "account_data": _NOTHING})
