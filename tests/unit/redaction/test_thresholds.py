"""The figures that `thresholds` says were measured, measured again on fewer values."""

from __future__ import annotations

import random
import string
import sys
from collections.abc import Callable, Sequence
from importlib import import_module

import pytest

from baton.adapters.redaction.entropy import entropy, is_hex, is_mixed, is_noise, is_random, is_wordlike
from baton.adapters.redaction.thresholds import (
    LEAST_DIGITS_OF_BARE_TOKEN,
    LEAST_ENTROPY,
    LEAST_ENTROPY_BESIDE_NAME,
    LEAST_ENTROPY_BESIDE_VENDOR,
    LEAST_ENTROPY_OF_BARE_TOKEN,
    SHORTEST_BARE_TOKEN,
    SHORTEST_NOISE,
    SHORTEST_RANDOM_HEX,
    SHORTEST_TOKEN,
)

LETTERS_AND_DIGITS = string.ascii_letters + string.digits
KEYBOARD = LETTERS_AND_DIGITS + string.punctuation
MODULES = ("argparse", "asyncio", "collections", "email", "http", "logging", "os", "socket", "ssl", "typing", "zipfile")


def drawn(length: int, alphabet: str = LETTERS_AND_DIGITS) -> list[bytes]:
    dice = random.Random(length)
    return ["".join(dice.choices(alphabet, k=length)).encode() for _ in range(2_000)]


def share(values: Sequence[bytes], holds: Callable[[bytes], bool]) -> float:
    return sum(map(holds, values)) / len(values)


def library_names() -> list[bytes]:
    found: set[str] = set()
    for module in map(import_module, MODULES):
        found.update(dir(module))
        found.update(name for each in vars(module).values() if isinstance(each, type) for name in dir(each))
    return sorted(name.encode() for name in found if len(name) >= SHORTEST_TOKEN)


@pytest.mark.parametrize(
    ("length", "least", "expected"),
    [
        (SHORTEST_TOKEN, LEAST_ENTROPY_BESIDE_VENDOR, 0.99),
        (SHORTEST_TOKEN, LEAST_ENTROPY_BESIDE_NAME, 0.97),
        (12, LEAST_ENTROPY, 0.98),
        (16, LEAST_ENTROPY, 1.0),
        (SHORTEST_BARE_TOKEN, LEAST_ENTROPY_OF_BARE_TOKEN, 0.99),
    ],
)
def test_random_values_have_the_entropy_that_is_asked_of_their_length(
    length: int, least: float, expected: float
) -> None:
    assert share(drawn(length), lambda value: entropy(value) >= least) >= expected


def test_random_values_look_random_and_the_names_of_a_library_do_not() -> None:
    assert share([value for value in drawn(16) if is_mixed(value)], is_random) > 0.99
    assert (
        share(drawn(SHORTEST_RANDOM_HEX, "0123456789abcdef"), lambda value: is_random(value) and is_hex(value)) > 0.99
    )
    assert share(drawn(16), is_wordlike) < 0.01
    names = library_names()
    assert len(names) > 1_000, sys.version
    assert share(names, is_wordlike) > 0.9
    assert share(names, is_random) < 0.02


def test_tokens_that_stand_alone_have_digits_enough() -> None:
    def has_digits(value: bytes) -> bool:
        return sum(byte in b"0123456789" for byte in value) >= len(value) * LEAST_DIGITS_OF_BARE_TOKEN

    assert share(drawn(SHORTEST_BARE_TOKEN), has_digits) > 0.9


def test_keys_of_the_whole_keyboard_are_noise() -> None:
    assert share(drawn(SHORTEST_NOISE, KEYBOARD), is_noise) > 0.88
    assert share(drawn(SHORTEST_NOISE), is_noise) == 0
