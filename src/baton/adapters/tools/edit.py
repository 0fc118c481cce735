"""Replaces text in a file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from baton.adapters.tools import specs
from baton.adapters.tools.arguments import refuse
from baton.adapters.tools.change import Changing
from baton.adapters.tools.files import opening
from baton.adapters.tools.write import CONTENT_LIMIT
from baton.core.errors import ToolError


class Edit(Changing):
    """Exact text for other text. Everything else in the file, line ends included, stays byte for byte."""

    spec = specs.spec(
        "edit",
        "Replace text in a file. old must stand in the file exactly as given, and only once unless all is true.",
        ["path", "old", "new"],
        path=specs.path("The file, relative to the workspace."),
        old=specs.text("The text to replace, without line numbers.", least=1, most=CONTENT_LIMIT),
        new=specs.text("What to put in its place.", most=CONTENT_LIMIT),
        all=specs.flag("Replace every occurrence."),
    )

    def after(self, checked: Mapping[str, Any], before: opening.Content | None, shown: str) -> bytes:
        old, new = checked["old"], checked["new"]
        if old == new:
            raise refuse(self.spec, "old and new are the same")
        text = self._text(before, shown)
        if "\r\n" in text and old not in text:
            old, new = (part.replace("\r\n", "\n").replace("\n", "\r\n") for part in (old, new))
        count = text.count(old)
        if count == 0:
            raise self._failed(f"the text to replace is not in {shown}{_hint(text, checked['old'])}")
        if count > 1 and not checked["all"]:
            raise self._failed(f"the text to replace stands {count} times in {shown}; give more of it, or all")
        try:
            return text.replace(old, new).encode()
        except UnicodeEncodeError:
            raise refuse(self.spec, "new holds a lone surrogate, which no file can") from None

    def _text(self, before: opening.Content | None, shown: str) -> str:
        if before is None:
            raise self._failed(f"{shown}: there is no such file")
        try:
            return before.data.decode()
        except UnicodeDecodeError:
            raise self._failed(f"{shown} is not UTF-8 text") from None

    def _failed(self, reason: str) -> ToolError:
        return ToolError(tool=self.spec.name, reason=reason)


def _hint(text: str, old: str) -> str:
    """Where something stands that differs in white space only."""
    wanted = next(filter(None, (" ".join(line.split()) for line in old.split("\n"))), "")
    for number, line in enumerate(text.split("\n"), 1):
        if wanted and " ".join(line.split()) == wanted:
            return f"; line {number} is like it but for white space or what follows"
    return ""
