"""The records of a Codex thread, in whichever of its files they are."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from baton.adapters.importers import clean
from baton.adapters.importers.lines import Record, beginning, records, whole

_ZSTANDARD = b"\x28\xb5\x2f\xfd"
_BASES = 8
_OLD = re.compile(rb'\s*\{\s*"(?:session|items)"\s*:')


def compressed(path: Path) -> bool:
    return beginning(path, 4) == _ZSTANDARD


def is_legacy(path: Path) -> bool:
    return _OLD.match(beginning(path)) is not None


def legacy(path: Path) -> Iterator[tuple[int, Record]]:
    """One object with all items, as the first versions wrote it, in the form of today."""
    held = clean.mapping(whole(path))
    yield 1, {"type": "session_meta", "payload": clean.mapping(held.get("session"))}
    for number, item in enumerate(clean.items(held.get("items")), 1):
        yield number, {"type": "response_item", "payload": clean.mapping(item)}


def with_base(path: Path, skipped: Counter[str], depth: int = 0) -> Iterator[tuple[int, Record]]:
    """The records, with those of the file that holds their beginning before them."""
    first = True
    for number, record in records(path, skipped, follow=depth == 0):
        if first and record.get("type") == "session_meta":
            first = False
            yield number, record
            yield from _base(path, clean.mapping(record.get("payload")).get("history_base"), skipped, depth)
            continue
        yield number, record


def _base(path: Path, base: object, skipped: Counter[str], depth: int) -> Iterator[tuple[int, Record]]:
    held = clean.mapping(base)
    name = clean.word(base) or clean.word(held.get("rollout_id")) or clean.word(held.get("thread_id"))
    if not name:
        return
    safe = name.replace("-", "").isalnum()
    found = sorted(each for each in path.parent.glob(f"rollout-*{name}.jsonl") if each != path) if safe else []
    if not found or depth >= _BASES:
        skipped["history base missing"] += 1
        return
    for number, record in with_base(found[0], skipped, depth + 1):
        if record.get("type") != "session_meta":
            yield number, record
