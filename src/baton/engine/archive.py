"""Conversations as JSON lines: exact in both directions, torn files detected, no conversation imported by halves.

    {"type": "baton-export", "format": 2}
    {"type": "conversation", …}  {"type": "session", …}…  {"type": "packet" | "draft" | "transfer" | "binding", …}…
    {"type": "entry", …}…
    {"type": "end", "conversation": …, "entries": 42, "checksum": …}      then the next conversation

The checksum is over the conversation's lines, so a lost or changed line is noticed before anything is stored.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, cast
from zlib import crc32

from baton.core.errors import BadInput, BadLine, BatonError, Conflict
from baton.core.ids import quote
from baton.core.log.bundle import Bundle
from baton.core.log.entry import encode_body
from baton.core.value import asdict, value
from baton.engine.archive_records import LONG, MAKERS
from baton.ports.store import Store

FORMATS = (1, 2)
"""Formats that are read. The second has entries of kinds that 0.1 would misread; that is all the difference."""
HEADER = '{"type":"baton-export","format":2}'
LINE_LIMIT = LONG


@value
class Imported:
    """`added` and `known` are conversation ids: stored now, and known before with equal content."""

    added: tuple[str, ...]
    known: tuple[str, ...]


def export_lines(store: Store, conversation_ids: Iterable[str]) -> Iterator[str]:
    """The lines of an export, without line ends; the same conversations always give the same lines."""
    yield HEADER
    for conversation_id in conversation_ids:
        yield from _bundle_lines(store.upkeep.bundle(conversation_id))


def _bundle_lines(bundle: Bundle) -> Iterator[str]:
    total, count = 0, 0
    for line in _body_lines(bundle):
        total = crc32(line.encode(), total)
        count += line.startswith('{"type":"entry"')
        yield line
    yield _dump({"type": "end", "conversation": bundle.conversation.id, "entries": count, "checksum": total})


def _body_lines(bundle: Bundle) -> Iterator[str]:
    yield _dump({"type": "conversation", **_plain(bundle.conversation)})
    for noun, values in (
        ("session", bundle.sessions),
        ("packet", bundle.packets),
        ("draft", bundle.drafts),
        ("transfer", bundle.transfers),
        ("binding", bundle.bindings),
    ):
        for each in values:
            yield _dump({"type": noun, **_plain(each)})
    for each in bundle.entries:
        head = {"type": "entry", "session_id": each.session_id, "seq": each.seq, "kind": each.kind, "at": each.at}
        yield f'{_dump({**head, "tokens": each.tokens})[:-1]},"body":{each.body}}}'


def _plain(value: Any) -> dict[str, Any]:
    """A value's fields; what only matters to this store (owner, lease) is left out."""
    return {name: held for name, held in asdict(value).items() if name not in ("owner", "lease_until")}


def _dump(record: Mapping[str, Any]) -> str:
    return encode_body(record)


def import_lines(store: Store, lines: Iterable[bytes], source: str) -> Imported:
    """Stores every conversation of an export, each in one transaction.

    A conversation is stored only once its last line was read and its checksum fits. If one fails, those before it stay
    imported, and the error says so. `BadLine` names the line and the reason.
    """
    added: list[str] = []
    known: list[str] = []
    try:
        for bundle, number in _bundles(_Reader(lines, source)):
            try:
                (added if store.upkeep.insert(bundle) else known).append(bundle.conversation.id)
            except (BadInput, Conflict) as error:
                raise BadLine(source=source, line=number, reason=_sentence(error)) from error
    except BadLine as error:
        before = (
            f"{len(added)} conversation(s) before it were imported" if added else "Nothing of the file was imported"
        )
        error.facts["kept"] = f"{before}; the file was not changed."
        raise
    return Imported(tuple(added), tuple(known))


