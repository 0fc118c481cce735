"""The text of files: some lines of one, however large it is; what is not text; and what editor and model know of it.

An editor may hold text that is not saved yet: that is what a tool reads and changes. The disk remains the truth about
what a file is (a link, a device, not text, too large): the editor is only asked about text files of the workspace, and
believed only where its text differs.
"""

from __future__ import annotations

import os
import struct
import threading
import time
from collections.abc import Callable

from baton.adapters.files import opening
from baton.adapters.files.workspace import Target
from baton.core.errors import ToolError
from baton.core.value import replace, value
from baton.ports.editor import Editor

CAP = 8 * 1024 * 1024
_PIECE = 1 << 16
_SECONDS = 10.0
Newer = Callable[[opening.Content], opening.Content]
_MOST_KNOWN = 10_000


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


def read_lines(
    tool: str, real: str, first: int, count: int, stop: threading.Event, newer: Newer | None = None
) -> Lines:
    """Raises `OSError`, and `ToolError` when finding the line takes too long or `stop` is set. `newer` knows what an
    editor has in place of what is on the disk.
    """
    content = opening.read(real, CAP)
    content = newer(content) if newer else content
    if not content.whole:
        texts = _read_far_lines(tool, real, first, count, stop)
        return Lines(texts, first, None, content.size, "", content.data[:_PIECE])
    texts = decode_text(content.data).split("\n")
    if texts[-1] == "":
        texts.pop()
    chosen = texts[first - 1 : first - 1 + count]
    return Lines(chosen, first, len(texts), content.size, content.digest, content.data[:_PIECE])


def _read_far_lines(tool: str, real: str, first: int, count: int, stop: threading.Event) -> list[str]:
    found: list[str] = []
    number, begun, deadline = 1, False, time.monotonic() + _SECONDS
    with opening.open_file(real) as descriptor, os.fdopen(descriptor, "rb", closefd=False) as file:
        while len(found) < count or begun:
            piece = file.readline(_PIECE)
            if not piece:
                break
            if number >= first and not begun:
                found.append(decode_text(piece).rstrip("\n"))
            begun = not piece.endswith(b"\n")
            number += not begun
            if stop.is_set() or time.monotonic() > deadline:
                raise ToolError(
                    tool=tool, reason=f"line {first:,} was not found in {_SECONDS:.0f} s; use search instead"
                )
    return found


def decode_text(data: bytes) -> str:
    """Text as an editor would show it, with line feeds only."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        text = data.decode("utf-16", "replace")
    else:
        text = data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")
    return text.replace("\r\n", "\n")


def describe_image(data: bytes) -> str:
    """`a PNG image, 640×480` and the like, or an empty string."""
    if data.startswith(b"\x89PNG\r\n\x1a\n") and len(data) >= 24:
        width, height = struct.unpack(">II", data[16:24])
        return f"a PNG image, {width}×{height},"
    if data[:6] in (b"GIF87a", b"GIF89a") and len(data) >= 10:
        width, height = struct.unpack("<HH", data[6:10])
        return f"a GIF image, {width}×{height},"
    if data.startswith(b"\xff\xd8\xff"):
        return "a JPEG image"
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "a WebP image"
    return ""


def describe_non_text(start: bytes) -> str:
    """What a file is that begins like this, if it is not text; otherwise an empty string."""
    utf16 = start[:2] in (b"\xff\xfe", b"\xfe\xff")
    return describe_image(start) or ("a binary file" if b"\0" in start and not utf16 else "")


class KnownFiles:
    """What the model knows of each file: the digest of what it last read or wrote."""

    def __init__(self) -> None:
        self._digests: dict[str, str] = {}

    def note(self, real: str, digest: str) -> None:
        self._digests.pop(real, None)
        self._digests[real] = digest
        while len(self._digests) > _MOST_KNOWN:
            del self._digests[next(iter(self._digests))]

    def stale(self, real: str, digest: str) -> bool:
        """Whether the model has read this file with other content."""
        return self._digests.get(real, digest) != digest


class Buffers:
    """Files as an editor has them. Without an `editor` everything is as on the disk."""

    def __init__(self, editor: Editor | None) -> None:
        self._editor = editor

    def of(self, target: Target) -> Callable[[opening.Content], opening.Content]:
        return lambda content: self.newer(target, content)

    def newer(self, target: Target, content: opening.Content) -> opening.Content:
        """The content of a file as the editor has it, usually the same as on disk."""
        if self._editor is None or not target.inside or not content.whole or describe_non_text(content.data[:65_536]):
            return content
        held = self._editor.read(target.real)
        if held is None or _is_same(held, content.data):
            return content
        data = held.encode("utf-8", "replace")
        return replace(content, data=data, size=len(data))

    def write(self, target: Target, before: opening.Content | None, after: bytes) -> bool:
        """Lets the editor change the file. False if it does not, so that the caller must write to disk. Raises
        `OSError`.
        """
        if self._editor is None or not target.inside or target.powerful or describe_non_text(after):
            return False
        if before is not None and describe_non_text(before.data):
            return False
        opening.check_file(target.real, missing=before is None)
        return self._editor.write(target.real, after.decode())


def _is_same(held: str, data: bytes) -> bool:
    """Editors show neither a byte order mark nor how lines end."""
    disk = data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")
    return held == disk or held.replace("\r\n", "\n") == disk.replace("\r\n", "\n")
