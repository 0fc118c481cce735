"""Names that must stay exact: URLs, paths, host:port, hashes and ticket names, as you gave them."""

from __future__ import annotations

import re
from collections.abc import Iterable

_FENCE = re.compile(r"```[^`]*(?:```|$)")
_IDENTIFIERS = re.compile(
    r"https?://[^\s<>\"'`)\]]{4,300}"
    r"|\b(?:localhost|(?:[0-9]{1,3}\.){3}[0-9]{1,3}|[a-zA-Z0-9-]{1,60}(?:\.[a-zA-Z0-9-]{1,60}){1,5}):[0-9]{2,5}\b"
    r"|\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b"
    r"|\b(?=[0-9a-f]{0,39}[0-9])(?=[0-9]{0,39}[a-f])[0-9a-f]{8,64}\b"
    r"|(?<![\w/.])(?:~|\.{1,2})?/[\w.@+-]+(?:/[\w.@+-]+)+"
    r"|\b[A-Z][A-Z0-9]{1,9}-[0-9]{1,6}\b"
    r"|(?<![\w&])#[0-9]{1,7}\b"
)
_LOOK = 20_000


def identifiers(texts: Iterable[str]) -> list[str]:
    """URLs, paths, host:port, hashes and ticket names, in order, each once."""
    found: dict[str, None] = {}
    for text in texts:
        for match in _IDENTIFIERS.finditer(_FENCE.sub("\n", text[:_LOOK])):
            found[match[0].rstrip(".,;:")] = None
    return list(found)
