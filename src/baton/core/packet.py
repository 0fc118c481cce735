"""The handoff document as it is stored, and the draft that waits for a person's yes.

open ──a──▶ confirmed      a  a person said yes, in the transaction that moves the head
  │  ├─b──▶ cancelled      b  a person said no
  │  └─c──▶ stale          c  the head moved first
  └──d──▶ open             d  edited: another packet takes the place of the first
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace

from baton.core.errors import BadTransition, DraftStale

OPEN = "open"
CONFIRMED = "confirmed"
CANCELLED = "cancelled"
STALE = "stale"


@dataclass(frozen=True, slots=True)
class Packet:
    """`markdown` for people, `ledger` (JSON) for programs; `sha256` is of the Markdown."""

    id: str
    session_id: str
    sha256: str
    markdown: str
    ledger: str
    tokens: int
    created_at: int

    def intact(self) -> bool:
        return digest(self.markdown) == self.sha256


@dataclass(frozen=True, slots=True)
class Draft:
    """`version` is the conversation's when the packet was written."""

    id: str
    conversation_id: str
    version: int
    packet_id: str
    state: str
    created_at: int
    updated_at: int


def digest(markdown: str) -> str:
    return hashlib.sha256(markdown.encode()).hexdigest()


def confirm(draft: Draft, version: int, now: int) -> Draft:
    return replace(_current(draft, version, CONFIRMED), state=CONFIRMED, updated_at=now)


def cancel(draft: Draft, now: int) -> Draft:
    _open(draft, CANCELLED)
    return replace(draft, state=CANCELLED, updated_at=now)


def edit(draft: Draft, version: int, packet_id: str, now: int) -> Draft:
    return replace(_current(draft, version, "edited"), packet_id=packet_id, updated_at=now)


def _current(draft: Draft, version: int, verb: str) -> Draft:
    if draft.state == STALE or (draft.state == OPEN and draft.version != version):
        raise DraftStale(draft=draft.id, conversation=draft.conversation_id)
    return _open(draft, verb)


def _open(draft: Draft, verb: str) -> Draft:
    if draft.state != OPEN:
        raise BadTransition(noun="draft", state=draft.state, verb=verb, allowed=OPEN)
    return draft
