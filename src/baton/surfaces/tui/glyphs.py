"""Every sign the chat draws, with its twin in ASCII: for terminals that say they do not speak UTF-8.

The twins take as many columns as the signs: they are put in as the last step, line by line, and nobody has to know.
What people, models and tools wrote in other scripts becomes question marks there: the terminal could not show it.
"""

from __future__ import annotations

from collections.abc import Mapping

from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

from baton.core.display import columns

_PAIRS = (
    ("◢◤", "//"),  # the logo
    ("›◆▸▾⋮▣☐✓✗⋯•", ">*+-:#o+x~*"),  # signs in the transcript
    ("·…–—−×→←↑↓“”‘’", "-_---x><^v\"\"''"),  # in sentences
    ("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏", "|/-\\|/-\\|/"),  # what turns while something happens
    ("▁▂▃▄▅▆▇█", "..::==##"),  # bars
    ("░▒▓▌▐▎▍▋▊▏▕", ".:#||||||||"),
    ("─│╭╮╰╯┌┐└┘├┤┬┴┼", "-|+++++++++++++"),  # borders
    ("━┃┏┓┗┛┡┩╇╈┳┻┣┫╋", "-|+++++++++++++"),
    ("═║╔╗╚╝╠╣╞╡╪", "=|+++++++++"),
    ("╸╺╹╻╴╶╵╷", "--||--||"),
    ("⟨⟩€£\u00a0", "<>EL "),
)
TWINS: Mapping[int, str] = {ord(sign): twin for signs, twins in _PAIRS for sign, twin in zip(signs, twins, strict=True)}


def speaks_utf8(environ: Mapping[str, str]) -> bool:
    """What the locale says: LC_ALL, LC_CTYPE, LANG, the first that is set. If none is, almost every terminal does."""
    said = next((environ[name] for name in ("LC_ALL", "LC_CTYPE", "LANG") if environ.get(name)), "UTF-8")
    return "utf8" in said.lower().replace("-", "")


def in_ascii(text: str) -> str:
    """The same columns, in ASCII."""
    if text.isascii():
        return text
    return "".join(c if c.isascii() else "?" * columns(c) for c in text.translate(TWINS))


class AsciiFilter(LineFilter):
    """Goes over every line before it is drawn."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        del background
        return [Segment(in_ascii(text), style, control) for text, style, control in segments]
