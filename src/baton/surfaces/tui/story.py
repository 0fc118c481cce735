"""The record as `/transcript` draws it, and what stands before a packet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content

from baton.core.log.pointer import pointer
from baton.surfaces.shared.formats import local_time
from baton.surfaces.shared.story import AGENT, DONE, FAILED, NOTICE, PERSON, Part, tell
from baton.surfaces.words import transcript as words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from baton.core.log.entry import Entry

_SIGNS = {
    PERSON: ("› ", "bold $you"),
    AGENT: ("", "bold"),
    DONE: ("✓ ", "$good"),
    FAILED: ("✗ ", "$bad"),
    NOTICE: ("◆ ", "$accent"),
}
_SPEAKERS = (PERSON, AGENT)
_LINES = 40

Piece = tuple[str, str]


def draw_transcript(entries: Iterable[Entry], chain: Sequence[str], first: str = "") -> Content:
    """What was said and done, each part under its head. `chain` are the sessions that pointers count."""
    pieces: list[Piece] = [(f"{first}\n\n", "$muted")] if first else []
    for part in tell(entries):
        if not part.quiet:
            where = pointer(chain, f"{part.entry.session_id}/{part.entry.seq}")
            pieces += [*_head(part, where), *_below(part), ("\n\n", "")]
    return Content.assemble(*pieces[:-1])


def draw_brief(entries: Iterable[Entry]) -> Content:
    """The same without times, pointers and what tools printed."""
    pieces: list[Piece] = []
    for part in tell(entries):
        if not part.quiet:
            sign, color = _SIGNS[part.role]
            pieces += [(sign, color), (part.text if part.role in _SPEAKERS else part.head, ""), ("\n\n", "")]
    return Content.assemble(*pieces[:-1])


def _head(part: Part, where: str) -> Iterator[Piece]:
    sign, color = _SIGNS[part.role]
    yield sign, color
    yield part.head, color if part.role in _SPEAKERS else ""
    facts = [local_time(part.entry.at), *([where] if where else [])]
    yield f" · {' · '.join(facts)}", "$muted"


def _below(part: Part) -> Iterator[Piece]:
    """Words are whole; of what a tool printed the last lines are shown."""
    lines = part.text.split("\n") if part.text else []
    hidden = 0 if part.role in _SPEAKERS else max(0, len(lines) - _LINES)
    if hidden:
        yield f"\n  {words.LINES_ABOVE.format(hidden=hidden)}", "$muted"
    color = "" if part.role in _SPEAKERS else "$muted"
    for line in lines[hidden:]:
        yield f"\n  {line}", color
