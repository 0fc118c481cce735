"""Passwords out of URLs, control characters out of lines: what may be shown of text that came from outside."""

from __future__ import annotations

import re

_LONGEST_SHOWN = 60


def masked(text: str) -> str:
    """The text with the passwords of a URL replaced by `***`.

    In doubt it hides too much: a password may itself hold `@` or `/` that somebody forgot to encode.
    """
    if "://" not in text:
        return text
    text = re.sub(r"(?i)([?&][^=&#]*(?:pass|secret|token|key|%)[^=&#]*=)[^&#]*", r"\1***", text)
    return re.sub(r"://([^:@/?]*):.*@", r"://\1:***@", text)


def printable(text: str) -> str:
    """The text on one line, with everything a terminal could misread written as an escape."""
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() else each.encode("unicode_escape").decode() for each in text)


def excerpt(text: str, *, bare: bool = False) -> str:
    """The beginning of a value as somebody gave it, fit to be shown; in quotes unless it was `bare`."""
    shown = printable(masked(text))
    if len(shown) > _LONGEST_SHOWN:
        shown = shown[:_LONGEST_SHOWN] + "…"
    return shown if bare else f'"{shown}"'
