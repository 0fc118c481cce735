"""One item of a session's transcript, and the JSON it is kept as.

The body is kept as JSON *text* and parsed only when needed: loading ten thousand entries must cost little
more than reading them. The checksum covers text, position and kind, so a flipped bit or a moved row is detected.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, cast
from zlib import crc32

from baton.core.errors import BadInput, BadText
from baton.core.ids import quote
from baton.core.text import MOST, check_text
from baton.core.value import value

BODY_LIMIT = 16 * 1024 * 1024
SEQ_BITS = 24
SEQ_LIMIT = 1 << SEQ_BITS
DEPTH_LIMIT = 64

USER = "user"
ASSISTANT = "assistant"
TOOL_CALL = "tool_call"
TOOL_RESULT = "tool_result"
COMPRESSION = "compression"
PACKET = "packet"
QUEUED = "queued"
TURN_ENDED = "turn_ended"
TURN_INTERRUPTED = "turn_interrupted"
INPUT_WITHDRAWN = "input_withdrawn"
COMPRESSION_PUT_OFF = "compression_put_off"
CONTEXT_WARNED = "context_warned"
HANDOFF_ASKED = "handoff_asked"
HANDOFF_DECLINED = "handoff_declined"
HANDOFF_FAILED = "handoff_failed"
HANDOFF_UNDONE = "handoff_undone"
WORKSPACE_VERIFIED = "workspace_verified"
RULE_PINNED = "rule_pinned"
RULE_DROPPED = "rule_dropped"
NOTE = "note"
KINDS = (
    USER,
    ASSISTANT,
    TOOL_CALL,
    TOOL_RESULT,
    COMPRESSION,
    PACKET,
    QUEUED,
    TURN_ENDED,
    TURN_INTERRUPTED,
    INPUT_WITHDRAWN,
    COMPRESSION_PUT_OFF,
    CONTEXT_WARNED,
    HANDOFF_ASKED,
    HANDOFF_DECLINED,
    HANDOFF_FAILED,
    HANDOFF_UNDONE,
    WORKSPACE_VERIFIED,
    RULE_PINNED,
    RULE_DROPPED,
    NOTE,
)
"""What each kind holds is declared in `core/log/payloads.py`."""

_CONTAINERS = (dict, list, tuple)
_scan: Callable[[str, int], tuple[Any, int]] = vars(json.JSONDecoder())["scan_once"]
_KIND = re.compile(r"[a-z][a-z_]{0,31}")
_SPLIT_CHARACTER = re.compile("[\ud800-\udbff][\udc00-\udfff]")


def _loads(body: str) -> Any:
    """As `json.loads`, which takes twice as long for bodies as Baton writes them: short, without space around them."""
    try:
        held, end = _scan(body, 0)
    except StopIteration:
        return json.loads(body)
    return held if end == len(body) else json.loads(body)


@value
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
        return _loads(self.body)

    @property
    def text(self) -> str:
        """Every piece of text in the body, one per line: what search and people read."""
        return body_text(self.body)

    @property
    def copied(self) -> bool:
        """Whether it stands for an entry of an earlier session: readers of a whole conversation skip it."""
        return is_copy(self.body)

    def intact(self) -> bool:
        return self.checksum == checksum(self.session_id, self.seq, self.kind, self.at, self.tokens, self.body)


def entry(session_id: str, seq: int, kind: str, at: int, tokens: int, body: str) -> Entry:
    return Entry(session_id, seq, kind, at, tokens, body, checksum(session_id, seq, kind, at, tokens, body))


def make(session_id: str, count: int, new: Sequence[NewEntry], bodies: Sequence[str], now: int) -> list[Entry]:
    """The stored form of new entries with their encoded bodies, checked; they follow `count` others."""
    if count + len(new) >= SEQ_LIMIT:
        raise BadInput(reason=f"Session {session_id} is full: it can hold {SEQ_LIMIT - 1:,} entries.")
    for each in new:
        _check_form(each.kind, each.tokens, each.at or 0)
    return [
        entry(session_id, seq, each.kind, now if each.at is None else each.at, each.tokens, body)
        for seq, (each, body) in enumerate(zip(new, bodies, strict=True), count + 1)
    ]


def check_entry(each: Entry) -> None:
    """`BadInput` unless an entry from outside could have been made here."""
    _check_form(each.kind, each.tokens, each.at)
    check_text("entry", each.body, BODY_LIMIT)
    try:
        data = json.loads(each.body)
    except (ValueError, RecursionError) as error:
        raise BadText(field="entry", reason=f"it is not JSON ({error})", allowed="JSON objects") from None
    _check_shape(data)
    if not each.intact():
        raise BadInput(reason=f"Entry {each.seq} of session {each.session_id} does not fit its checksum.")


def _check_form(kind: str, tokens: int, at: int) -> None:
    if _KIND.fullmatch(kind) is None:
        allowed = "a name in lower case of at most 32 letters"
        raise BadText(field="entry", reason=f"{quote(kind)} is not a kind", allowed=allowed)
    if not 0 <= tokens < MOST or not 0 <= at < MOST:
        raise BadText(field="entry", reason="its time or token count is out of range", allowed="0 to 2^62")


def checksum(session_id: str, seq: int, kind: str, at: int, tokens: int, body: str) -> int:
    return crc32(body.encode(), crc32(f"{session_id}/{seq}/{kind}/{at}/{tokens}".encode()))


def encode_body(data: Mapping[str, Any]) -> str:
    """Compact JSON that both databases keep byte for byte; `BadText` if JSON or the size limit forbids it."""
    _check_shape(data)
    body = _dumps(data)
    if len(body) > BODY_LIMIT:
        raise BadText(
            field="entry",
            reason=f"it has {len(body):,} characters of JSON",
            allowed=f"up to {BODY_LIMIT:,} characters; put long output into a file and refer to it",
        )
    return body


def _check_shape(data: object) -> None:
    """A JSON object, and not so deep that a reader would run out of stack."""
    if not isinstance(data, dict):
        raise BadText(field="entry", reason="it is not a JSON object", allowed="JSON objects")
    level: list[object] = [cast("object", data)]
    for _ in range(DEPTH_LIMIT):
        level = [item for each in level for item in _items(each) if isinstance(item, _CONTAINERS)]
        if not level:
            return
    reason = f"it is nested deeper than {DEPTH_LIMIT} levels"
    raise BadText(field="entry", reason=reason, allowed=f"JSON objects of up to {DEPTH_LIMIT} levels")


def _items(value: object) -> Iterable[object]:
    return cast("dict[str, object]", value).values() if isinstance(value, dict) else cast("list[object]", value)


def _dumps(data: Mapping[str, Any]) -> str:
    try:
        body = _encode(data)
    except (TypeError, ValueError, RecursionError) as error:
        raise BadText(field="entry", reason=f"it is not JSON ({error})", allowed="JSON objects") from None
    try:
        body.encode()
    except UnicodeEncodeError:
        return _escape_surrogates(data, body)
    return body


def _escape_surrogates(data: Mapping[str, Any], body: str) -> str:
    """Lone surrogates stay as escapes. Two that would make one character cannot: read back, they would be one."""
    if _SPLIT_CHARACTER.search(body):
        raise BadText(
            field="entry", reason="it holds a character split into two surrogates", allowed="whole characters"
        )
    return json.dumps(data, separators=(",", ":"), allow_nan=False)


_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode


def is_copy(body: str) -> bool:
    """Whether this is the body of a copy."""
    return "copied" in _loads(body)


def body_text(body: str) -> str:
    """Every piece of text in a body, one per line: what search and people read."""
    return "\n".join(strings(_loads(body)))


_INNER = frozenset(
    {
        "copied",
        "draft",
        "id",
        "inbox",
        "model",
        "outcome",
        "packet",
        "place",
        "queued",
        "rule",
        "sender",
        "session",
        "sha256",
        "stop",
        "transfer",
        "turn",
    }
)
"""Keys of what only programs read: names, hashes, codes."""


def said_text(body: str) -> str:
    """As `body_text`, without the names, hashes and codes that stand beside what was said."""
    held = cast("dict[str, object]", _loads(body))
    return "\n".join(strings({key: item for key, item in held.items() if key not in _INNER}))


def strings(value: object) -> Iterator[str]:
    """The strings inside a JSON value, in order, keys and the bytes of images left out."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        held = cast("dict[str, object]", value)
        for key, item in held.items():
            if key != "data" or "media_type" not in held:
                yield from strings(item)
    elif isinstance(value, list):
        for item in cast("list[object]", value):
            yield from strings(item)
