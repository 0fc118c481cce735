from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from baton.core.log.entry import encode_body
from baton.core.transfer import letter as letters
from baton.core.transfer.letter import Attached, Letter

_TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))


@given(
    _TEXT,
    st.lists(st.tuples(_TEXT, _TEXT), max_size=3),
    st.none() | st.builds(Attached, _TEXT, _TEXT, st.binary()),
    _TEXT,
    st.booleans(),
)
def test_a_letter_comes_out_of_the_outbox_as_it_went_in(
    text: str, buttons: list[tuple[str, str]], file: Attached | None, replaces: str, preview: bool
) -> None:
    import json

    letter = Letter(text, tuple(buttons), file, replaces, preview)
    assert letters.from_body(json.loads(encode_body(letters.to_body(letter)))) == letter
