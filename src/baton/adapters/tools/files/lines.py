"""Some lines of a file, however large it is."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable

from baton.adapters.tools.files import opening
from baton.core.errors import ToolError
from baton.core.value import value

CAP = 8 * 1024 * 1024
_PIECE = 1 << 16
_SECONDS = 10.0


@value
class Lines:
    """`texts` from line `first` on. `total` is None where the file was not read to its end. `digest` is of the whole
    file, empty where it was too large to be known. `start` is how the file begins."""

    texts: list[str]
    first: int
    total: int | None
    size: int
    digest: str
    start: bytes


Newer = Callable[[opening.Content], opening.Content]


def read_lines(
    tool: str, real: str, first: int, count: int, stop: threading.Event, newer: Newer | None = None
) -> Lines:
    """Raises `OSError`, and `ToolError` when finding the line takes too long or `stop` is set. `newer` knows what an
    editor has in place of what is on the disk.
    """
    content = opening.read(real, CAP)
    content = newer(content) if newer else content
    if not content.whole:
        texts = _far(tool, real, first, count, stop)
        return Lines(texts, first, None, content.size, "", content.data[:_PIECE])
    texts = decoded(content.data).split("\n")
    if texts[-1] == "":
        texts.pop()
    chosen = texts[first - 1 : first - 1 + count]
    return Lines(chosen, first, len(texts), content.size, content.digest, content.data[:_PIECE])


def _far(tool: str, real: str, first: int, count: int, stop: threading.Event) -> list[str]:
    found: list[str] = []
    number, begun, deadline = 1, False, time.monotonic() + _SECONDS
    with opening.reading(real) as descriptor, os.fdopen(descriptor, "rb", closefd=False) as file:
        while len(found) < count or begun:
            piece = file.readline(_PIECE)
            if not piece:
                break
            if number >= first and not begun:
                found.append(decoded(piece).rstrip("\n"))
            begun = not piece.endswith(b"\n")
            number += not begun
            if stop.is_set() or time.monotonic() > deadline:
                raise ToolError(
                    tool=tool, reason=f"line {first:,} was not found in {_SECONDS:.0f} s; use search instead"
                )
    return found


def decoded(data: bytes) -> str:
    """Text as an editor would show it, with line feeds only."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        text = data.decode("utf-16", "replace")
    else:
        text = data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")
    return text.replace("\r\n", "\n")
