"""The sessions of a damaged database, with what is missing filled in from indexes and relatives."""

from __future__ import annotations

import calendar
import time
from dataclasses import dataclass
from typing import Any

from baton.adapters.stores.sqlite.recovery.fields import CHECKS, Facts
from baton.adapters.stores.sqlite.recovery.salvage import Found
from baton.adapters.stores.sqlite.recovery.transcript import Transcripts
from baton.core.ids import new_id, unused_session_id
from baton.core.log import session as sessions
from baton.core.log.session import Session
from baton.core.value import replace

_FIELDS = [name for name in CHECKS["session"] if name != "n"]
_SMALLEST_ENTRY = 20


@dataclass
class Piece:
    """One session; `number` says which entries are its own. Of an `orphan` only entries were left."""

    number: int
    session: Session
    whole: bool
    orphan: bool = False

    def with_session(self, session: Session) -> Piece:
        return Piece(self.number, session, self.whole, self.orphan)


class Lineage:
    """Every session that exists, or of which something is left, by id; `lost` are ids of which nothing else is left."""

    def __init__(self, found: Found, transcripts: Transcripts, now: int) -> None:
        self._found = found
        self._transcripts = transcripts
        self._now = now
        self._continued: set[str] = set()
        self.pieces: dict[str, Piece] = {}
        self.lost: list[str] = []
        for number in sorted({*found.keys("session"), *transcripts.numbers()}):
            self._gather(number)
        for piece in list(self.pieces.values()):
            self._connect(piece)

    def placeholder(self, conversation_id: str, facts: Facts) -> Piece:
        """For a conversation of which no session is left."""
        wanted = facts.get("head_id")
        session_id = wanted if wanted and wanted not in self.pieces else self._unused_id(self._now)
        return _empty_piece(sessions.begin(session_id, conversation_id, "", facts.get("created_at", self._now)))

    def _connect(self, piece: Piece) -> None:
        """What is continued is in the same conversation, even if nothing but its id is left."""
        session = piece.session
        if session.edge not in sessions.CONTINUATIONS:
            return
        if session.parent_id is None:
            piece.session = replace(session, edge=sessions.IMPORT)
        elif session.parent_id not in self.pieces:
            lost = sessions.begin(session.parent_id, session.conversation_id, "", _start_time(session.parent_id))
            self.pieces[lost.id] = _empty_piece(replace(lost, root_id=session.root_id, depth=max(0, session.depth - 1)))
        elif self.pieces[session.parent_id].session.conversation_id != session.conversation_id:
            piece.session = replace(session, edge=sessions.FORK, parent_seq=session.parent_seq or 0)

    def _gather(self, number: int) -> None:
        facts, length = self._found.facts("session", number), self._transcripts.last(number)
        if "id" not in facts and length:
            facts |= self._identify(number)
        if "id" not in facts or facts["id"] in self.pieces:
            if length:
                self._adopt(number)
            return
        home = facts.get("conversation_id") or self._conversation_of(facts)
        if home or length:
            session = self._session(number, {**facts, "conversation_id": home or new_id("conversation")})
            self.pieces[session.id] = Piece(number, session, self._found.whole("session", number))
        else:
            self.lost.append(f"session {facts['id']}")

    def _identify(self, number: int) -> Facts:
        """The id of a session whose row is lost, if its entries fit their checksums under an id that others name."""
        sample = self._transcripts.sample(number)
        for candidate in self._named_ids() - self.pieces.keys() if sample else ():
            if any(each._replace(session_id=candidate).intact() for each in sample):
                return {"id": candidate}
        return {}

    def _named_ids(self) -> set[str]:
        rows = self._found.rows
        names = {row.get("head_id") for row in rows["conversation"].values()}
        names |= {row.get(relative) for row in rows["session"].values() for relative in ("parent_id", "root_id")}
        names |= {row.get("session_id") for row in rows["packet"].values()}
        return {name for name in names if name}

    def _session(self, number: int, facts: Facts) -> Session:
        known: dict[str, Any] = {name: facts[name] for name in _FIELDS if name in facts}
        parent = self.pieces.get(known.get("parent_id") or "")
        guess = sessions.begin(
            known["id"],
            known["conversation_id"],
            "",
            _start_time(known["id"]),
            parent=parent.session if parent else None,
            parent_seq=parent.session.entries if parent else None,
            edge=_edge(facts, parent),
        )
        made = replace(guess, **known)
        length = self._length(number, made.entries if self._found.whole("session", number) else 0)
        return self._one_continuation(replace(made, entries=length, **_end(made, facts)))

    def _conversation_of(self, facts: Facts) -> str:
        """That of which it is the head, or that of its continuation, or of what it continues, or an empty string."""
        for key, row in self._found.rows["conversation"].items():
            if row.get("head_id") == facts["id"]:
                return key
        for row in self._found.rows["session"].values():
            if row.get("parent_id") == facts["id"] and row.get("edge") in sessions.CONTINUATIONS:
                return row.get("conversation_id", "")
        parent = self.pieces.get(facts.get("parent_id") or "")
        return parent.session.conversation_id if parent and _continues(facts) else ""

    def _length(self, number: int, counted: int) -> int:
        """How many entries it had: what a whole row says, unless the file has no room for so many."""
        last = self._transcripts.last(number)
        return counted if last < counted <= last + self._found.room // _SMALLEST_ENTRY else last

    def _one_continuation(self, session: Session) -> Session:
        """A session has one continuation; what claims to be another becomes a fork."""
        parent_id = session.parent_id
        if session.edge in sessions.CONTINUATIONS and parent_id is not None:
            if parent_id in self._continued:
                return replace(session, edge=sessions.FORK, parent_seq=session.parent_seq or 0)
            self._continued.add(parent_id)
        return session

    def _adopt(self, number: int) -> None:
        sample = self._transcripts.sample(number)
        started = sample[0].at if sample else self._now
        session_id = self._unused_id(started)
        session = sessions.begin(session_id, new_id("conversation"), "", started)
        length = self._transcripts.last(number) + 1
        self.pieces[session_id] = Piece(number, replace(session, entries=length), whole=False, orphan=True)

    def _unused_id(self, at: int) -> str:
        taken = self._named_ids() | self.pieces.keys()
        return unused_session_id(at, taken.__contains__)


