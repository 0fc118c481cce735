"""One conversation whole, as it is exported, imported and checked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from baton.core.errors import BadInput
from baton.core.handoff.packet import Draft, Packet
from baton.core.ids import check_id, check_session_id
from baton.core.log.conversation import Conversation
from baton.core.log.entry import BODY_LIMIT, Entry, check_entry
from baton.core.log.session import CONTINUATIONS, Session, lineage
from baton.core.text import MOST, check_text
from baton.core.transfer.place import Binding, parse_place
from baton.core.transfer.transfer import ACTIVE, Transfer
from baton.core.value import asdict, replace, value

COUNTS = ("parent_seq", "depth", "entries", "attempts", "cancel_asked")
COUNT_LIMIT = 2**31


@value
class Bundle:
    """One conversation whole, as it is exported and imported; `entries` may be read once.

    Transfers under way and the owner's lease are not part of it. Bindings are, but a place that is bound already
    stays where it is, and they do not count when two bundles are compared.
    """

    conversation: Conversation
    sessions: tuple[Session, ...]
    packets: tuple[Packet, ...]
    drafts: tuple[Draft, ...]
    transfers: tuple[Transfer, ...]
    bindings: tuple[Binding, ...]
    entries: Iterable[Entry]


def pack(
    conversation: Conversation,
    sessions: Iterable[Session],
    packets: Iterable[Packet],
    drafts: Iterable[Draft],
    transfers: Iterable[Transfer],
    bindings: Iterable[Binding],
    entries: Iterable[Entry],
) -> Bundle:
    """The parts of a conversation without what concerns this store alone: another store must not continue that."""
    return Bundle(
        conversation=replace(conversation, owner=None, lease_until=0),
        sessions=tuple(sessions),
        packets=tuple(packets),
        drafts=tuple(drafts),
        transfers=tuple(transfer for transfer in transfers if transfer.state not in ACTIVE),
        bindings=tuple(bindings),
        entries=entries,
    )


def check(bundle: Bundle) -> None:
    """`BadInput` unless everything but the entries can be stored and fits together."""
    check_id("conversation", bundle.conversation.id)
    for session in bundle.sessions:
        check_session_id(session.id)
    for noun, values in (("packet", bundle.packets), ("draft", bundle.drafts), ("transfer", bundle.transfers)):
        for each in values:
            check_id(noun, each.id)
    for binding in bundle.bindings:
        parse_place(binding.place)
    for part in (bundle.conversation, *bundle.sessions, *_belongings(bundle)):
        _check_fields(asdict(part))
    if reason := flaw(bundle):
        raise BadInput(reason=f"Conversation {bundle.conversation.id} does not fit together: {reason}.")


def checked_entries(bundle: Bundle) -> Iterator[Entry]:
    """The entries, each checked; `BadInput` if one is foreign, changed or missing."""
    seen = dict.fromkeys((session.id for session in bundle.sessions), 0)
    for entry in bundle.entries:
        if entry.session_id not in seen:
            raise BadInput(reason=f"An entry belongs to session {entry.session_id}, which is not in the file.")
        seen[entry.session_id] += 1
        if entry.seq != seen[entry.session_id]:
            raise BadInput(reason=f"Entry {seen[entry.session_id]} of session {entry.session_id} is missing.")
        check_entry(entry)
        yield entry
    for session in bundle.sessions:
        if seen[session.id] != session.entries:
            raise BadInput(reason=f"Session {session.id} has {seen[session.id]} of its {session.entries} entries.")


def is_same(mine: Bundle, theirs: Bundle) -> bool:
    """Equal content. Who owns it and where it is bound may differ between stores."""

    def content(bundle: Bundle) -> Bundle:
        return replace(bundle, conversation=replace(bundle.conversation, epoch=0), bindings=(), entries=())

    if content(mine) != content(theirs):
        return False
    others = iter(theirs.entries)
    return all(entry == next(others, None) for entry in mine.entries) and next(others, None) is None


def flaw(bundle: Bundle) -> str:
    """What does not fit together, apart from the entries, or an empty string."""
    return next(_flaws(bundle), "")


def describe_missing(bundle: Bundle) -> str:
    """How many of the entries are not there, or an empty string. Reads them."""
    counted = sum(1 for _ in bundle.entries)
    expected = sum(session.entries for session in bundle.sessions)
    return "" if counted == expected else f"{expected - counted} of its {expected} entries are missing"


def _flaws(bundle: Bundle) -> Iterator[str]:
    conversation = bundle.conversation
    live = [session.id for session in bundle.sessions if session.live]
    if live != [conversation.head_id]:
        yield f"its head is {conversation.head_id}, but the live sessions are {', '.join(live) or 'none'}"
    elif not lineage(conversation.head_id, bundle.sessions):
        yield f"the lineage of session {conversation.head_id} is a loop"
    yield from _broken_lineage(bundle.sessions)
    for packet in bundle.packets:
        if not packet.intact():
            yield f"packet {packet.id} does not fit its digest"
    for each in (*bundle.sessions, *bundle.drafts, *bundle.transfers, *bundle.bindings):
        if each.conversation_id != conversation.id:
            yield f"a part of it belongs to conversation {each.conversation_id}"
    for transfer in bundle.transfers:
        if transfer.state in ACTIVE:
            yield f"transfer {transfer.id} is still {transfer.state}"
    yield from _loose_ends(bundle)


def _broken_lineage(sessions: tuple[Session, ...]) -> Iterator[str]:
    """A session ends for a reason, is one deeper than its parent, and is continued at most once, where it is."""
    known = {session.id: session for session in sessions}
    continued: set[str | None] = set()
    if len(known) != len(sessions):
        yield "a session is in it twice"
    for session in sessions:
        if session.live != (session.end_reason is None):
            yield f"session {session.id} ended without a reason, or has a reason without an end"
        if session.parent_id in known and session.depth != known[session.parent_id].depth + 1:
            yield f"session {session.id} is not one deeper than its parent"
        if session.edge in CONTINUATIONS:
            if session.parent_id not in known:
                yield f"session {session.id} continues {session.parent_id}, which is not in it"
            if session.parent_id in continued:
                yield f"session {session.parent_id} is continued twice"
            continued.add(session.parent_id)


def _loose_ends(bundle: Bundle) -> Iterator[str]:
    sessions = {session.id for session in bundle.sessions}
    packets = {packet.id for packet in bundle.packets}
    for noun, values in (("packet", bundle.packets), ("draft", bundle.drafts), ("transfer", bundle.transfers)):
        for twice in _find_repeated(each.id for each in values):
            yield f"{noun} {twice} is in it twice"
    for packet in bundle.packets:
        if packet.session_id not in sessions:
            yield f"packet {packet.id} is of session {packet.session_id}, which is not in it"
    for draft in bundle.drafts:
        if draft.packet_id not in packets:
            yield f"draft {draft.id} is of packet {draft.packet_id}, which is not in it"


def _find_repeated(ids: Iterable[str]) -> Iterator[str]:
    seen: set[str] = set()
    for each in ids:
        if each in seen:
            yield each
        seen.add(each)


def _belongings(bundle: Bundle) -> tuple[Packet | Draft | Transfer | Binding, ...]:
    return (*bundle.packets, *bundle.drafts, *bundle.transfers, *bundle.bindings)


def _check_fields(fields: dict[str, Any]) -> None:
    for name, held in fields.items():
        if isinstance(held, str):
            check_text(name, held, BODY_LIMIT)
        elif isinstance(held, int) and not 0 <= held < limit(name):
            raise BadInput(reason=f"{name} is out of range: {held}.")


def limit(name: str) -> int:
    """What a number must stay below to fit into every database."""
    return COUNT_LIMIT if name in COUNTS else MOST
