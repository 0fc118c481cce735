"""JSON lines from outside: streamed, bounded; a bad line is counted, not raised."""

from __future__ import annotations

import json
import os
import stat
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, cast

from baton.core.errors import BadInput
from baton.core.ids import quote

LINE_LIMIT = 64 * 1024 * 1024
WHOLE_LIMIT = 512 * 1024 * 1024
TORN = "torn line"
TOO_LONG = "line too long"
NOT_AN_OBJECT = "not an object"
NOT_UTF8 = "not UTF-8"
_CHUNK = 1024 * 1024

Record = dict[str, Any]


def open_regular(path: Path, *, follow: bool = True) -> BinaryIO:
    """The file, if it is one: a directory, device or pipe is `BadInput`, so that nothing can make a reader wait."""
    flags = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | (0 if follow else os.O_NOFOLLOW)
    try:
        descriptor = os.open(path, flags)
    except (OSError, ValueError) as error:
        raise BadInput(reason=f"{quote(str(path), 200)} cannot be read: {_reason(error)}.") from None
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise BadInput(reason=f"{quote(str(path), 200)} is not a file.")
    return os.fdopen(descriptor, "rb")


def records(path: Path, skipped: Counter[str], *, follow: bool = True) -> Iterator[tuple[int, Record]]:
    """The objects of a file of JSON lines with their line numbers, from 1."""
    with open_regular(path, follow=follow) as stream:
        for number, raw in _lines(stream, skipped):
            record = _record(raw, skipped)
            if record is not None:
                yield number, record


def peek(path: Path, count: int = 40) -> list[Record]:
    """The first objects of a file; none if it cannot be read."""
    found: list[Record] = []
    try:
        for _, record in records(path, Counter()):
            found.append(record)
            if len(found) == count:
                break
    except BadInput:
        return []
    return found


def read_beginning(path: Path, size: int = 4096) -> bytes:
    """The first bytes of a file; none if it cannot be read."""
    try:
        with open_regular(path) as stream:
            return stream.read(size)
    except (BadInput, OSError):
        return b""


def read_json(path: Path) -> Any:
    """A file that is one JSON value."""
    with open_regular(path) as stream:
        raw = stream.read(WHOLE_LIMIT + 1)
    if len(raw) > WHOLE_LIMIT:
        raise BadInput(reason=f"{quote(str(path), 200)} is larger than {WHOLE_LIMIT // 1024 // 1024} MB.")
    try:
        return _decode(raw.decode("utf-8", "replace"))
    except (ValueError, RecursionError) as error:
        raise BadInput(reason=f"{quote(str(path), 200)} is not JSON ({type(error).__name__}).") from None


def _lines(stream: BinaryIO, skipped: Counter[str]) -> Iterator[tuple[int, bytes]]:
    number = 0
    while raw := stream.readline(LINE_LIMIT + 1):
        number += 1
        if len(raw) > LINE_LIMIT:
            skipped[TOO_LONG] += 1
            while raw and not raw.endswith(b"\n"):
                raw = stream.readline(_CHUNK)
        elif raw.strip():
            yield number, raw


def _record(raw: bytes, skipped: Counter[str]) -> Record | None:
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        skipped[NOT_UTF8] += 1
        text = raw.decode("utf-8", "replace")
    try:
        found = _decode(text.lstrip("\ufeff"))
    except (ValueError, RecursionError):
        skipped[TORN] += 1
        return None
    if not isinstance(found, dict):
        skipped[NOT_AN_OBJECT] += 1
        return None
    return cast("Record", found)


def _no_number(_: str) -> None:
    """NaN and the infinities are not JSON: they become null."""
    return


_decode = json.JSONDecoder(parse_constant=_no_number).decode


def _reason(error: Exception) -> str:
    return (error.strerror or type(error).__name__) if isinstance(error, OSError) else "its name is not possible"
