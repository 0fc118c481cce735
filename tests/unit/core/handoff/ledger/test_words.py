"""Whether a text ends by asking something, and what its last words are."""

from __future__ import annotations

import pytest

from baton.core.handoff.ledger.words import closing_words, is_asking


@pytest.mark.parametrize(
    "text",
    ["Shall I?", "Soll ich **das** tun?**", "いいですか？", "Should I use `a`? (It is new.)", "Is it https://a.dev/x?"],
)
def test_a_question_is_one(text: str) -> None:
    assert is_asking(text)


@pytest.mark.parametrize(
    "text",
    [
        "See https://a.dev/x?y=1 for the index.",
        "It reads `user ? user.id : null` now.",
        "Now user?.id is checked.",
        "Done:\n```ts\nconst a = b ? c : d\n```",
    ],
)
def test_code_and_links_ask_nothing(text: str) -> None:
    assert not is_asking(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Should I add pictures?\n\na) in each step\nb) once, at the top\nc) at the end\nd) no", True),
        ("Ready. Which colour?\n1. blue\n2. grey\n3. green\n4. none of them", True),
        ("Why was it slow? The lock was held.\nDone:\n1. moved the lock\n2. wrote a test\n3. ran it", False),
    ],
)
def test_a_question_before_its_options_is_asked(text: str, expected: bool) -> None:
    assert is_asking(text) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I moved the lock. The tests of the whole package pass on both systems now.", "The tests of the whole"),
        ("I moved the lock. Both ways are possible. OK?", "I moved the lock. Both ways are possible. OK?"),
        ("Pictures?\na) yes\nb) no", "Pictures? a) yes b) no"),
        ("", ""),
    ],
)
def test_closing_words_say_something_by_themselves(text: str, expected: str) -> None:
    assert closing_words(text, 240).startswith(expected)
