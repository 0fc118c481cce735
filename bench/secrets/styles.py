# ruff: noqa: SIM905 (lists of words)
"""Styles of passwords, fresh from a seed: what people choose, and what generators choose for them.

Rules are tuned while looking at `STYLES`; `HELD_OUT` was written at the same time and is only counted.
"""

from __future__ import annotations

import base64
import random
import string
from collections.abc import Callable

WORDS = (
    "anchor apple autumn badger bamboo barrel beacon blanket bottle bridge bucket butter candle canyon carpet castle"
    " cherry circle copper cotton cradle desert dolphin donkey dragon engine falcon feather fiddle forest galaxy garden"
    " garlic ginger guitar hammer harbor hazel helmet hockey island jacket jungle kettle kitten ladder lantern lemon"
    " lizard magnet marble meadow mirror monkey mountain mustard napkin needle ocean olive orange oyster paddle panther"
    " parrot pebble pencil pepper piano pigeon pillow planet pocket potato pumpkin purple rabbit ribbon river rocket"
    " saddle salmon shadow silver spider spring squirrel summer sunset thunder tiger timber tomato tunnel turtle valley"
    " velvet violet walnut whisper willow window winter yellow zebra"
).split()
FOREIGN = "größe straße müller señor niño corazón élève forêt łódź šumava açaí jalapeño".split()
SYLLABLES = ("ba", "do", "ke", "lu", "mi", "no", "ra", "sto", "tre", "vi", "wen", "zu", "fla", "gri", "pon")
SIGNS = "!#%*+-_.?@$^&~"
LEET = str.maketrans("aeiost", "431057")
Style = Callable[[random.Random], str]


def drawn(dice: random.Random, alphabet: str, length: int) -> str:
    return "".join(dice.choices(alphabet, k=length))


def mixed(dice: random.Random, length: int) -> str:
    """Letters of both cases and digits, at least one of each, a letter first."""
    while True:
        made = drawn(dice, string.ascii_letters + string.digits, length)
        if made[0].isalpha() and any(map(str.isdigit, made)) and not made.isupper() and not made.islower():
            return made


def with_signs(dice: random.Random, length: int) -> str:
    made = list(mixed(dice, length))
    for at in dice.sample(range(1, length - 1), 2):
        made[at] = dice.choice(SIGNS)
    return "".join(made)


def words(dice: random.Random, count: int, joint: str) -> str:
    return joint.join(dice.sample(WORDS, count))


STYLES: dict[str, Style] = {
    "letters and digits": lambda dice: mixed(dice, 12),
    "with signs": lambda dice: with_signs(dice, 14),
    "short with signs": lambda dice: with_signs(dice, 8),
    "lower case": lambda dice: drawn(dice, string.ascii_lowercase, 10),
    "upper case": lambda dice: drawn(dice, string.ascii_uppercase, 10),
    "lower case and digits": lambda dice: drawn(dice, string.ascii_lowercase, 6) + drawn(dice, "0123456789abc", 5),
    "hexadecimal": lambda dice: dice.randbytes(8).hex(),
    "six digits": lambda dice: str(dice.randrange(100_000, 1_000_000)),
    "eight digits": lambda dice: str(dice.randrange(10_000_000, 100_000_000)),
    "word": lambda dice: dice.choice(WORDS),
    "two words": lambda dice: words(dice, 2, ""),
    "two words with capitals": lambda dice: "".join(each.title() for each in dice.sample(WORDS, 2)),
    "four words with hyphens": lambda dice: words(dice, 4, "-"),
    "four words": lambda dice: words(dice, 4, " "),
    "leet": lambda dice: (dice.choice(WORDS) + dice.choice(WORDS)).translate(LEET),
    "word and digits": lambda dice: dice.choice(WORDS) + str(dice.randrange(10, 10_000)),
    "word, year, sign": lambda dice: f"{dice.choice(WORDS).title()}{dice.randrange(1960, 2027)}{dice.choice('!?*#')}",
    "base64": lambda dice: base64.b64encode(dice.randbytes(15)).decode(),
}

HELD_OUT: dict[str, Style] = {
    "syllables": lambda dice: "".join(dice.choice(SYLLABLES) for _ in range(4)),
    "words with dots": lambda dice: words(dice, 3, "."),
    "words with numbers between": lambda dice: f"{words(dice, 1, '')}{dice.randrange(10, 99)}{words(dice, 1, '')}",
    "three words and a number": lambda dice: f"{words(dice, 3, ' ')} {dice.randrange(10, 99)}",
    "four digits": lambda dice: str(dice.randrange(1000, 10_000)),
    "letters of another language": lambda dice: dice.choice(FOREIGN) + str(dice.randrange(10, 99)),
    "keyboard walk": lambda dice: (
        dice.choice(("qwertz", "asdfgh", "zxcvbn", "1qaz2wsx", "qazwsx")) + dice.choice("!7x")
    ),
    "initials": lambda dice: (
        drawn(dice, string.ascii_uppercase, 3) + drawn(dice, string.digits, 4) + dice.choice("!.x")
    ),
    "long random": lambda dice: mixed(dice, 40),
}

BY_WORD: dict[str, tuple[Style, ...]] = {
    "password": tuple(
        STYLES[name]
        for name in (
            *("letters and digits", "with signs", "short with signs", "lower case", "two words", "word and digits"),
            "word, year, sign",
        )
    ),
    "pin": (HELD_OUT["four digits"], STYLES["six digits"]),
    "phrase": (STYLES["four words"],),
    "token": (lambda dice: mixed(dice, 32), lambda dice: dice.randbytes(20).hex()),
}
"""What may stand where `invented` says password, PIN, pass phrase or token."""
