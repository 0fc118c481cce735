"""Which of the person's messages stay, and how much of each."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from baton.core.handoff.kept_messages import choose, count_tokens, shorten
from baton.core.log.kept import KeptMessage

WORDS = st.lists(st.sampled_from(["lock", "the", "queue", "é", "等", "\n", "42", "x" * 30]), max_size=400).map(" ".join)
MESSAGES = st.lists(WORDS.filter(bool), min_size=1, max_size=30).map(
    lambda found: [KeptMessage(text) for text in found]
)
ROOM = st.integers(100, 3000)


def test_all_stay_whole_where_they_fit() -> None:
    said = [KeptMessage(f"wish {number}") for number in range(50)]
    assert choose(said, 1000) == said


def test_a_pasted_log_gives_way_before_short_wishes_do() -> None:
    said = [KeptMessage("Ask me before you push."), KeptMessage("log line\n" * 5000), KeptMessage("Keep it small.")]
    wish, log, last = choose(said, 400)
    assert (wish, last) == (said[0], said[2])
    assert log is not None
    assert not log.whole
    assert log.words.startswith("log line\n")
    assert log.words.endswith("log line\n")
    assert f"{log.left_out:,} characters left out" in log.words


def test_the_newest_are_whole_and_the_oldest_go_first() -> None:
    said = [KeptMessage(f"{number} " + "word " * 100) for number in range(100)]
    kept = choose(said, 1000)
    assert kept[-1] == said[-1]
    count = kept.count(None)
    assert 0 < count < 100
    assert kept[:count] == [None] * count
    assert None not in kept[count:]


@given(said=MESSAGES, room=ROOM)
def test_what_is_kept_fits_in_order_and_is_part_of_what_was_said(said: list[KeptMessage], room: int) -> None:
    kept = choose(said, room)
    assert len(kept) == len(said)
    assert sum(count_tokens(each) for each in kept if each) <= room * 1.1 + 40
    for before, after in zip(said, kept, strict=True):
        if after is not None:
            assert before.text.startswith(after.text)
            assert before.text.endswith(after.end)
            assert len(after.text) + after.left_out + len(after.end) == len(before.text)


@given(text=WORDS, first=st.integers(30, 400), second=st.integers(30, 400))
def test_shortened_twice_it_still_knows_what_it_lacks(text: str, first: int, second: int) -> None:
    cut = shorten(shorten(KeptMessage(text), first), second)
    assert text.startswith(cut.text)
    assert text.endswith(cut.end)
    assert len(cut.text) + cut.left_out + len(cut.end) == len(text)
