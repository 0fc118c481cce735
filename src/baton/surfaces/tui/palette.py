"""The colours of the chat, dark and light: every colour on the screen is one of these, by its name.

Text has a contrast of at least 4.5 on every ground it stands on; `tests/surface/tui/test_colors.py` measures it on the
drawn screen. Rich asks for styles by hand, Textual by variables (`$muted` in `chat.tcss` and in `Content`).
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from rich.style import Style
from textual.theme import Theme

from baton.core.value import value

if TYPE_CHECKING:
    from rich.theme import Theme as RichTheme


@value
class Palette:
    """Grounds first, then what stands on them."""

    name: str
    dark: bool
    ground: str
    raised: str
    bar: str
    marked: str
    line: str
    text: str
    muted: str
    accent: str
    you: str
    good: str
    warn: str
    bad: str
    keyword: str
    string: str
    number: str
    call: str
    kind: str
    added: str
    added_word: str
    removed: str
    removed_word: str

    def style(self, color: str, ground: str = "", *, bold: bool = False, italic: bool = False) -> Style:
        """By the names of colours: `style("muted", "raised")`."""
        return _style(getattr(self, color), getattr(self, ground) if ground else None, bold, italic)


@cache
def _style(color: str, ground: str | None, bold: bool, italic: bool) -> Style:
    return Style(color=color, bgcolor=ground, bold=bold or None, italic=italic or None)


DARK = Palette(
    name="baton-dark",
    dark=True,
    ground="#12151a",
    raised="#1b2027",
    bar="#222932",
    marked="#33404f",
    line="#4a5666",
    text="#e4e8ed",
    muted="#a3aebb",
    accent="#f2aa5e",
    you="#82c4ff",
    good="#83d392",
    warn="#f0ca6b",
    bad="#ff9a97",
    keyword="#cdabff",
    string="#a8d8a2",
    number="#f5be8a",
    call="#82c4ff",
    kind="#78d5d3",
    added="#16301f",
    added_word="#22583a",
    removed="#3a1c20",
    removed_word="#6b2c33",
)
LIGHT = Palette(
    name="baton-light",
    dark=False,
    ground="#fbfaf7",
    raised="#f2f0ea",
    bar="#e7e4dc",
    marked="#d6e2ee",
    line="#a49f93",
    text="#20242a",
    muted="#4f5761",
    accent="#964200",
    you="#0b5599",
    good="#1b6430",
    warn="#6f4c00",
    bad="#a81e2b",
    keyword="#732aa6",
    string="#1d6334",
    number="#8a4300",
    call="#0b5599",
    kind="#0a5f60",
    added="#dff2e2",
    added_word="#b4e2bd",
    removed="#fae3e2",
    removed_word="#f4bfbf",
)
PALETTES = {palette.name: palette for palette in (DARK, LIGHT)}


def textual_theme(palette: Palette) -> Theme:
    """For `chat.tcss` and Textual's own widgets. No text is faded: a faded colour has a contrast nobody chose."""
    named = ("raised", "bar", "marked", "line", "muted", "you", "good", "warn", "bad")
    return Theme(
        name=palette.name,
        dark=palette.dark,
        primary=palette.you,
        secondary=palette.kind,
        accent=palette.accent,
        warning=palette.warn,
        error=palette.bad,
        success=palette.good,
        foreground=palette.text,
        background=palette.ground,
        surface=palette.ground,
        panel=palette.bar,
        boost=palette.raised,
        variables={name: str(getattr(palette, name)) for name in named} | _widget_colors(palette),
    )


def _widget_colors(palette: Palette) -> dict[str, str]:
    """Variables of Textual's own widgets, which would be mixed otherwise."""
    return {
        "text": palette.text,
        "text-muted": palette.muted,
        "text-disabled": palette.muted,
        "foreground-muted": palette.muted,
        "foreground-disabled": palette.muted,
        "block-cursor-foreground": palette.text,
        "block-cursor-background": palette.marked,
        "block-cursor-text-style": "bold",
        "block-cursor-blurred-foreground": palette.text,
        "block-cursor-blurred-background": palette.marked,
        "block-hover-background": palette.raised,
        "input-cursor-background": palette.text,
        "input-cursor-foreground": palette.ground,
        "input-selection-background": palette.marked,
        "screen-selection-background": palette.marked,
        "scrollbar": palette.line,
        "scrollbar-hover": palette.muted,
        "scrollbar-active": palette.accent,
        "scrollbar-background": palette.ground,
        "scrollbar-background-hover": palette.ground,
        "scrollbar-background-active": palette.ground,
        "scrollbar-corner-color": palette.ground,
        "markdown-h1-color": palette.accent,
        "markdown-h2-color": palette.accent,
        "markdown-h3-color": palette.text,
        "border": palette.line,
        "border-blurred": palette.line,
    }


@cache
def markdown_theme(palette: Palette) -> RichTheme:
    """How Rich draws an answer."""
    from rich.theme import Theme as RichTheme

    heading = palette.style("accent", bold=True)
    return RichTheme(
        {
            "markdown.h1": heading + Style(underline=True),
            **{f"markdown.h{level}": heading for level in (2, 3, 4, 5, 6)},
            "markdown.code": palette.style("kind", "raised"),
            "markdown.code_block": palette.style("text", "raised"),
            "markdown.block_quote": palette.style("muted"),
            "markdown.item.bullet": palette.style("accent"),
            "markdown.item.number": palette.style("accent"),
            "markdown.hr": palette.style("line"),
            "markdown.link": palette.style("you"),
            "markdown.link_url": palette.style("muted"),
            "markdown.table.border": palette.style("line"),
            "markdown.table.header": palette.style("text", bold=True),
            "markdown.strong": Style(bold=True),
            "markdown.em": Style(italic=True),
            "markdown.s": Style(strike=True),
        }
    )
