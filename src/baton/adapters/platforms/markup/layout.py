"""Lays a parsed message out as a list of pieces that every linear output is written from.

Every mark that opens closes, marks nest, a kind is never open twice, and code holds no other mark.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import Literal

from markdown_it.token import Token

from baton.adapters.platforms.markup.parse import parse
from baton.core.value import value

_INLINE: dict[str, Kind] = {"strong": "bold", "em": "italic", "s": "strike"}
_BULLETS = "•◦▪"
_RULE = "———"
Kind = Literal["bold", "italic", "strike", "code", "pre", "link", "quote"]
_WIDEST = 40
"""Columns are padded up to this width; a longer cell shifts the rest of its line."""


@value
class Text:
    """Words of the message, with line breaks only inside `pre`."""

    text: str


@value
class Layout:
    """Line breaks, bullets and indents: our own, never escaped."""

    text: str


@value
class Open:
    """A mark begins. `detail` is a link's address or the language of a code block."""

    kind: Kind
    detail: str = ""


@value
class Close:
    kind: Kind


Piece = Text | Layout | Open | Close


def lay_out(markdown: str, *, quote: str) -> list[Piece]:
    """`quote` begins each line of a quotation. A message that would show nothing is shown as it was written."""
    layout = _Layouter(quote)
    layout.blocks(parse(markdown))
    if any(isinstance(piece, Text) and piece.text.strip() for piece in layout.out):
        return layout.out
    return [Text(markdown.strip())]


class _Layouter:
    def __init__(self, quote: str) -> None:
        self.out: list[Piece] = []
        self._quote = quote
        self._prefixes: list[str] = []
        self._tight: list[bool] = []
        self._numbers: list[int | None] = []
        self._first = True
        self._open: list[Kind] = []

    def blocks(self, tokens: Sequence[Token]) -> None:
        at = 0
        while at < len(tokens):
            token = tokens[at]
            if token.type == "table_open":
                at = self._table(tokens, at)
            elif handler := _BLOCKS.get(token.type):
                handler(self, tokens, at)
            at += 1

    def _start(self, prefix: str | None = None) -> None:
        """Before a block: a line break, or two, unless it is the first in its container."""
        if self._first:
            self._first = False
            return
        prefix = "".join(self._prefixes) if prefix is None else prefix
        tight = bool(self._tight) and self._tight[-1]
        self.out.append(Layout(f"\n{prefix}" if tight else f"\n{prefix.rstrip()}\n{prefix}"))

    def list_open(self, tokens: Sequence[Token], at: int) -> None:
        token = tokens[at]
        self._start()
        self._first = True
        self._tight.append(_is_tight(tokens, at))
        self._numbers.append(int(token.attrGet("start") or 1) if token.type == "ordered_list_open" else None)

    def list_close(self, _tokens: Sequence[Token], _at: int) -> None:
        self._tight.pop()
        self._numbers.pop()
        self._first = False

    def item_open(self, _tokens: Sequence[Token], _at: int) -> None:
        self._start()
        number = self._numbers[-1]
        bullets = sum(each is None for each in self._numbers)
        marker = f"{_BULLETS[(bullets - 1) % 3]} " if number is None else f"{number}. "
        self._numbers[-1] = None if number is None else number + 1
        self.out.append(Layout(marker))
        self._prefixes.append(" " * len(marker))
        self._first = True

    def item_close(self, _tokens: Sequence[Token], _at: int) -> None:
        self._prefixes.pop()
        self._first = False

    def quote_open(self, _tokens: Sequence[Token], _at: int) -> None:
        self._start()
        self._mark("quote")
        if self._quote:
            self.out.append(Layout(self._quote))
        self._prefixes.append(self._quote)
        self._tight.append(False)
        self._first = True

    def quote_close(self, _tokens: Sequence[Token], _at: int) -> None:
        self._prefixes.pop()
        self._tight.pop()
        self._first = False
        self._unmark("quote")

    def paragraph(self, _tokens: Sequence[Token], _at: int) -> None:
        self._start()

    def heading_open(self, _tokens: Sequence[Token], _at: int) -> None:
        self._start()
        self._mark("bold")

    def heading_close(self, _tokens: Sequence[Token], _at: int) -> None:
        self._unmark("bold")

    def rule(self, _tokens: Sequence[Token], _at: int) -> None:
        self._start()
        self.out.append(Layout(_RULE))

    def code(self, tokens: Sequence[Token], at: int) -> None:
        info = tokens[at].info.split()
        self._pre(tokens[at].content.rstrip("\n"), info[0] if info else "")

    def _pre(self, text: str, language: str) -> None:
        """Code is not indented, so that it can be copied."""
        quotes = "".join(prefix for prefix in self._prefixes if prefix.strip())
        self._start(quotes)
        self._mark("pre", language)
        self.out.append(Text(text.replace("\n", f"\n{quotes}") if quotes else text))
        self._unmark("pre")

    def _table(self, tokens: Sequence[Token], at: int) -> int:
        rows: list[list[str]] = []
        while tokens[at].type != "table_close":
            token = tokens[at]
            if token.type == "tr_open":
                rows.append([])
            elif token.type == "inline":
                rows[-1].append(_plain_words(token.children or ()))
            at += 1
        self._pre(_render_table(rows), "")
        return at

    def inline(self, tokens: Sequence[Token], at: int) -> None:
        self._inline(tokens[at].children or ())

    def _inline(self, children: Sequence[Token]) -> None:
        for child in children:
            name, _, side = child.type.partition("_")
            if kind := _INLINE.get(name):
                self._mark(kind) if side == "open" else self._unmark(kind)
            elif child.type == "code_inline":
                self._code(child.content)
            elif child.type == "link_open":
                self._mark("link", str(child.attrGet("href")))
            elif child.type == "link_close":
                self._link_close()
            elif child.type == "image":
                self._image(child)
            elif child.type in ("softbreak", "hardbreak"):
                self.out.append(Layout("\n" + "".join(self._prefixes)))
            elif child.content:
                self.out.append(Text(child.content))

    def _code(self, content: str) -> None:
        within_link = "link" in self._open
        if not within_link:
            self._mark("code")
        self.out.append(Text(content))
        if not within_link:
            self._unmark("code")

    def _link_close(self) -> None:
        """A link without a text shows its address."""
        last = self.out[-1]
        if isinstance(last, Open):
            self.out.append(Text(last.detail))
        self._unmark("link")

    def _image(self, token: Token) -> None:
        """A link to the picture, with its alternative text as the label."""
        address = str(token.attrGet("src"))
        self._mark("link", address)
        self.out.append(Text(_plain_words(token.children or ()) or address))
        self._unmark("link")

    def _mark(self, kind: Kind, detail: str = "") -> None:
        if kind not in self._open:
            self.out.append(Open(kind, detail))
        self._open.append(kind)

    def _unmark(self, kind: Kind) -> None:
        """Marks close in the order of nesting, because the parse nests."""
        self._open.pop()
        if kind not in self._open:
            self.out.append(Close(kind))


