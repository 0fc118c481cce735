"""Whether a text ends by asking something."""

from __future__ import annotations

import pytest

from baton.core.handoff.ledger.words import is_asking


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
