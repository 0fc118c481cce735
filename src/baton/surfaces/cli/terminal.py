"""Output: colours only where they are seen and wanted, a pager for what does not fit, progress on standard error."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from typing import Any, TextIO

from baton.core.display import plain
from baton.surfaces.words import help as words

_CODES = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "blue": "34", "cyan": "36"}


class Terminal:
    """`color` is auto, always or never; NO_COLOR and TERM=dumb mean never, unless always is asked for."""

    def __init__(self, out: TextIO, err: TextIO, color: str = "auto", *, pager: bool = True) -> None:
        self.out = out
        self.err = err
        self._pager = pager
        self._lines: list[str] = []
        self.configure(color, pager=pager)

    def configure(self, color: str, *, pager: bool) -> None:
        unwanted = bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"
        self.colored = color == "always" or (color == "auto" and self.out.isatty() and not unwanted)
        self.err_colored = color == "always" or (color == "auto" and self.err.isatty() and not unwanted)
        self._pager = pager

    @property
    def width(self) -> int:
        """Columns to fill. Output that nobody sees gets lines as long as they are."""
        return _screen()[0] if self.out.isatty() else 10_000

    def style(self, text: str, *names: str) -> str:
        return self._paint(text, names) if self.colored else text

    def style_err(self, text: str, *names: str) -> str:
        return self._paint(text, names) if self.err_colored else text

    def _paint(self, text: str, names: tuple[str, ...]) -> str:
        return f"\x1b[{';'.join(_CODES[name] for name in names)}m{text}\x1b[0m"

    def line(self, text: str = "") -> None:
        """One line of output, shown when the command ends."""
        self._lines.append(text)

    def json(self, value: Any) -> None:
        import json

        indent = 2 if self.out.isatty() else None
        self.line(json.dumps(value, ensure_ascii=False, indent=indent))

    def raw(self, lines: Iterable[str]) -> None:
        """Lines written at once, for output of any length."""
        self.flush()
        for line in lines:
            self.out.write(f"{line}\n")
        self.out.flush()

    def flush(self) -> None:
        """Shows what was said so far."""
        lines, self._lines = self._lines, []
        if not lines:
            return
        text = "\n".join(lines) + "\n"
        if not (self._pager and self.out.isatty() and len(lines) >= _screen()[1] and _page(text)):
            self.out.write(_encodable(text, self.out))
            self.out.flush()

    def note(self, text: str) -> None:
        """A line on standard error, for people beside the output."""
        self.err.write(f"{text}\n")
        self.err.flush()

    def ask(self, question: str) -> bool:
        """Yes only if a person typed yes; nobody there means no."""
        if not sys.stdin.isatty():
            return False
        self.flush()
        self.err.write(words.YES_NO.format(question=question))
        self.err.flush()
        return sys.stdin.readline().strip().lower() in ("y", "yes")

    def progress(self, label: str) -> Progress:
        return Progress(self.err, label)


class Progress:
    """A line that counts up on a terminal, and is gone when the work is done. Silent elsewhere."""

    def __init__(self, out: TextIO, label: str) -> None:
        self._out = out
        self._label = label
        self._shown = -1
        self._live = out.isatty()

    def __call__(self, done: int, total: int) -> None:
        percent = 100 * done // total if total else 100
        if self._live and percent != self._shown:
            self._shown = percent
            self._out.write(
                f"\r{words.PROGRESS.format(label=plain(self._label), percent=percent, done=done, total=total)}"
            )
            if done >= total:
                self._out.write("\r\x1b[K")
            self._out.flush()


def _screen() -> tuple[int, int]:
    """Columns and lines of the terminal, as the user's environment or the terminal itself says."""
    import shutil

    return shutil.get_terminal_size((100, 24))


def _page(text: str) -> bool:
    """Whether a pager showed it."""
    import shlex
    import shutil
    import subprocess

    command = shlex.split(os.environ.get("BATON_PAGER") or os.environ.get("PAGER") or "less")
    if not command or shutil.which(command[0]) is None:
        return False
    environment = {"LESS": "FRX", **os.environ}
    try:
        subprocess.run(command, input=text.encode(errors="replace"), env=environment, check=False)
    except OSError:
        return False
    return True


def _encodable(text: str, out: TextIO) -> str:
    encoding = out.encoding or "utf-8"
    return text.encode(encoding, errors="replace").decode(encoding)
