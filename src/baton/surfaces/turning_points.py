"""What became of a conversation's context, as one line for people: a compression, or a handoff with its reason."""

from __future__ import annotations

from typing import TYPE_CHECKING

from baton.core import entry as kinds
from baton.core.display import one_line

if TYPE_CHECKING:
    from baton.core.entry import Entry

HANDED_OFF = "◆ {because}. Goes on in a fresh session. Packet: {path}"
UNEXPLAINED = "Handed off"
COMPRESSED = "◆ The context was full; compression: {outcome}."
_WIDTH = 200


def told(entry: Entry) -> str:
    """Empty for an entry that is neither. A handoff stored without its reason is told without it."""
    if entry.kind == kinds.PACKET:
        because, path = (one_line(str(entry.data.get(name) or ""), _WIDTH) for name in ("because", "path"))
        return HANDED_OFF.format(because=because or UNEXPLAINED, path=path or "kept in the store")
    if entry.kind == kinds.COMPRESSION:
        return COMPRESSED.format(outcome=one_line(str(entry.data.get("outcome", "")), 40))
    return ""
