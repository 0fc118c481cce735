"""The cheap look at a sentence before a language's verbs are searched: it may pass too much, never too little."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from baton.core.risk.prose import _any_verb, _stems  # pyright: ignore[reportPrivateUsage]
from baton.core.risk.tongues import TONGUES, Tongue


@pytest.mark.parametrize("tongue", [each for each in TONGUES if each.spaced], ids=lambda each: each.name)
@given(data=st.data())
def test_every_ascii_verb_holds_one_of_the_stems(tongue: Tongue, data: st.DataObject) -> None:
    listed = data.draw(st.sampled_from([verb for row in tongue.rows for verb in row.verbs.split()]))
    verb = data.draw(_spelled(listed))
    said = f"now {verb} it"
    if said.isascii() and _any_verb(tongue).search(said):
        stems = _stems(tongue)
        assert stems is None or any(stem in said.lower() for stem in stems), (verb, listed)


def test_every_language_can_be_looked_at_cheaply() -> None:
    assert [each.name for each in TONGUES if _stems(each) is None] == []


def _spelled(listed: str) -> st.SearchStrategy[str]:
    """Words that a word of a table stands for, in any case."""
    pattern = re.sub(r"(?<=[^\W\d_])\*", r"[a-z]{0,4}", listed.replace("…", " a ").replace("_", "[ -]"))
    either = st.sampled_from([str.lower, str.upper, str.title])
    return st.tuples(st.from_regex(pattern, fullmatch=True), either).map(lambda drawn: drawn[1](drawn[0]))
