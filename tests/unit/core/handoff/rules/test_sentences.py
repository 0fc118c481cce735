"""Sentences end where a reader would end them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from baton.core.handoff.rules.sentences import split_sentences


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("Use strings.Cut. Not strings.SplitN.", 2),
        ("See docs/api.md. Then stop.", 2),
        ("We need Python 3.11. No older one.", 2),
        ("Ask e.g. Bob before you push.", 1),
        ("Nimm z. B. Tabs. Oder z.B. Leerzeichen.", 2),
        ("Спроси меня, т.е. напиши. Потом пушь.", 2),
        ("Open https://example.org/a.b?c=d. Read it!", 2),
        ("1. Do this. 2. Do that.", 2),
        ("Tabs, spaces, etc. are fine. Etc. Done.", 3),
        ("Mr. Smith decides. Dr. Who does not.", 2),
        ("不要动计费模块。推送之前先问我！好吗？", 3),
        ("触らないで。確認して。", 2),
        ("यह मत करो। पूछो।", 2),
        ('Really?! Yes... maybe. (No.) "Stop." Go.', 6),
        ("no end", 1),
        ("", 0),
    ],
)
def test_sentences(text: str, count: int) -> None:
    assert len(split_sentences(text)) == count, split_sentences(text)


@given(st.text(alphabet="ab.!?。 \n1\"')(eg", max_size=200))
def test_no_word_is_lost(text: str) -> None:
    assert "".join("".join(split_sentences(text)).split()) == "".join(text.split())
