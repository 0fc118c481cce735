"""The message as plain text: what a notification or a client without styles shows."""

from __future__ import annotations

from baton.adapters.platforms.markup.layout import pieces
from baton.adapters.platforms.markup.links import shown_address
from baton.adapters.platforms.markup.pieces import Close, Open


def to_plain(markdown: str) -> str:
    """The words without marks; quotations begin with `>`, and an address follows the text of its link."""
    text: list[str] = []
    link, since = "", 0
    for piece in pieces(markdown, quote="> "):
        if isinstance(piece, Open):
            if piece.kind == "link":
                link, since = piece.detail, len(text)
        elif not isinstance(piece, Close):
            text.append(piece.text)
        elif piece.kind == "link":
            text.append(shown_address("".join(text[since:]), link))
    return "".join(text)
