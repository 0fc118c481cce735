"""What the work after the cut used, as far as it had been seen before: files (FU), code names (SY), commands (CM)."""

from __future__ import annotations

import re
from collections.abc import Iterable

from baton.core.log.entry import strings
from bench.continuity.commands import normal
from bench.continuity.dialogue import Call, Dialogue
from bench.continuity.fact import Fact, once
from bench.continuity.folding import COMMAND, bare

CALLS = 20
EDITS = 10
CHANGES = ("edit", "write")
READS = ("read", "search", "list")
_NAME = re.compile(r"\b(?=[A-Za-z0-9]*_[A-Za-z0-9]|[a-z0-9]+[A-Z]|[A-Z][a-z0-9]+[A-Z])[A-Za-z_][A-Za-z0-9_]{5,60}\b")
_MOST_TEXT = 200_000


def files(before: Dialogue, after: Dialogue) -> list[Fact]:
    return [*edited_files(before, after), *read_files(before, after)]


def edited_files(before: Dialogue, after: Dialogue) -> list[Fact]:
    edited = _paths(before.calls, CHANGES)
    return _files(before, after, edited)


def read_files(before: Dialogue, after: Dialogue) -> list[Fact]:
    return _files(before, after, _paths(before.calls, READS) - _paths(before.calls, CHANGES))


def _paths(calls: Iterable[Call], tools: tuple[str, ...]) -> set[str]:
    return {call.path for call in calls if call.name in tools and call.ok and _is_file(call.path)}


def _is_file(path: str) -> bool:
    return "." in path.rsplit("/", 1)[-1].lstrip(".") or (path != "" and path[0] != "/" and "/" in path)


def _files(before: Dialogue, after: Dialogue, known: set[str]) -> list[Fact]:
    born = len(before.entries)
    wanted = [
        call.path for call in after.calls[:CALLS] if call.name in ("edit", "write", "read") and call.path in known
    ]
    return once(Fact(path, (path.rsplit("/", 1)[-1],), born) for path in wanted)


def names(before: Dialogue, after: Dialogue) -> list[Fact]:
    edits = [call for call in after.calls if call.name in CHANGES][:EDITS]
    written = {name for edit in edits for text in strings(dict(edit.args)) for name in _NAME.findall(text[:20_000])}
    if not written:
        return []
    seen: set[str] = set()
    for entry in before.entries:
        for text in strings(dict(entry.data)):
            seen |= written.intersection(_NAME.findall(text[:_MOST_TEXT]))
    return [Fact(name, (name,), len(before.entries)) for name in sorted(seen)]


def commands(before: Dialogue, after: Dialogue) -> list[Fact]:
    known = {normal(call.command) for call in before.shell if call.refusal is None}
    wanted = [call.command for call in after.calls[:CALLS] if call.command and normal(call.command) in known]
    found = (
        Fact(text, (bare(text)[:COMMAND].rstrip(),), len(before.entries), (normal(text)[:COMMAND],)) for text in wanted
    )
    return once(found)
