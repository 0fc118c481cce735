"""One item of a session's transcript, and the JSON it is kept as.

The body is kept as JSON *text* and parsed only when somebody looks: loading ten thousand entries must cost little
more than reading them. The checksum binds text, place and kind, so a flipped bit or a moved row is noticed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, cast
from zlib import crc32

from baton.core.errors import BadText

BODY_LIMIT = 16 * 1024 * 1024
SEQ_BITS = 24
SEQ_LIMIT = 1 << SEQ_BITS

USER = "user"
ASSISTANT = "assistant"
TOOL_CALL = "tool_call"
TOOL_RESULT = "tool_result"
COMPRESSION = "compression"
PACKET = "packet"
NOTE = "note"
KINDS = (USER, ASSISTANT, TOOL_CALL, TOOL_RESULT, COMPRESSION, PACKET, NOTE)


@dataclass(frozen=True, slots=True)
class NewEntry:
    """An entry to append. `at` is taken from the store's clock when it is None."""

    kind: str
    data: Mapping[str, Any]
    tokens: int = 0
    at: int | None = None


class Entry(NamedTuple):
    """A stored entry; `seq` counts from 1 without gaps inside its session."""

    session_id: str
    seq: int
    kind: str
    at: int
    tokens: int
    body: str
    checksum: int

    @property
    def data(self) -> dict[str, Any]:
        return json.loads(self.body)

    @property
    def text(self) -> str:
        """Every piece of text in the body, one a line: what search and people read."""
        return "\n".join(strings(self.data))

    def intact(self) -> bool:
        return self.checksum == checksum(self.session_id, self.seq, self.kind, self.at, self.tokens, self.body)


def entry(session_id: str, seq: int, kind: str, at: int, tokens: int, body: str) -> Entry:
    return Entry(session_id, seq, kind, at, tokens, body, checksum(session_id, seq, kind, at, tokens, body))


def checksum(session_id: str, seq: int, kind: str, at: int, tokens: int, body: str) -> int:
    return crc32(body.encode(), crc32(f"{session_id}/{seq}/{kind}/{at}/{tokens}".encode()))


def encode_body(data: Mapping[str, Any]) -> str:
    """Compact JSON that both databases keep byte for byte; `BadText` where JSON or the size limit forbids it."""
    body = _dumps(data)
    if len(body) > BODY_LIMIT:
        raise BadText(
            field="entry",
            reason=f"it has {len(body):,} characters of JSON",
            allowed=f"up to {BODY_LIMIT:,} characters; put long output into a file and refer to it",
        )
    return body


def _dumps(data: Mapping[str, Any]) -> str:
    try:
        body = _encode(data)
        body.encode()
    except UnicodeEncodeError:
        return json.dumps(data, separators=(",", ":"), allow_nan=False)  # lone surrogates stay as escapes
    except (TypeError, ValueError, RecursionError) as error:
        raise BadText(field="entry", reason=f"it is not JSON ({error})", allowed="JSON objects") from None
    return body


_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode


def strings(value: object) -> Iterator[str]:
    """The strings inside a JSON value, in order, keys left out."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in cast("dict[str, object]", value).values():
            yield from strings(item)
    elif isinstance(value, list):
        for item in cast("list[object]", value):
            yield from strings(item)
