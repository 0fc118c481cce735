"""What became of the context, in one line."""

from __future__ import annotations

import json
from typing import Any

import pytest

from baton.core.log.entry import Entry
from baton.surfaces.shared.wording import describe_turning_point


def entry(kind: str, **data: Any) -> Entry:
    return Entry(session_id="s", seq=1, kind=kind, body=json.dumps(data), tokens=0, at=0, checksum="")


@pytest.mark.parametrize(
    ("kind", "data", "line"),
    [
        (
            "packet",
            {"because": "Session compressed 3 times", "path": "a/b.md", "text": "…"},
            "◆ Session compressed 3 times. The conversation continues in a fresh session. Packet: a/b.md",
        ),
        ("packet", {"text": "…"}, "◆ The conversation continues in a fresh session. Packet: kept in the store"),
        (
            "packet",
            {"because": "a\nb\x1b[31m", "path": "p"},
            "◆ a b. The conversation continues in a fresh session. Packet: p",
        ),
        ("compression", {"outcome": "lossy"}, "◆ Context was compressed here without a summary."),
        ("user", {"because": "x", "path": "y"}, ""),
    ],
)
def test_a_turning_point_is_told_in_one_line(kind: str, data: dict[str, Any], line: str) -> None:
    assert describe_turning_point(entry(kind, **data)) == line
