"""A single word beside a name that says password or token, whose letters make no word and no name: `"qkzdv"`.

In a program words in quotes are labels, types and names; what nobody could pronounce is none of them, however short.
"""

from __future__ import annotations

import re

from baton.adapters.redaction.entropy import is_wordlike
from baton.adapters.redaction.grain import surprise
from baton.adapters.redaction.judge import Claim, is_count
from baton.adapters.redaction.lookalikes import is_about_value, is_example
from baton.adapters.redaction.meanings import tells_another
from baton.adapters.redaction.names import PASSWORD
from baton.adapters.redaction.programs import holds_a_place
from baton.adapters.redaction.rules_file import ordinary_words
from baton.adapters.redaction.thresholds import (
    LEAST_DRAWN,
    LEAST_SURPRISE_BESIDE_NAME,
    LEAST_SURPRISE_OF_PASSWORD,
    LEAST_SURPRISE_OF_TOKEN,
    LONGEST_WORD,
    SHORTEST_SECRET,
)

_WORDS = re.compile(rb"[A-Za-z]+[0-9]{0,4}(?:[_-][A-Za-z]+[0-9]{0,4})*+(?::[A-Za-z]+[0-9]{0,4})?+")
_PART = re.compile(rb"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_LONGEST_ABBREVIATION = 4


def is_drawn_word(claim: Claim) -> bool:
    name, value = claim.name, claim.value
    token = LEAST_SURPRISE_OF_TOKEN if claim.quoted else LEAST_SURPRISE_BESIDE_NAME
    if not is_no_word(value, LEAST_SURPRISE_OF_PASSWORD if claim.strength == PASSWORD else token):
        return False
    if claim.strength != PASSWORD and is_wordlike(value):
        return False
    if tells_another(name, value) or is_count(name, value) or is_example(value) or is_about_value(value):
        return False
    return not (holds_a_place(value) or _is_of_name(name, value))


def is_no_word(value: bytes, least: float = LEAST_SURPRISE_OF_TOKEN) -> bool:
    """Whether it is a word, or words that signs join, of whose letters most are in no word."""
    if not SHORTEST_SECRET <= len(value) <= LONGEST_WORD or _WORDS.fullmatch(value) is None or surprise(value) < least:
        return False
    return value.lower().decode("ascii") not in ordinary_words() and _are_most_drawn(value)


def _is_of_name(name: bytes, value: bytes) -> bool:
    """Whether it is letters of its own name: `insecureSkipVerifyKey = "insecureskipverify"`."""
    return _letters(value) in _letters(name)


def _letters(text: bytes) -> bytes:
    return bytes(byte for byte in text.lower() if chr(byte).isalpha())


def _are_most_drawn(value: bytes) -> bool:
    """Whether most letters are in parts that are no words; a few capitals among small letters stand for words."""
    parts: list[bytes] = _PART.findall(value)
    drawn = (
        len(part)
        for part in parts
        if surprise(part) >= LEAST_SURPRISE_OF_PASSWORD
        and not (part.isupper() and len(part) <= _LONGEST_ABBREVIATION and len(parts) > 1)
    )
    return sum(drawn) >= LEAST_DRAWN * sum(map(len, parts))
