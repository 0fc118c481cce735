"""Chat markups where one character on each side makes a style: WhatsApp's and Slack's."""

from __future__ import annotations

from collections.abc import Callable

from baton.adapters.platforms.markup.layout import Close, Kind, Layout, Open, Piece, Text, address_suffix, lay_out

_DELIMITERS: dict[Kind, str] = {"bold": "*", "italic": "_", "strike": "~", "code": "`"}
_FENCE = "```"
_ZERO_WIDTH = "\u200b"
"""A zero-width space: delimiters count only at the edge of a word."""

LinkEnd = Callable[[str, str], tuple[str, str]]
"""From the rendered label and the address: the label as it is written, and what follows it."""


def to_whatsapp(markdown: str) -> str:
    """WhatsApp's markup: *bold*, _italic_, ~strike~, `code`. It has no links and no way to escape."""
    return DelimitedWriter(lambda text: text, lambda label, address: (label, address_suffix(label, address))).write(
        lay_out(markdown, quote="> ")
    )


def to_mrkdwn(markdown: str) -> str:
    """Slack's own markup. Text is escaped, so that it can mention nobody."""
    return DelimitedWriter(escape_mrkdwn, _link).write(lay_out(markdown, quote="> "))


class DelimitedWriter:
    """Writes pieces. Styles close at the end of a line and open again on the next, as these markups demand."""

    def __init__(self, escape: Callable[[str], str], link: LinkEnd) -> None:
        self._escape = escape
        self._link = link
        self._out: list[str] = []
        self._wanted: list[Kind] = []
        self._active: list[Kind] = []
        self._links: list[tuple[str, int]] = []
        self._just_closed = False
        self._code: Kind | None = None

    def write(self, pieces: list[Piece]) -> str:
        for piece in pieces:
            if isinstance(piece, Text):
                self._write_text(piece.text)
            elif isinstance(piece, Layout):
                self._set_styles([])
                self._put(piece.text)
            elif isinstance(piece, Open):
                self._begin(piece)
            else:
                self._end(piece)
        self._set_styles([])
        return "".join(self._out)

    def _begin(self, mark: Open) -> None:
        if mark.kind == "link":
            self._set_styles(self._wanted)
            self._links.append((mark.detail, len(self._out)))
        elif mark.kind in ("pre", "code"):
            self._code = mark.kind
        elif mark.kind in _DELIMITERS:
            self._wanted.append(mark.kind)

    def _end(self, mark: Close) -> None:
        if mark.kind == "link":
            self._set_styles(self._wanted)
            address, since = self._links.pop()
            label, rest = self._link("".join(self._out[since:]), address)
            self._out[since:] = [label, rest]
            self._just_closed = False
        elif mark.kind in ("pre", "code"):
            self._code = None
        elif mark.kind in _DELIMITERS:
            self._wanted.remove(mark.kind)

    def _write_text(self, text: str) -> None:
        if self._code == "pre":
            self._set_styles([])
            body = self._escape(text.replace(_FENCE, f"``{_ZERO_WIDTH}`"))
            self._put(f"{_FENCE}\n{body}\n{_FENCE}")
            return
        self._set_styles(self._wanted)
        if self._code == "code" and "`" not in text:
            self._separate()
            self._put(f"`{self._escape(text)}`")
            self._just_closed = True
            return
        self._put(self._escape(text))

    def _set_styles(self, wanted: list[Kind]) -> None:
        """Closes and opens delimiters until exactly these styles are active."""
        keep = 0
        while keep < min(len(wanted), len(self._active)) and wanted[keep] == self._active[keep]:
            keep += 1
        if closing := self._active[keep:]:
            self._put("".join(_DELIMITERS[kind] for kind in reversed(closing)))
            self._just_closed = True
        if opening := wanted[keep:]:
            self._separate()
            self._put("".join(_DELIMITERS[kind] for kind in opening))
            self._just_closed = False
        self._active = list(wanted)

    def _separate(self) -> None:
        if self._out and self._out[-1][-1:].isalnum():
            self._out.append(_ZERO_WIDTH)

    def _put(self, text: str) -> None:
        if text:
            if self._just_closed and text[0].isalnum():
                self._out.append(_ZERO_WIDTH)
            self._just_closed = False
            self._out.append(text)


def escape_mrkdwn(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _link(label: str, address: str) -> tuple[str, str]:
    target = escape_mrkdwn(address).replace("|", "%7C")
    return f"<{target}|{label}>", ""
