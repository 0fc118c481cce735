"""Conversations put together again from what a damaged database still tells.

A row that is whole is taken as it is. Of a damaged one the true fields are kept; the others come from its indexes and
relatives, or are plain. Entries whose session nobody names become a conversation of their own. Everything that comes
out of here can be inserted: one live session that is the head, one continuation per session, no gaps.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from baton.adapters.stores.sqlite.recovery.belongings import NOBODY, Belongings
from baton.adapters.stores.sqlite.recovery.fields import Facts
from baton.adapters.stores.sqlite.recovery.lineage import Lineage, Piece
from baton.adapters.stores.sqlite.recovery.salvage import Found
from baton.adapters.stores.sqlite.recovery.transcript import Count, Transcripts
from baton.core.errors import BadTitle
from baton.core.log import session as sessions
from baton.core.log.bundle import Bundle
from baton.core.log.conversation import Conversation
from baton.core.log.entry import Entry
from baton.core.log.session import Session
from baton.core.text import TITLE_LIMIT, check_title
from baton.core.transfer.mail import Mail
from baton.core.transfer.record import Record
from baton.core.transfer.transfer import ACTIVE, Transfer
from baton.core.value import replace


@dataclass
class Return:
    """One conversation coming back. What was lost of it is known once its entries were read.

    A transfer under way cannot be in a bundle; it continues in this store, so it is `active` here.
    """

    bundle: Bundle
    active: list[Transfer]
    rebuilt: bool
    count: Count
    lost: list[str] = field(default_factory=list[str])

    @property
    def whole(self) -> bool:
        return not (self.rebuilt or self.lost or self.count.lost)


class Rebuild:
    def __init__(self, found: Found, now: int) -> None:
        self._found = found
        self._transcripts = Transcripts(found)
        self._lineage = Lineage(found, self._transcripts, now)
        homes = {key: piece.session.conversation_id for key, piece in self._lineage.pieces.items()}
        self._belongings = Belongings(found, homes, now)
        self._families: dict[str, list[Piece]] = defaultdict(list)
        for piece in self._lineage.pieces.values():
            self._families[piece.session.conversation_id].append(piece)

    @property
    def mail(self) -> list[Mail]:
        """In the order in which it came."""
        return self._belongings.mail

    @property
    def records(self) -> list[Record]:
        return self._belongings.records

    @property
    def unplaced(self) -> list[str]:
        """Rows that cannot be read, or belong to nothing that is left."""
        return self._lineage.lost + self._belongings.lost[NOBODY]

    def settings(self) -> dict[str, str]:
        rows = self._found.rows["meta"]
        return {key: rows[key]["value"] for key in rows if self._found.whole("meta", key)}

    def conversations(self) -> list[Return]:
        """Least recently used first."""
        made = [self._return(key) for key in {*self._families, *self._found.keys("conversation")}]
        return sorted(made, key=lambda each: (each.bundle.conversation.updated_at, each.bundle.conversation.id))

    def simpler(self, each: Return) -> Return:
        """The same conversation without what may contradict itself: how its sessions follow one another, and drafts."""
        made = self._return(each.bundle.conversation.id)
        plain = {"parent_id": None, "parent_seq": None, "edge": sessions.IMPORT, "depth": 0}
        flat = tuple(replace(session, root_id=session.id, **plain) for session in made.bundle.sessions)
        made.lost += ["how its sessions follow one another", *(f"draft {draft.id}" for draft in made.bundle.drafts)]
        made.bundle = replace(made.bundle, sessions=flat, drafts=())
        return made

    def _return(self, key: str) -> Return:
        facts = self._found.facts("conversation", key)
        pieces = sorted(self._families[key], key=lambda piece: (piece.session.depth, piece.number))
        pieces = pieces or [self._lineage.placeholder(key, facts)]
        head = _head(pieces, facts)
        pieces = [each.with_session(_set_live(each.session, live=each is head)) for each in pieces]
        count, own = Count(), self._belongings
        bundle = Bundle(
            conversation=_conversation(key, facts, pieces, head.session.id),
            sessions=tuple(piece.session for piece in pieces),
            packets=tuple(own.packets[key]),
            drafts=tuple(own.drafts[key]),
            transfers=tuple(each for each in own.transfers[key] if each.state not in ACTIVE),
            bindings=tuple(own.bindings[key]),
            entries=self._entries(pieces, count),
        )
        active = [each for each in own.transfers[key] if each.state in ACTIVE]
        lost = [_unknown(piece) for piece in pieces if not piece.whole and not piece.orphan]
        return Return(bundle, active, not self._found.whole("conversation", key), count, lost + own.lost[key])

    def _entries(self, pieces: Iterable[Piece], count: Count) -> Iterator[Entry]:
        for piece in pieces:
            read = self._transcripts.of_nobody if piece.orphan else self._transcripts.of
            yield from read(piece.number, piece.session, count)


def _unknown(piece: Piece) -> str:
    session = piece.session
    if not piece.number:
        return f"session {session.id} with everything in it"
    return f"the row of session {session.id}, and with it any entries after {session.entries}"


def _head(pieces: list[Piece], facts: Facts) -> Piece:
    """What the conversation says, or the live session, or the deepest."""

    def rank(piece: Piece) -> tuple[bool, bool, int, int]:
        session = piece.session
        return session.id == facts.get("head_id"), session.live, session.depth, piece.number

    return max(pieces, key=rank)


def _set_live(session: Session, *, live: bool) -> Session:
    if live:
        return replace(session, ended_at=None, end_reason=None)
    if session.live:
        return replace(session, ended_at=session.started_at, end_reason=sessions.HANDOFF)
    return session


def _conversation(key: str, facts: Facts, pieces: list[Piece], head_id: str) -> Conversation:
    starts = [piece.session.started_at for piece in pieces]
    return Conversation(
        id=key,
        title=facts.get("title") or _title(facts.get("title_key", ""), min(starts)),
        workspace=facts.get("workspace", ""),
        head_id=head_id,
        version=facts.get("version", len(pieces)),
        created_at=facts.get("created_at", min(starts)),
        updated_at=facts.get("updated_at", max(starts)),
        epoch=facts.get("epoch", 0),
    )


def _title(known: str, started: int) -> str:
    day = time.strftime("%Y-%m-%d %H:%M", time.gmtime(started / 1e6))
    try:
        return check_title(f"Recovered {known or day}"[:TITLE_LIMIT])
    except BadTitle:
        return f"Recovered {day}"