def _is_tight(tokens: Sequence[Token], at: int) -> bool:
    """Whether the items of the list that opens here have no blank lines between them."""
    level = tokens[at].level
    while True:
        at += 1
        token = tokens[at]
        if token.type == "paragraph_open" and token.level == level + 2:
            return token.hidden
        if token.nesting < 0 and token.level == level:
            return True


def _plain_words(children: Sequence[Token]) -> str:
    """The words alone, on one line."""
    return "".join(map(_words, children))


def _words(token: Token) -> str:
    if token.tag == "br":
        return " "
    return _plain_words(token.children) if token.children else token.content


def _render_table(rows: Sequence[Sequence[str]]) -> str:
    """The rows with aligned columns in a fixed-width font, and a rule below the first."""
    widths = [min(_WIDEST, max(map(column_width, cells))) for cells in zip(*rows, strict=True)]
    lines = [_render_row(row, widths) for row in rows]
    lines.insert(1, "  ".join("─" * max(width, 1) for width in widths))
    return "\n".join(lines)


def _render_row(row: Sequence[str], widths: Sequence[int]) -> str:
    padded = (cell + " " * (width - column_width(cell)) for cell, width in zip(row, widths, strict=True))
    return "  ".join(padded).rstrip()


def address_suffix(label: str, address: str) -> str:
    """What must follow a link's label so that the address can be read; empty if the label is the address."""
    if label.strip() in (address, address.removeprefix("mailto:")):
        return ""
    return f" ({address})"


def column_width(text: str) -> int:
    """The width in cells of a fixed-width font."""
    return len(text) if text.isascii() else sum(map(_column_width, text))


def _column_width(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


_BLOCKS = {
    "bullet_list_open": _Layouter.list_open,
    "ordered_list_open": _Layouter.list_open,
    "bullet_list_close": _Layouter.list_close,
    "ordered_list_close": _Layouter.list_close,
    "list_item_open": _Layouter.item_open,
    "list_item_close": _Layouter.item_close,
    "blockquote_open": _Layouter.quote_open,
    "blockquote_close": _Layouter.quote_close,
    "paragraph_open": _Layouter.paragraph,
    "heading_open": _Layouter.heading_open,
    "heading_close": _Layouter.heading_close,
    "hr": _Layouter.rule,
    "fence": _Layouter.code,
    "code_block": _Layouter.code,
    "inline": _Layouter.inline,
}
