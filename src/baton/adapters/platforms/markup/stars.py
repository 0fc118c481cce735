"""WhatsApp's markup: *bold*, _italic_, ~strike~, `code`. It knows no links and no way to escape."""

from __future__ import annotations

from baton.adapters.platforms.markup.delimited import Delimited
from baton.adapters.platforms.markup.layout import pieces
from baton.adapters.platforms.markup.links import shown_address


def to_stars(markdown: str) -> str:
    return Delimited(lambda text: text, lambda label, address: (label, shown_address(label, address))).write(
        pieces(markdown, quote="> ")
    )
