"""YAML text to nodes that remember their lines. Only plain YAML is accepted; nothing is ever constructed.

PyYAML's composer recurses: deep nesting would end the process with a segmentation fault, so the flat stream of events
is checked before anything is composed.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Protocol

import yaml

from baton.config.masking import excerpt, printable
from baton.config.problems import (
    CONTROL_CHARACTER,
    NOT_YAML,
    REFERENCE,
    SECOND_DOCUMENT,
    TAB,
    TOO_DEEP,
    Problems,
)

if TYPE_CHECKING:
    from collections.abc import Callable


class _Parser(Protocol):
    """The part of PyYAML's loaders that is used here."""

    def get_event(self) -> yaml.Event | None: ...
    def get_single_node(self) -> yaml.Node | None: ...


_DEEPEST = 20
_UNPRINTABLE = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_parser: Callable[[str], _Parser] = yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader


def compose(text: str, file: str, problems: Problems) -> yaml.Node | None:
    """The root node of the only document in `text`; `None` when it is empty or cannot be used."""
    odd = _UNPRINTABLE.search(text)
    if odd:
        line = text.count("\n", 0, odd.start()) + 1
        problems.add(CONTROL_CHARACTER, where=f"{file}:{line}", found=printable(odd[0]))
        return None
    try:
        return _parser(text).get_single_node() if _is_plain(text, file, problems) else None
    except yaml.MarkedYAMLError as error:
        _report(error, text, file, problems)
    except (yaml.YAMLError, ValueError, OverflowError):
        problems.add(NOT_YAML, where=file, reason="it cannot be decoded")
    return None


def _is_plain(text: str, file: str, problems: Problems) -> bool:
    """Whether the text is one document of bounded depth, without references and tags; reports what is not."""
    depth = documents = 0
    parser = _parser(text)
    while (event := parser.get_event()) is not None:
        where = f"{file}:{event.start_mark.line + 1}"
        depth += _step(event)
        documents += isinstance(event, yaml.DocumentStartEvent)
        if depth > _DEEPEST:
            problems.add(TOO_DEEP, where=where, limit=_DEEPEST)
            return False
        if documents > 1:
            problems.add(SECOND_DOCUMENT, where=where)
            return False
        if found := _reference(event):
            problems.add(REFERENCE, where=where, found=excerpt(found, bare=True))
            return False
    return True


def _step(event: yaml.Event) -> int:
    if isinstance(event, yaml.CollectionStartEvent):
        return 1
    return -1 if isinstance(event, yaml.CollectionEndEvent) else 0


def _reference(event: yaml.Event) -> str | None:
    """The anchor, alias or tag that this event carries, as it is written."""
    if isinstance(event, yaml.AliasEvent):
        return f"*{event.anchor}"
    if isinstance(event, yaml.ScalarEvent | yaml.CollectionStartEvent):
        if event.anchor:
            return f"&{event.anchor}"
        return event.tag
    return None


def _report(error: yaml.MarkedYAMLError, text: str, file: str, problems: Problems) -> None:
    lines = text.splitlines() or [""]
    mark = error.problem_mark
    index = min(mark.line, len(lines) - 1) if mark else 0
    where = f"{file}:{index + 1}"
    line = lines[index]
    if "\t" in line[: len(line) - len(line.lstrip())]:
        problems.add(TAB, where=where)
    else:
        problems.add(NOT_YAML, where=where, reason=error.problem or "it cannot be read")
