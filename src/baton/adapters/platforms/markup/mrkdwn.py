"""Slack's own markup. Text is escaped, so that it can mention nobody."""

from __future__ import annotations

from baton.adapters.platforms.markup.delimited import Delimited
from baton.adapters.platforms.markup.layout import pieces


def to_mrkdwn(markdown: str) -> str:
    return Delimited(_escaped, _link).write(pieces(markdown, quote="> "))


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _link(label: str, address: str) -> tuple[str, str]:
    target = _escaped(address).replace("|", "%7C")
    return f"<{target}|{label}>", ""
