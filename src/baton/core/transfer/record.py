"""A record: a small fact that all processes of a store share, under a key, with a version for compare-and-set.

A write may say which version it expects to replace; of several that expect the same one, a single write succeeds.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from baton.core.errors import RecordMoved
from baton.core.log.entry import encode_body
from baton.core.text import check_text, flaw
from baton.core.value import value

KEY_LIMIT = 500


@value
class Record:
    """`version` is 1 when it is first written and grows by 1 with each write."""

    key: str
    body: str
    version: int
    updated_at: int

    @property
    def data(self) -> dict[str, Any]:
        return json.loads(self.body)


def new_body(key: str, body: Mapping[str, Any]) -> str:
    """The text that is kept under the key; `BadText` if either cannot be."""
    check_text("record key", key, KEY_LIMIT)
    return encode_body(body)


def write(record: Record | None, key: str, body: str, expected: int | None, now: int) -> Record:
    """The record as it is after the write; `RecordMoved` as in `check_version`."""
    check_version(record, key, expected)
    return Record(key, body, version_of(record) + 1, now)


def check_version(record: Record | None, key: str, expected: int | None) -> None:
    """`RecordMoved` unless the record has the version the writer knows; 0 stands for no record, None for any."""
    if expected is not None and version_of(record) != expected:
        raise RecordMoved(key=key, expected=expected, version=version_of(record))


def version_of(record: Record | None) -> int:
    return record.version if record else 0


def damage(record: Record) -> str:
    """Why this cannot be what was written, or an empty string."""
    if reason := flaw(record.key, KEY_LIMIT):
        return f"its key cannot be right: {reason}"
    if record.version < 1:
        return f"its version is {record.version}"
    try:
        whole = isinstance(json.loads(record.body), dict)
    except (ValueError, RecursionError):
        whole = False
    return "" if whole else "it is not a JSON object"
