"""Giving a key its value, or saying why not: the same for every layer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from baton.config.masking import excerpt
from baton.config.problems import UNKNOWN_KEY, UNKNOWN_KEY_ALONE, WRONG_VALUE, Problems, nearest
from baton.config.schema import tree
from baton.config.structures import TableOf

if TYPE_CHECKING:
    from baton.config.keys import Key, Section
    from baton.config.sources import Given, Source

_HIDDEN = "a value that is not shown"


def assign(given: Given, key: Key, text: str, *, bare: bool, source: Source, problems: Problems) -> None:
    """Puts the value that `text` stands for into `given`, or reports it."""
    if isinstance(key.kind, TableOf):
        from baton.config.node_reader import read_text_table

        return read_text_table(given, key, text, source, problems)
    try:
        given[key.path] = key.read(text, bare=bare), source
    except ValueError:
        found = _HIDDEN if key.secret else excerpt(text, bare=bare and text != "")
        problems.add(WRONG_VALUE, where=source.where, key=key.path, found=found, allowed=key.allowed)
    return None


def report_unknown(path: str, section: Section, source: Source, problems: Problems) -> None:
    """Reports a name that `section` does not have, with the one that was most likely meant."""
    known = [each.path for each in tree().walk()]
    if section.path and section.path not in known:
        known = [each.path for each in section.walk()]
    meant = None if problems.full else nearest(path, known)
    if meant:
        problems.add(UNKNOWN_KEY, where=source.where, key=excerpt(path, bare=True), nearest=meant)
    else:
        allowed = ", ".join(section.children)
        problems.add(UNKNOWN_KEY_ALONE, where=source.where, key=excerpt(path, bare=path != ""), allowed=allowed)
