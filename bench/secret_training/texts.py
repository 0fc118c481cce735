"""Marked texts: `the pw is «moosejaw77», user deploybot`, with a line of three hyphens between them."""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Iterator
from pathlib import Path

from bench.secrets import styles

Marked = tuple[str, list[tuple[int, int]]]
"""A text without its marks, and where the secrets are."""
_MARK = re.compile("«(.*?)»", re.S)
_BETWEEN = re.compile(r"(?m)^---[ \t]*\n")
_STYLES = [*styles.STYLES.values(), *styles.HELD_OUT.values()]
_LETTERS = {"0": "0123456789", "a": "abcdefghijklmnopqrstuvwxyz", "A": "ABCDEFGHIJKLMNOPQRSTUVWXYZ"}


def read(path: Path) -> Iterator[Marked]:
    for text in _BETWEEN.split(path.read_text(encoding="utf-8")):
        if text.strip():
            yield unmarked(text.strip("\n"))


def written_in(path: Path) -> Iterator[str]:
    """The texts that a module holds, but for those with a place for a value."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = node.value.strip()
            if len(text) >= _SHORTEST and " " in text and not _PLACE.search(text):
                yield text


_SHORTEST = 12
_PLACE = re.compile(r"\{\w*\}|«|<\w{0,2}[0-9]+>|\[redacted")


def unmarked(text: str) -> Marked:
    plain, places, at = "", list[tuple[int, int]](), 0
    for found in _MARK.finditer(text):
        plain += text[at : found.start()]
        places.append((len(plain), len(plain) + len(found[1])))
        plain += found[1]
        at = found.end()
    return plain + text[at:], places


def varied(marked: Marked, number: int, variants: int) -> Iterator[Marked]:
    """The text itself, and with other values in the places of its secrets, so that places are learnt and not values."""
    yield marked
    text, places = marked
    dice = random.Random(number)
    for turn in range(variants if places else 0):
        given: dict[str, str] = {}
        plain, moved, at = "", list[tuple[int, int]](), 0
        for start, end in places:
            value = text[start:end]
            other = given.setdefault(value, _alike(value, dice) if turn % 2 else _any(value, dice))
            plain += text[at:start]
            moved.append((len(plain), len(plain) + len(other)))
            plain += other
            at = end
        yield plain + text[at:], moved


def _alike(value: str, dice: random.Random) -> str:
    """Of the same shape: words by other words, digits by digits."""
    made = re.sub(
        r"[a-z]{4,}|[A-Z][a-z]{3,}",
        lambda found: dice.choice(styles.WORDS).title() if found[0][0].isupper() else dice.choice(styles.WORDS),
        value,
    )
    return re.sub(r"[0-9]", lambda _: dice.choice(_LETTERS["0"]), made)


def _any(value: str, dice: random.Random) -> str:
    """Of any style, but digits stay digits and phrases phrases."""
    if not value.isascii():
        return value
    if value.replace(" ", "").replace("-", "").isdigit():
        return _alike(value, dice)
    made = dice.choice(_STYLES)(dice)
    return value if (" " in value) != (" " in made) else made
