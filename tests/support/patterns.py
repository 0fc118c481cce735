"""Strings that a regular expression matches, made from a seed."""

from __future__ import annotations

import random
import string
from re import _parser  # type: ignore[attr-defined]
from typing import Any

_MOST = 12
"""How many more than the least an open repeat gets."""
_CATEGORIES = {
    "CATEGORY_DIGIT": string.digits,
    "CATEGORY_WORD": string.ascii_letters + string.digits + "_",
    "CATEGORY_SPACE": " ",
}


def sample(pattern: str, dice: random.Random) -> str:
    """One match of `pattern`; anchors and boundaries are left to the caller."""
    return "".join(_drawn(op, held, dice) for op, held in _parser.parse(pattern))


def _drawn(op: Any, held: Any, dice: random.Random) -> str:
    match str(op):
        case "LITERAL":
            return chr(held)
        case "IN":
            return dice.choice(_class(held))
        case "MAX_REPEAT" | "MIN_REPEAT":
            least, most, part = held
            count = dice.randint(least, min(most, least + _MOST))
            return "".join(_all(part, dice) for _ in range(count))
        case "SUBPATTERN":
            return _all(held[3], dice)
        case "BRANCH":
            return _all(dice.choice(held[1]), dice)
        case "ANY":
            return "x"
        case "NOT_LITERAL":
            return "y" if held == ord("x") else "x"
        case "AT":
            return ""
        case other:
            raise NotImplementedError(other)


def _all(part: Any, dice: random.Random) -> str:
    return "".join(_drawn(op, held, dice) for op, held in part)


def _class(held: Any) -> str:
    letters = ""
    for op, what in held:
        match str(op):
            case "LITERAL":
                letters += chr(what)
            case "RANGE":
                letters += "".join(map(chr, range(what[0], what[1] + 1)))
            case "CATEGORY":
                letters += _CATEGORIES[str(what)]
            case other:
                raise NotImplementedError(other)
    return letters
