"""Where a value came from, and how a layer gives one to a key."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from baton.config.kinds import TableOf
from baton.config.masking import excerpt
from baton.config.problems import UNKNOWN_KEY, UNKNOWN_KEY_ALONE, WRONG_VALUE, Problems, nearest
from baton.config.schema import tree
from baton.core.value import value

if TYPE_CHECKING:
    from pathlib import Path

    from baton.config.keys import Key, Section

Layer = Literal["default", "user", "project", "environment", "flag"]
_HIDDEN = "a value that is not shown"


@value
class Source:
    """The layer of a value, and within it the file and line or the variable."""

    layer: Layer
    file: Path | None = None
    line: int | None = None
    variable: str | None = None

    @property
    def where(self) -> str:
        """The spot to look at, as short as it can be: `/x/config.yaml:3`, `BATON_MODEL`, `flag`."""
        if self.file is not None:
            return str(self.file) if self.line is None else f"{self.file}:{self.line}"
        return self.variable or self.layer

    def __str__(self) -> str:
        return self.layer if self.where == self.layer else f"{self.layer} {self.where}"


Given = dict[str, tuple[object, Source]]
"""What one layer gives: the value and its source, by key."""


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
