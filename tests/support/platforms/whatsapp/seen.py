"""What a person sees of WhatsApp's markup."""

from __future__ import annotations

import re

_BLOCK = re.compile(r"```\n?(.*?)\n?```", re.DOTALL)
_CODE = re.compile(r"`([^`\n]+)`")
_MARKS = re.compile(r"(?<![\w*_~])([*_~])(?=\S)([^\n]*?\S)\1(?![\w*_~])")


def seen(text: str) -> str:
    """Without the marks that make letters bold, italic, struck or of one width."""
    text = _CODE.sub(r"\1", _BLOCK.sub(r"\1", text))
    while (less := _MARKS.sub(r"\2", text)) != text:
        text = less
    return text
