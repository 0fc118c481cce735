"""Writes a whole file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from baton.adapters.tools import specs
from baton.adapters.tools.arguments import refuse
from baton.adapters.tools.change import Changing
from baton.adapters.tools.files import opening

CONTENT_LIMIT = 2_000_000


class Write(Changing):
    """Atomic: the file is the old one or the new one, never part of one. Directories are made; the mode is kept."""

    spec = specs.spec(
        "write",
        "Write a file whole, creating it and its directories where missing. To change part of a file use edit.",
        ["path", "content"],
        path=specs.path("The file, relative to the workspace."),
        content=specs.text("Everything the file shall contain.", most=CONTENT_LIMIT),
    )

    def after(self, checked: Mapping[str, Any], before: opening.Content | None, shown: str) -> bytes:
        del before, shown
        try:
            return checked["content"].encode()
        except UnicodeEncodeError:
            raise refuse(self.spec, "content holds a lone surrogate, which no file can") from None
