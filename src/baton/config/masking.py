"""What may be shown of text from outside: no passwords of URLs, no control characters."""

from __future__ import annotations

import re

_LONGEST_SHOWN = 60
_SECRET = re.compile(r"(?i)pass|secret|token|key|auth|credential")


def mask_url(text: str) -> str:
    """The text with the passwords of a URL replaced by `***`.

    If in doubt it hides too much: a password may itself hold `@` or `/` that somebody forgot to encode.
    """
    if "://" not in text:
        return text
    text = re.sub(r"(?i)([?&][^=&#]*(?:pass|secret|token|key|%)[^=&#]*=)[^&#]*", r"\1***", text)
    return re.sub(r"://([^:@/?]*):.*@", r"://\1:***@", text)


def mask_text(text: str) -> str:
    """`***`, unless the text holds no secret itself but says where to take it from: `Bearer ${TOKEN}`."""
    rest = re.sub(r"\$\{[A-Za-z_][A-Za-z0-9_]*\}", "", text)
    return text if text != rest and re.fullmatch(r"(?:(?:Bearer|Basic|token) )?", rest) else "***"


def mask_argument(text: str, before: str) -> str:
    """A program's argument, given the one before it: the value of an argument named like a secret is hidden."""
    name, equals, _ = text.partition("=")
    if equals and _SECRET.search(name):
        return f"{name}=***"
    named = before.startswith("-") and "=" not in before and _SECRET.search(before)
    return "***" if named and not text.startswith("-") else mask_url(text)


def printable(text: str) -> str:
    """The text on one line, with everything a terminal could misread written as an escape."""
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() else each.encode("unicode_escape").decode() for each in text)


def excerpt(text: str, *, bare: bool = False) -> str:
    """The beginning of a value as it was given, safe to show; in quotes unless it was `bare`."""
    shown = printable(mask_url(text))
    if len(shown) > _LONGEST_SHOWN:
        shown = shown[:_LONGEST_SHOWN] + "…"
    return shown if bare else f'"{shown}"'
