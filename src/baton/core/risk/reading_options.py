"""Arguments of a program that reads, held against the options that are known of it."""

from __future__ import annotations

import re

from baton.core.risk.line import words
from baton.core.value import value

PATHS, TEXTS, PATTERN, NOTHING = "paths", "texts", "pattern", "nothing"
_NUMBER = re.compile(r"-\d+")


@value
class Reader:
    """`flags` are letters of short options, `valued` those that take a value; `long` and `long_valued` the same for
    whole names. `operands` says what the rest is: paths, texts, a pattern and then paths (`unpatterned` are options
    after which there is no pattern), or nothing. `numbers` if `-20` is an option; the value of `attached` letters is a
    number in the same word, as in `-U5`.
    """

    flags: str = ""
    valued: str = ""
    long: frozenset[str] = frozenset()
    long_valued: frozenset[str] = frozenset()
    operands: str = PATHS
    most: int = 1_000
    numbers: bool = False
    unpatterned: frozenset[str] = frozenset()
    attached: str = ""


def reader(
    flags: str = "", valued: str = "", long: str = "", long_valued: str = "", operands: str = PATHS, *,
    most: int = 1_000, numbers: bool = False, unpatterned: str = "", attached: str = "",
) -> Reader:  # fmt: skip
    """Names are written without their dashes."""

    def named(text: str) -> frozenset[str]:
        return frozenset(f"--{each}" for each in words(text))

    return Reader(flags, valued, named(long), named(long_valued), operands, most, numbers, words(unpatterned), attached)


def read_arguments(args: tuple[str, ...], known: Reader) -> list[str] | None:
    """The paths among the arguments; None if one of them is not known."""
    split = split_arguments(args, known)
    if split is None:
        return None
    options, operands = split
    if len(operands) > known.most or (known.operands == NOTHING and operands):
        return None
    if known.operands == PATTERN and not options & known.unpatterned:
        return operands[1:]
    return [] if known.operands == TEXTS else operands


def split_arguments(args: tuple[str, ...], known: Reader) -> tuple[set[str], list[str]] | None:
    """Names of the options, and what is no option."""
    options: set[str] = set()
    operands: list[str] = []
    position = 0
    while position < len(args):
        text = args[position]
        if text == "--":
            return options, [*operands, *args[position + 1 :]]
        if not text.startswith("-") or text == "-":
            operands.append(text)
            position += 1
            continue
        taken = _long(text, known, options) if text.startswith("--") else _short(text, known, options)
        if not taken or position + taken > len(args):
            return None
        position += taken
    return options, operands


def _long(text: str, known: Reader, options: set[str]) -> int:
    """How many words the option takes; 0 if it is not known."""
    name, equals, _ = text.partition("=")
    options.add(name)
    if name in known.long_valued:
        return 1 if equals else 2
    return 1 if name in known.long else 0


def _short(text: str, known: Reader, options: set[str]) -> int:
    if known.numbers and _NUMBER.fullmatch(text):
        return 1
    for position, letter in enumerate(text[1:], 1):
        options.add(f"-{letter}")
        if letter in known.valued:
            return 1 if position + 1 < len(text) else 2
        if letter in known.attached:
            return 1 if text[position + 1 :].isdecimal() else 0
        if letter not in known.flags:
            return 0
    return 1
