"""How random a value looks by itself: its entropy, its classes of characters, and whether words could be its parts."""

from __future__ import annotations

import re
from functools import lru_cache
from math import log2
from operator import sub

from baton.adapters.redaction.thresholds import (
    LEAST_COMMON_PAIRS,
    LEAST_ENTROPY,
    LEAST_ENTROPY_OF_NOISE,
    LEAST_IN_ORDER,
    LEAST_LETTERS_OF_WORDS,
    LEAST_PRONOUNCEABLE,
    LEAST_PRONOUNCEABLE_WITH_DIGITS,
    LEAST_SIGNS_OF_NOISE,
    LEAST_WORDS_OF_NAME,
    LETTERS_A_WORD,
    LONGEST_JUDGED,
    LONGEST_STRETCH,
    MOST_NUMBERS_WITHIN_WORDS,
    SHORTEST_ALPHABET,
    SHORTEST_IN_ORDER,
    SHORTEST_NOISE,
    SHORTEST_RANDOM_HEX,
)

_UPPER = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ")
_LOWER = frozenset(b"abcdefghijklmnopqrstuvwxyz")
_DIGITS = frozenset(b"0123456789")
_HEX = frozenset(b"0123456789abcdefABCDEF")
_VOWELS = frozenset(b"aeiouyAEIOUY")
_PAIRS = frozenset(
    b"ab ac ad ag ai al am an ap ar as at au av ay ba be bi bl bo bs bu ca cc ce ch ci ck cl co cr ct cu da de"
    b" di do ds du ea ec ed ee ef eg el em en ep er es et ev ex fa fe ff fi fo fu ge gh gi gn gr gu ha he hi ho"
    b" ia ib ic id ie if ig il im in io ip ir is it iv iz ke la ld le li ll lo ls lt lu ly ma mb me mi mm mo mp"
    b" na nc nd ne nf ng ni nn no ns nt nu ob oc od og oi ol om on oo op or os ot ou ov ow pa pe ph pi pl po pp"
    b" pr pt qu ra rc rd re rg ri rm rn ro rr rs rt ru ry sa sc se sh si sl so sp ss st su ta te th ti tl to tr"
    b" ts tt tu ty ua ub uc ue ui ul um un up ur us ut va ve vi wa wi xp xt yp ze".split()
)
"""The commonest pairs of letters in words."""


_WEIGHTS = [0.0, *(count * log2(count) for count in range(1, LONGEST_JUDGED + 1))]
"""What a character adds that occurs so often."""


@lru_cache(maxsize=1024)
def entropy(value: bytes) -> float:
    """Bits per byte, by the value's own frequencies. Every rule asks about the same value once more."""
    if not value:
        return 0.0
    value = value[:LONGEST_JUDGED]
    size, count = len(value), value.count
    return log2(size) - sum([_WEIGHTS[count(byte)] for byte in set(value)]) / size


def is_random(value: bytes) -> bool:
    """Letters and digits that are neither words nor a short number."""
    if not is_mixed(value):
        return False
    if is_hex(value):
        return len(value) >= SHORTEST_RANDOM_HEX
    return entropy(value) >= LEAST_ENTROPY and not is_wordlike(value) and not is_alphabet(value)


_ROW = b"0123456789abcdefghijklmnopqrstuvwxyz0123456789"
_HALF = LONGEST_STRETCH // 2
"""A long stretch holds one of these at a place that is a multiple of its length."""
_ALTERNATES = re.compile(rb"AbCdEfGh|aBcDeFgH|IjKlMnOp|iJkLmNoP|QrStUvWx|qRsTuVwX|ZyXwVuTs|zYxWvUtS")
"""Upper and lower case in turn: as people type a key, not as a program writes letters to draw from."""


@lru_cache(maxsize=1024)
def is_alphabet(value: bytes) -> bool:
    """Whether it holds a long stretch of the alphabet in its order, as the letters have from which tokens are drawn."""
    small = value.lower()
    if _ALTERNATES.search(value):
        return False
    if len(value) >= SHORTEST_ALPHABET and len(set(value)) == len(value):
        return True
    if any(small[at : at + _HALF] in _ROW for at in range(0, len(small) - _HALF + 1, _HALF)) and any(
        small[at : at + LONGEST_STRETCH] in _ROW for at in range(len(small) - LONGEST_STRETCH + 1)
    ):
        return True
    return len(value) >= SHORTEST_RANDOM_HEX and (_counts(value, 1) or (is_hex(value) and _counts(small, 2)))


def is_in_order(value: bytes) -> bool:
    """Whether it has a token's length and signs and goes through the alphabet, as what people make up does. Programs
    write that where any value would do; elsewhere it is all that shows what a key looks like, and may be one.
    """
    long = len(value) >= (SHORTEST_RANDOM_HEX if is_mixed(value) else SHORTEST_IN_ORDER)
    return long and is_alphabet(value)