def _empty_piece(session: Session) -> Piece:
    """A session of which nothing is left: empty but for a note."""
    return Piece(0, replace(session, entries=1), whole=False)


def _continues(facts: Facts) -> bool:
    return facts.get("edge") in sessions.CONTINUATIONS or "session_continuation" in facts


def _edge(facts: Facts, parent: Piece | None) -> str:
    if "session_continuation" in facts:
        compressed = parent and parent.session.end_reason == sessions.COMPRESSION
        return sessions.COMPRESSION if compressed else sessions.HANDOFF
    return sessions.FORK if facts.get("parent_id") else sessions.ROOT


def _end(session: Session, facts: Facts) -> dict[str, Any]:
    """Whether it ended and why, which belong together; if the row does not tell, the index of live sessions does."""
    if {"ended_at", "end_reason"} <= facts.keys() and (session.ended_at is None) == (session.end_reason is None):
        return {}
    if "session_live" in facts:
        return {"ended_at": None, "end_reason": None}
    return {
        "ended_at": session.started_at if session.ended_at is None else session.ended_at,
        "end_reason": session.end_reason or sessions.HANDOFF,
    }


def _start_time(session_id: str) -> int:
    """A session id begins with the time, unless it is of a time that never was."""
    try:
        return calendar.timegm(time.strptime(session_id[:15], "%Y%m%d_%H%M%S")) * 1_000_000
    except (ValueError, OverflowError):
        return 0
