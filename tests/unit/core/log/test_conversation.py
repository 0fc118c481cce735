from __future__ import annotations

import pytest

from baton.core.errors import Ambiguous, BadInput, BadTitle, HeadMoved, NotFound
from baton.core.log.conversation import (
    CANDIDATES,
    PAGE_LIMIT,
    Conversation,
    Page,
    Row,
    check_head,
    fork,
    page,
    page_limit,
    parse_after,
    pick,
    start,
)
from baton.core.log.lease import Lease
from baton.core.value import replace

HEAD = "20260527_123456_abcdef"


def test_a_start_is_a_conversation_and_its_root() -> None:
    conversation, root = start(" work ", "/src", "m", HEAD, 9)
    assert conversation == Conversation(conversation.id, "work", "/src", HEAD, 1, 9, 9)
    assert (root.id, root.conversation_id, root.edge, root.root_id) == (HEAD, conversation.id, "root", HEAD)


def test_a_fork_keeps_the_model_unless_another_is_named() -> None:
    _, parent = start("work", "/src", "m", HEAD, 9)
    parent = replace(parent, entries=3)
    for model, expected in (("", "m"), ("n", "n")):
        conversation, root = fork(parent, 3, "fork", "/src", model, "20260527_123456_000001", 10)
        assert (root.model, root.parent_id, root.parent_seq, root.depth, root.edge) == (expected, HEAD, 3, 1, "fork")
        assert conversation.workspace == "/src"
    for seq in (-1, 4):
        with pytest.raises(BadInput, match="cannot fork after"):
            fork(parent, seq, "fork", "", "", "20260527_123456_000001", 10)
    with pytest.raises(BadTitle):
        fork(parent, 0, "", "", "", "20260527_123456_000001", 10)


def test_a_conversation_tells_its_lease() -> None:
    conversation, _ = start("work", "", "", HEAD, 9)
    assert conversation.lease == Lease()
    assert replace(conversation, owner="a", epoch=2, lease_until=5).lease == Lease("a", 2, 5)


def test_the_head_is_compared_with_what_the_writer_knows() -> None:
    check_head("c", HEAD, HEAD)
    with pytest.raises(HeadMoved) as caught:
        check_head("c", HEAD, "20260527_123456_000001")
    assert caught.value.facts == {"conversation": "c", "expected": "20260527_123456_000001", "head": HEAD}
    with pytest.raises(HeadMoved) as caught:
        check_head("c", HEAD, "\x1b\ud800")
    assert caught.value.facts["expected"] == r"'\x1b\ud800'"


def test_one_fit_is_picked() -> None:
    assert pick("x", [("c_1", "title")]) == "c_1"
    with pytest.raises(NotFound):
        pick("x", [])


@pytest.mark.parametrize(("count", "told", "named"), [(2, 2, 2), (5, 5, 5), (6, "6 or more", 5), (9, "6 or more", 5)])
def test_several_fits_are_named(count: int, told: object, named: int) -> None:
    with pytest.raises(Ambiguous) as caught:
        pick("x", [(f"c_{number}", "title") for number in range(count)])
    assert caught.value.facts["count"] == told
    assert str(caught.value.facts["candidates"]).count("(title)") == named
    assert str(caught.value.facts["candidates"]).endswith("…") == (count >= CANDIDATES)


def rows(count: int) -> list[Row]:
    made = [start(f"{number}", "", "", HEAD, 100 - number)[0] for number in range(count)]
    return [Row(conversation, "", 1, 0, 0) for conversation in made]


def test_one_row_more_than_the_limit_tells_that_the_list_goes_on() -> None:
    found = rows(3)
    last = found[1].conversation
    assert page(found, 2) == Page(tuple(found[:2]), f"{last.updated_at}.{last.id}")
    assert page(found, 3) == Page(tuple(found), None)
    assert page([], 3) == Page((), None)
    assert parse_after(str(page(found, 2).after)) == (last.updated_at, last.id)


def test_the_limit_of_a_page_is_brought_into_range() -> None:
    assert [page_limit(limit) for limit in (-1, 0, 1, 7, PAGE_LIMIT, PAGE_LIMIT + 1)] == [
        1,
        1,
        1,
        7,
        PAGE_LIMIT,
        PAGE_LIMIT,
    ]


@pytest.mark.parametrize(
    "after", ["", "1", "1.x", "x.c_0123456789ab", "-1.c_0123456789ab", "٣.c_0123456789ab", "\ud800"]
)
def test_a_position_no_page_gave_is_refused(after: str) -> None:
    with pytest.raises(BadInput, match="not a position"):
        parse_after(after)