class _Reader:
    """Lines as checked records, with their number for errors."""

    def __init__(self, lines: Iterable[bytes], source: str) -> None:
        self._lines = iter(lines)
        self._source = source
        self.number = 0
        self.checksum = 0

    def next(self) -> dict[str, Any] | None:
        for raw in self._lines:
            self.number += 1
            if raw.strip():
                return self._record(raw)
        return None

    def _record(self, raw: bytes) -> dict[str, Any]:
        if len(raw) > LINE_LIMIT:
            raise self.bad(f"it is longer than {LINE_LIMIT:,} bytes")
        try:
            record = json.loads(raw.decode("utf-8"), parse_constant=self._constant, object_pairs_hook=self._object)
        except UnicodeDecodeError as error:
            raise self.bad(f"byte {error.start + 1} is not UTF-8") from None
        except json.JSONDecodeError as error:
            raise self.bad(f"it is not JSON ({error.msg} at character {error.pos + 1})") from None
        except RecursionError:
            raise self.bad("it is nested too deeply") from None
        except ValueError as error:
            raise self.bad(f"it is not JSON that can be kept ({error})") from None
        if not isinstance(record, dict) or not isinstance(cast("dict[str, Any]", record).get("type"), str):
            raise self.bad('it is not an object with a "type"')
        self._raw = raw.strip()
        return cast("dict[str, Any]", record)

    def _constant(self, name: str) -> None:
        raise self.bad(f"{name} is not JSON")

    def _object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        """Of a key that is there twice, one value would silently be lost."""
        made: dict[str, Any] = {}
        for key, held in pairs:
            if key in made:
                raise self.bad(f"the key {quote(key)} is in it twice")
            made[key] = held
        return made

    def count_in(self) -> None:
        self.checksum = crc32(self._raw, self.checksum)

    def bad(self, reason: str) -> BadLine:
        return BadLine(source=self._source, line=self.number or 1, reason=reason)


def _bundles(reader: _Reader) -> Iterator[tuple[Bundle, int]]:
    header = reader.next()
    if header is None or header["type"] != "baton-export":
        raise reader.bad("it is not an export of Baton (the first line must be of type baton-export)")
    if not any(_equal(header.get("format"), known) for known in FORMATS):
        raise reader.bad(f"its format is {header.get('format')!r}; this Baton reads formats 1 and 2")
    while (record := reader.next()) is not None:
        if record["type"] != "conversation":
            raise reader.bad(f"a conversation should begin here, not {quote(record['type'])}")
        first = reader.number
        yield _one_bundle(reader, record), first


def _one_bundle(reader: _Reader, first: dict[str, Any]) -> Bundle:
    parts: dict[str, list[Any]] = {noun: [] for noun in MAKERS}
    reader.checksum = 0
    record: dict[str, Any] | None = first
    while record is not None and record["type"] != "end":
        noun = record.pop("type")
        if noun not in parts or (noun == "conversation" and parts[noun]):
            raise reader.bad(f"{quote(str(noun))} does not belong here")
        parts[noun].append(_make(reader, noun, record))
        reader.count_in()
        record = reader.next()
    if record is None:
        raise reader.bad("the file ends in the middle of a conversation")
    _compare_end(reader, record, parts)
    return Bundle(
        conversation=parts["conversation"][0],
        sessions=tuple(parts["session"]),
        packets=tuple(parts["packet"]),
        drafts=tuple(parts["draft"]),
        transfers=tuple(parts["transfer"]),
        bindings=tuple(parts["binding"]),
        entries=parts["entry"],
    )


def _compare_end(reader: _Reader, end: dict[str, Any], parts: dict[str, list[Any]]) -> None:
    if end.get("conversation") != parts["conversation"][0].id:
        raise reader.bad("this is the end of another conversation")
    if not _equal(end.get("entries"), len(parts["entry"])):
        raise reader.bad(
            f"the conversation has {len(parts['entry'])} entries here, but was written with {end.get('entries')}"
        )
    if not _equal(end.get("checksum"), reader.checksum):
        raise reader.bad("the lines of this conversation do not fit their checksum: something in them was changed")


def _equal(found: object, number: int) -> bool:
    """In Python True and 1.0 equal 1; in a file they are not what was written."""
    return type(found) is int and found == number


def _make(reader: _Reader, noun: str, record: dict[str, Any]) -> Any:
    try:
        return MAKERS[noun](record)
    except BadLine:
        raise
    except BatonError as error:
        raise reader.bad(_sentence(error)) from error
    except (TypeError, ValueError, KeyError, AttributeError, OverflowError) as error:
        raise reader.bad(f"this {noun} does not have the fields it should have ({error})") from None


def _sentence(error: BatonError) -> str:
    return error.parts()[0].rstrip(".")
