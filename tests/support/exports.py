"""An export to damage: one conversation with everything in it, and ways to change its lines."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from zlib import crc32

from baton.core.ids import ALPHABET, LENGTH

GOLDEN = Path(__file__).with_name("export.jsonl").read_bytes().splitlines()
CONVERSATION = "c_4d7jqdy6e7k5"
ROOT = "20260921_141320_b4e652"
HEAD = "20260921_141320_c99d5d"
PACKET = "p_g436gzwckfbj"
DRAFT = "d_48zjbgf9h8rr"
TRANSFER = "t_xrhnn4semx28"
PLACE = "telegram:42"
GONE: Any = object()

Lines = list[bytes]


def record(lines: Lines, number: int) -> dict[str, Any]:
    """Lines are counted from 1, as in messages."""
    return json.loads(lines[number - 1])


def edited(lines: Lines, number: int, **fields: Any) -> Lines:
    """With some fields of one line changed, or gone; the checksum is not mended."""
    held = {name: value for name, value in {**record(lines, number), **fields}.items() if value is not GONE}
    return with_line(lines, number, dump(held))


def with_line(lines: Lines, number: int, *instead: bytes) -> Lines:
    return [*lines[: number - 1], *instead, *lines[number:]]


def dump(held: Any) -> bytes:
    return json.dumps(held, ensure_ascii=True, separators=(",", ":")).encode()


def resealed(lines: Lines) -> Lines:
    """With counts and checksums that fit: a file that somebody made on purpose."""
    sealed: Lines = []
    total = entries = 0
    for line in lines:
        if line.startswith(b'{"type":"end"'):
            line = dump({**json.loads(line), "entries": entries, "checksum": total})
            total = entries = 0
        elif not line.startswith(b'{"type":"baton-export"'):
            total = crc32(line.strip(), total)
            entries += line.startswith(b'{"type":"entry"')
        sealed.append(line)
    return sealed


def renamed(lines: Iterable[bytes], number: int) -> Lines:
    """The same conversation under ids that only `number` gives."""
    names = {
        CONVERSATION: _id("c", number),
        PACKET: _id("p", number),
        DRAFT: _id("d", number),
        TRANSFER: _id("t", number),
        ROOT: f"20260101_000000_{2 * number:06x}",
        HEAD: f"20260101_000000_{2 * number + 1:06x}",
        PLACE: f"telegram:{number + 1000}",
    }
    text = b"\n".join(lines)
    for old, new in names.items():
        text = text.replace(old.encode(), new.encode())
    return resealed(text.split(b"\n"))


def _id(letter: str, number: int) -> str:
    digits = [ALPHABET[number >> 5 * place & 31] for place in range(LENGTH)]
    return f"{letter}_{''.join(digits)}"
