"""Markdown as Signal shows it: plain text and styles apart from it. Links have no style, so their address is shown."""

from __future__ import annotations

from baton.adapters.platforms.markup.spans import to_spans
from baton.adapters.platforms.storable import storable

_STYLES = {
    "bold": "BOLD",
    "italic": "ITALIC",
    "strike": "STRIKETHROUGH",
    "code": "MONOSPACE",
    "pre": "MONOSPACE",
    "quote": "ITALIC",
}


def styled(markdown: str) -> tuple[str, list[str]]:
    """The text, and `start:length:STYLE` in UTF-16 units for each range. Nothing but marks is shown as written."""
    written = storable(markdown)
    found = to_spans(written, links=False)
    ranges = [f"{span.start}:{span.length}:{_STYLES[span.kind]}" for span in found.spans if span.kind in _STYLES]
    return found.text or written, ranges
