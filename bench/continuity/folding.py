"""How texts are compared: white space folded, and a fact looked for by its first characters."""

from __future__ import annotations

import re

MESSAGE = 60
COMMAND = 50
PIECE = 8
"""What is left of a probe around a secret counts from this length on."""
BEHIND = 20

_PLACEHOLDER = re.compile(r"\[redacted[^\]]{0,80}\]")
_QUOTED = re.compile(r"^[ \t]*(?:>[ \t]?)+", re.MULTILINE)
_ESCAPED = re.compile(r"\\([\\`*_{}\[\]()#+.!<>|~-])")


def folded(text: str) -> str:
    return " ".join(text.split())


def bare(text: str) -> str:
    """A text as it reads: without quotation marks of Markdown at the beginning of lines, and without its escapes.

    Both sides of a comparison go through this, so that quoting a message line by line loses nothing of it.
    """
    return folded(_ESCAPED.sub(r"\1", _QUOTED.sub("", text)))


def probe(text: str, length: int, secrets: tuple[str, ...] = ()) -> tuple[str, ...]:
    """The first characters of a text, without the secrets in them: all the pieces together stand for the text.

    A document that takes secrets out is not punished for it, and one that keeps them gains nothing. Where hardly
    anything but a secret is there, the words right behind it stand for the text.
    """
    flat = bare(text)
    marked = _mark(flat, secrets)
    if marked == flat:
        return (flat[:length].rstrip(),)
    kept = [piece for piece in _around(marked[:length]) if len(piece) >= PIECE]
    after = [piece[:BEHIND].strip() for piece in _around(marked) if len(piece) >= PIECE]
    return tuple(kept or after[:1] or [marked.replace("\0", "").strip()])


def whole(text: str, secrets: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Every character of a text, in the pieces that its secrets leave."""
    return tuple(_around(_mark(bare(text), secrets))) or ("",)


def ending(text: str, length: int, secrets: tuple[str, ...] = ()) -> tuple[str, ...]:
    """The last characters of a text, as `probe` takes the first ones."""
    marked = _mark(bare(text), secrets)
    kept = [piece for piece in _around(marked[-length:]) if len(piece) >= PIECE]
    return tuple(kept or _around(marked)[-1:]) or ("",)


def _mark(flat: str, secrets: tuple[str, ...]) -> str:
    for secret in secrets:
        flat = flat.replace(secret, "\0" * len(secret))
    return flat


def _around(marked: str) -> list[str]:
    return [piece.strip() for piece in marked.split("\0") if piece.strip()]


def pieces(text: str) -> list[str]:
    """What a text says around its placeholders and its cut end."""
    return [piece for each in _PLACEHOLDER.split(folded(text)) if (piece := each.strip(" …"))]