def looks_like_a_key(value: bytes) -> bool:
    """By its signs alone, where a word says that a key follows: letters and digits that are no words, or in order."""
    return is_in_order(value) or (is_mixed(value) and not is_wordlike(value) and not is_made_of_words(value))


def _counts(value: bytes, step: int) -> bool:
    """Whether most characters, or most bytes in hexadecimal, are one more than the one before: `000102030405`."""
    if step == 2:
        value = bytes.fromhex(value[: len(value) // 2 * 2].decode("ascii"))
    steps = [*map(sub, value[1:], value)]
    return steps.count(1) + steps.count(-1) >= LEAST_IN_ORDER * (len(value) - 1)


@lru_cache(maxsize=1024)
def is_made_of_words(value: bytes) -> bool:
    """Whether most of it is words of three letters and more, whatever numbers stand between them: `Optic40gInput2`.

    In capitals and digits alone three or four letters are no word: every random key has some.
    """
    shortest = LETTERS_A_WORD if value.isupper() and value.isalnum() else 2
    words = [word for word in _WORD.findall(value[:LONGEST_JUDGED]) if len(word) > shortest]
    least = min(len(value), LONGEST_JUDGED) * LEAST_WORDS_OF_NAME
    return sum(map(len, words)) >= least and sum(map(len, filter(_is_pronounceable, words))) >= least


def is_noise(value: bytes) -> bool:
    """A key drawn from every sign on the keyboard; it may hold blanks."""
    signs = sum(not (0x30 <= byte <= 0x39 or 0x41 <= byte <= 0x5A or 0x61 <= byte <= 0x7A) for byte in value)
    if len(value) < SHORTEST_NOISE or signs < len(value) * LEAST_SIGNS_OF_NOISE:
        return False
    return classes(value) == 4 and entropy(value) >= LEAST_ENTROPY_OF_NOISE


def is_text(value: bytes) -> bool:
    """Whether half of it is words with blanks between them: a sentence or a program, whatever signs stand in it."""
    words = value.split()
    return 2 * sum(word.strip(_AROUND_WORDS).isalpha() for word in words if len(word) > 1) >= len(words)


_AROUND_WORDS = b".,;:!?()\"'`-"


def classes(value: bytes) -> int:
    """How many of the four classes occur: upper case, lower case, digits, other characters."""
    held = set(value)
    return sum((bool(held & _UPPER), bool(held & _LOWER), bool(held & _DIGITS), bool(held - _UPPER - _LOWER - _DIGITS)))


def has_digit(value: bytes) -> bool:
    return not _DIGITS.isdisjoint(value)


def has_letter(value: bytes) -> bool:
    return not (_UPPER.isdisjoint(value) and _LOWER.isdisjoint(value))


def is_hex(value: bytes) -> bool:
    return _HEX.issuperset(value)


def is_mixed(value: bytes) -> bool:
    """Letters and digits."""
    return has_digit(value) and has_letter(value)


def is_wordlike(value: bytes) -> bool:
    """Made of pronounceable words: identifiers, sentences, file names that end with a number."""
    return _is_wordlike(value[:LONGEST_JUDGED])


@lru_cache(maxsize=1024)
def _is_wordlike(judged: bytes) -> bool:
    if len(judged) >= SHORTEST_RANDOM_HEX and has_digit(judged) and is_hex(judged):
        return False
    words: list[bytes] = _WORD.findall(judged)
    letters = sum(map(len, words))
    if not letters or letters < len(judged) * LEAST_LETTERS_OF_WORDS or len(words) > 1 + letters / LETTERS_A_WORD:
        return False
    if len(_NUMBER_WITHIN.findall(judged)) > MOST_NUMBERS_WITHIN_WORDS:
        return False
    spoken = sum(len(word) for word in words if _is_pronounceable(word))
    return spoken >= letters * (LEAST_PRONOUNCEABLE_WITH_DIGITS if has_digit(judged) else LEAST_PRONOUNCEABLE)


_WORD = re.compile(rb"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+")
"""Runs of letters, split where a capital begins a word."""
_NUMBER_WITHIN = re.compile(rb"(?<=[A-Za-z])[0-9]++(?=[A-Za-z])")
"""Numbers with a letter right before and after them."""


@lru_cache(maxsize=4096)
def _is_pronounceable(word: bytes) -> bool:
    """Whether a word has one case after its first letter, and the pairs of letters that words have."""
    if len(word) <= 2:
        return len(word) == 1 or word.isupper() or not _VOWELS.isdisjoint(word)
    if not (word.islower() or word.isupper() or word[1:].islower()):
        return False
    small = word.lower()
    pairs = sum(small[at : at + 2] in _PAIRS for at in range(len(small) - 1))
    least = min(LEAST_COMMON_PAIRS * (len(small) - 1), len(small) - 2)
    return pairs >= least or (len(word) <= 4 and word.isupper())
