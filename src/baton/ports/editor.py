"""Files as your editor has them, with what is not saved yet."""

from __future__ import annotations

from typing import Protocol


class Editor(Protocol):
    """Called from threads; each call returns within seconds. Paths are absolute and free of links."""

    def read(self, path: str) -> str | None:
        """The text as the editor has it; None if the editor cannot tell."""
        ...

    def write(self, path: str, text: str) -> bool:
        """False if the editor does not write files. `OSError` if it refused."""
        ...
