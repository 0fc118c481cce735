from __future__ import annotations

import hashlib

from bench import texts


def test_texts_are_the_same_bytes_on_every_machine() -> None:
    told = hashlib.sha256()
    for i in range(500):
        told.update(texts.message(i).encode() + b"\n")
    assert told.hexdigest() == "f687e1b03478e451fcced4a2b2cd13f2f7e8f1b44ca889f091b01de66ec0ad44"


def test_a_text_does_not_depend_on_what_was_asked_for_before() -> None:
    later = texts.message(7)
    texts.message(8)
    assert texts.message(7) == later


def test_a_text_is_as_long_as_asked_for_to_the_word() -> None:
    lengths = [len(texts.message(i, 500).encode()) for i in range(200)]
    assert max(lengths) <= 500
    assert min(lengths) > 470


def test_the_rare_word_is_in_every_250th_text_and_nowhere_else() -> None:
    holding = [i for i in range(1000) if texts.RARE_WORD in texts.message(i).lower()]
    assert holding == [0, 250, 500, 750]
    assert texts.rare_hits(1000) == len(holding)
