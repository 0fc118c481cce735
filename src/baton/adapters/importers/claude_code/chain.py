"""The main line of a Claude Code file: from its newest record back to the first, not in the order of the file.

A rewind leaves a dead branch behind. A message with several tool calls is written as several records, and each result
follows its own one: those are beside the chain, and belong to it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from baton.adapters.importers.claude_code.rows import ASSISTANT, BOUNDARY, LINK, OTHER, SUMMARY, USER, Row

_TALK = (USER, ASSISTANT, SUMMARY)
_LINKED = (*_TALK, BOUNDARY, LINK)
ORPHAN = "missing parent"
LOOP = "parent loop"


def main_line(rows: Sequence[Row], skipped: Counter[str]) -> tuple[list[Row], int]:
    """The rows of the live branch in order, and how many messages lie on dead ones."""
    kept = _walk(rows, skipped)
    _add_siblings(rows, kept)
    live = [row for index, row in enumerate(rows) if index in kept or row.kind == OTHER or not row.uuid]
    dead = sum(index not in kept and row.kind in _TALK and bool(row.uuid) for index, row in enumerate(rows))
    return live, dead


def _walk(rows: Sequence[Row], skipped: Counter[str]) -> set[int]:
    places: dict[str, int] = {}
    for index, row in enumerate(rows):
        if row.uuid:
            places.setdefault(row.uuid, index)
    here = _before(rows, len(rows), _TALK)
    kept: set[int] = set()
    lowest = len(rows)
    while here is not None:
        kept.add(here)
        lowest = min(lowest, here)
        parent = rows[here].parent
        if parent is None:
            break
        above = places.get(parent)
        if above is None or above in kept:
            skipped[ORPHAN if above is None else LOOP] += 1
            above = _before(rows, lowest, _LINKED)
        here = above
    return kept


def _before(rows: Sequence[Row], index: int, kinds: tuple[str, ...]) -> int | None:
    """If a link is broken, the preceding record in the file is the best guess. Each guess is nearer to the start."""
    return next((each for each in range(index - 1, -1, -1) if rows[each].uuid and rows[each].kind in kinds), None)


def _add_siblings(rows: Sequence[Row], kept: set[int]) -> None:
    messages = {rows[index].message_id for index in kept if rows[index].kind == ASSISTANT and rows[index].message_id}
    kept.update(
        index for index, row in enumerate(rows) if row.kind == ASSISTANT and row.message_id in messages and row.uuid
    )
    answered = set(_answers(rows[index] for index in kept))
    asked = {tool.id for index in kept for tool in rows[index].tools if tool.id} - answered
    for index, row in enumerate(rows):
        mine = {result.id for result in row.results} & asked
        if mine and index not in kept:
            kept.add(index)
            asked -= mine


def _answers(rows: Iterable[Row]) -> Iterable[str]:
    return (result.id for row in rows for result in row.results)
