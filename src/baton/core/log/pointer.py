"""Pointers into the record of a conversation: `g4#23` is entry 23 of the fourth session of its lineage.

Sessions are counted from the root, g1, to the head; `#23` alone is entry 23 of the head. Packets show pointers, the
tool `recall` and `baton sessions show` follow them. A session keeps its number for ever, because a lineage only grows
at its end.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from baton.core.display import one_line
from baton.core.errors import BadInput
from baton.core.log.session import Session

_POINTER = re.compile(r"(?:g([0-9]{1,6}))?#([0-9]{1,9})", re.ASCII)
_NO_POINTER = "{given} is no pointer. Allowed: #23 for entry 23 of the newest session, g4#23 for that of the fourth."
_NO_SESSION = "There is no session g{generation}: this conversation has {sessions}."
_NO_ENTRY = "There is no entry {pointer}: session g{generation} has {entries}."


def pointer(chain: Sequence[str], at: str) -> str:
    """`g4#23` for an entry given as `session/seq`; empty if its session is not in the lineage `chain`."""
    session_id, _, seq = at.rpartition("/")
    return f"g{chain.index(session_id) + 1}#{seq}" if session_id in chain else ""


def resolve(chain: Sequence[str], text: str) -> tuple[str, int]:
    """The session and seq that a pointer names; `BadInput` if it is none, or names a session that does not exist."""
    match = _POINTER.fullmatch(text.strip())
    if match is None:
        raise BadInput(reason=_NO_POINTER.format(given=repr(one_line(text, 40))))
    generation = int(match[1]) if match[1] else len(chain)
    if not 1 <= generation <= len(chain):
        raise BadInput(reason=_NO_SESSION.format(generation=generation, sessions=_span("g", len(chain))))
    return chain[generation - 1], int(match[2])


def resolve_entry(chain: Sequence[Session], text: str) -> tuple[Session, int]:
    """As `resolve`, for an entry that exists. Of a session that the conversation was forked from, only what came
    before the fork does.
    """
    session_id, seq = resolve([session.id for session in chain], text)
    place = next(index for index, session in enumerate(chain) if session.id == session_id)
    entries = reachable(chain)[place]
    if not 1 <= seq <= entries:
        facts = {"pointer": f"g{place + 1}#{seq}", "generation": place + 1, "entries": _span("#", entries)}
        raise BadInput(reason=_NO_ENTRY.format(**facts))
    return chain[place], seq


def reachable(chain: Sequence[Session]) -> list[int]:
    """How many entries of each session are in the past of the last one: all of them, or those before a fork."""
    below = (*(session.parent_seq for session in chain[1:]), None)
    return [
        session.entries if seq is None else min(seq, session.entries) for session, seq in zip(chain, below, strict=True)
    ]


def _span(mark: str, count: int) -> str:
    """`g1 to g5`, `g1 only`, `no entries`."""
    if count < 1:
        return "no entries"
    return f"{mark}1 only" if count == 1 else f"{mark}1 to {mark}{count}"
