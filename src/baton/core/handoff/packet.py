"""The handoff document as it is stored, and the draft that waits for your yes.

open ──a──▶ confirmed      a  you said yes, in the transaction that moves the head
  │  ├─b──▶ cancelled      b  you said no
  │  └─c──▶ stale          c  the head moved first
  └──d──▶ open             d  edited: another packet takes the place of the first
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from baton.core.errors import BadInput, BadTransition, DraftStale
from baton.core.ids import new_id
from baton.core.log.conversation import Conversation
from baton.core.log.entry import BODY_LIMIT, encode_body
from baton.core.text import MOST, check_text
from baton.core.value import replace, value

OPEN = "open"
CONFIRMED = "confirmed"
CANCELLED = "cancelled"
STALE = "stale"
STATES = (OPEN, CONFIRMED, CANCELLED, STALE)


@value
class Packet:
    """`markdown` for people, `ledger` (JSON) for programs; `sha256` is of both."""

    id: str
    session_id: str
    sha256: str
    markdown: str
    ledger: str
    tokens: int
    created_at: int

    def intact(self) -> bool:
        """An older packet's digest is of the Markdown alone."""
        return self.sha256 in (digest(self.markdown, self.ledger), digest(self.markdown))


@value
class Draft:
    """`version` is the conversation's when the packet was written."""

    id: str
    conversation_id: str
    version: int
    packet_id: str
    state: str
    created_at: int
    updated_at: int


def digest(markdown: str, ledger: str | None = None) -> str:
    """Of both, separated by a character that neither can hold."""
    import hashlib

    told = markdown if ledger is None else f"{markdown}\0{ledger}"
    return hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()


def write(session_id: str, markdown: str, ledger: Mapping[str, Any], tokens: int, now: int) -> Packet:
    check_text("packet", markdown, BODY_LIMIT)
    if not 0 <= tokens < MOST:
        raise BadInput(reason=f"A packet cannot have {tokens} tokens.")
    body = encode_body(ledger)
    return Packet(new_id("packet"), session_id, digest(markdown, body), markdown, body, tokens, now)


def check_written_for(packet: Packet, written_for: str, conversation_id: str) -> None:
    """`BadInput` unless the conversation of the packet's session is this one."""
    if written_for != conversation_id:
        raise BadInput(reason=f"Packet {packet.id} was not written for conversation {conversation_id}.")


def open_draft(conversation: Conversation, version: int, packet_id: str, now: int) -> Draft:
    """`DraftStale` if the head has moved since `version`."""
    draft = Draft(new_id("draft"), conversation.id, version, packet_id, OPEN, now, now)
    return _current(draft, conversation.version, OPEN)


def check_of(draft: Draft, conversation_id: str) -> None:
    """`BadInput` unless the draft is one of this conversation."""
    if draft.conversation_id != conversation_id:
        raise BadInput(reason=f"Draft {draft.id} was not written for conversation {conversation_id}.")


def confirm(draft: Draft, conversation: Conversation, now: int) -> Draft:
    """Arrow a; only the head of the draft's own conversation moves with it."""
    check_of(draft, conversation.id)
    return replace(_current(draft, conversation.version, CONFIRMED), state=CONFIRMED, updated_at=now)


def outrun(draft: Draft, now: int) -> Draft:
    """Arrow c."""
    return replace(_open(draft, STALE), state=STALE, updated_at=now)


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
