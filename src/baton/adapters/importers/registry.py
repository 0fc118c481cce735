"""Which formats can be read: one line each."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from baton.adapters.importers.baton import BatonExport
from baton.adapters.importers.claude_code import ClaudeCode
from baton.adapters.importers.codex import Codex
from baton.adapters.importers.opencode import OpenCode
from baton.core.errors import BadInput
from baton.core.ids import quote
from baton.ports.importer import Imported, Importer

AUTO = "auto"


def importers() -> list[Importer]:
    """Every importer, the strictest first."""
    return [BatonExport(), OpenCode(), Codex(), ClaudeCode()]


def names() -> tuple[str, ...]:
    return tuple(importer.name for importer in importers())


def choose(path: Path, format: str = AUTO, among: Sequence[Importer] = ()) -> Importer:  # noqa: A002
    """The importer of this name, or the first that recognises the file. `BadInput` if there is none."""
    every = among or importers()
    for importer in every:
        if importer.name == format or (format == AUTO and importer.recognises(path)):
            return importer
    known = ", ".join((AUTO, *(importer.name for importer in every)))
    if format == AUTO:
        raise BadInput(reason=f"{quote(str(path), 200)} is of no format that can be imported. Known: {known}.")
    raise BadInput(reason=f"There is no format {quote(format)}. Allowed: {known}.")


def read(path: Path, format: str = AUTO) -> Imported:  # noqa: A002
    return choose(path, format).read(path)
