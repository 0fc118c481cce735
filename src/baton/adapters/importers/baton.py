"""Reads Baton's own export: the sessions of one conversation along its lineage, oldest first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from baton.adapters.importers import clean
from baton.adapters.importers.lines import TORN, Record, records
from baton.core.errors import BadInput, BadText
from baton.core.ids import quote
from baton.core.log import entry as kinds
from baton.core.log.entry import KINDS, NewEntry, encode_body
from baton.core.log.payloads import is_effective
from baton.core.log.session import CONTINUATIONS
from baton.ports.importer import Imported

MISSHAPEN = "misshapen entry"
_KNOWN = ("packet", "draft", "transfer", "binding", "end")


class BatonExport:
    """Reads as much as possible of what `import_lines` would refuse, and counts the rest."""

    name = "baton"

    def recognises(self, path: Path) -> bool:
        try:
            first = next(records(path, Counter()), None)
        except BadInput:
            return False
        return first is not None and first[1].get("type") == "baton-export"

    def read(self, path: Path) -> Imported:
        skipped: Counter[str] = Counter()
        parts = _Parts(path, skipped)
        if not parts.entries:
            raise BadInput(reason=f"{quote(str(path), 200)} holds no conversation of Baton.")
        line = parts.lineage()
        entries, cuts = parts.along(line)
        conversation = parts.conversation
        return Imported(
            id=clean.word(conversation.get("id")) or path.stem,
            title=clean.word(conversation.get("title")),
            workspace=clean.word(conversation.get("workspace"), 4096),
            entries=entries,
            cuts=cuts,
            skipped=dict(skipped),
            dead=sum(len(held) for name, held in parts.entries.items() if name not in line),
            source=str(path),
            format=self.name,
            parent=clean.word(parts.sessions.get(line[0], {}).get("parent_id")),
        )


class _Parts:
    """The first conversation of an export, by session."""

    def __init__(self, path: Path, skipped: Counter[str]) -> None:
        self.conversation: Record = {}
        self.sessions: dict[str, Record] = {}
        self.entries: dict[str, list[tuple[int, NewEntry]]] = {}
        self._skipped = skipped
        self._over = False
        for _, record in records(path, skipped):
            self._take(record)

    def _take(self, record: Record) -> None:
        kind = record.get("type")
        if self._over or (kind == "conversation" and self.conversation):
            self._over = True
            self._skipped["another conversation"] += kind == "conversation"
        elif kind == "conversation":
            self.conversation = record
        elif kind == "session":
            self.sessions[clean.word(record.get("id"))] = record
        elif kind == "entry":
            self._entry(record)
        elif kind not in ("baton-export", *_KNOWN):
            self._skipped[f"unknown: {clean.word(kind) or 'no type'}"] += 1

    def _entry(self, record: Record) -> None:
        kind, session = clean.word(record.get("kind")), clean.word(record.get("session_id"))
        body = clean.mapping(record.get("body"))
        if not kind or not session or not _is_storable(body):
            self._skipped[TORN] += 1
            return
        if kind not in KINDS or not _has_shape(kind, body):
            self._skipped[f"unknown: {kind}" if kind not in KINDS else MISSHAPEN] += 1
            kind, body = kinds.NOTE, {"foreign": kind, "raw": clean.bound(body, 2_000)}
        at = record.get("at")
        moment = clean.number(at) if isinstance(at, int) else None
        entry = NewEntry(kind, body, clean.number(record.get("tokens")), moment)
        self.entries.setdefault(session, []).append((clean.number(record.get("seq")), entry))

    def lineage(self) -> list[str]:
        """Sessions from the oldest to the head; in the order of the file where the lineage is damaged."""
        upward: list[str] = []
        here = clean.word(self.conversation.get("head_id"))
        while here in self.sessions and here not in upward:
            upward.append(here)
            here = clean.word(self.sessions[here].get("parent_id"))
        line = upward[::-1]
        return line if any(name in self.entries for name in line) else list(self.entries)

    def along(self, line: Sequence[str]) -> tuple[tuple[NewEntry, ...], tuple[int, ...]]:
        found: list[NewEntry] = []
        cuts: dict[int, None] = {}
        for name in line:
            if found and self.sessions.get(name, {}).get("edge") in CONTINUATIONS:
                cuts[len(found)] = None
            for _, entry in sorted(self.entries.get(name, []), key=_seq):
                if entry.kind == kinds.COMPRESSION and is_effective(str(entry.data.get("outcome", ""))) and found:
                    cuts[len(found)] = None
                found.append(entry)
        return tuple(found), tuple(cuts)


def _has_shape(kind: str, body: Record) -> bool:
    """Whether an entry has the fields that later code relies on."""
    if kind in (kinds.USER, kinds.PACKET):
        return isinstance(body.get("text"), str)
    if kind == kinds.ASSISTANT:
        calls = [clean.mapping(call) for call in clean.items(body.get("calls"))]
        return all(_has_name(call) and isinstance(call.get("args"), dict) for call in calls)
    if kind in (kinds.TOOL_CALL, kinds.TOOL_RESULT):
        told = kind == kinds.TOOL_CALL or (isinstance(body.get("text"), str) and isinstance(body.get("ok"), bool))
        return _has_name(body) and told and isinstance(body.get("details", {}), dict)
    if kind == kinds.COMPRESSION and is_effective(str(body.get("outcome", ""))):
        lists = isinstance(body.get("keep_from"), int) and isinstance(body.get("constraints"), list)
        return lists and all(isinstance(body.get(name), str) for name in ("text", "first", "summary"))
    return True


def _has_name(held: Record) -> bool:
    return isinstance(held.get("id"), str) and isinstance(held.get("name"), str)


def _is_storable(body: Record) -> bool:
    try:
        encode_body(body)
    except BadText:
        return False
    return bool(body)


def _seq(pair: tuple[int, Any]) -> int:
    return pair[0]
