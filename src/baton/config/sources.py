"""Where a value came from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from baton.core.value import value

if TYPE_CHECKING:
    from pathlib import Path

Layer = Literal["default", "user", "project", "environment", "flag"]


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
