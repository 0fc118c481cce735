from __future__ import annotations

import pytest

from baton.core.errors import BadInput
from baton.core.log.bundle import Bundle, check, checked_entries, describe_missing, flaw, is_same, pack
from baton.core.log.conversation import start
from baton.core.log.entry import entry
from baton.core.log.session import begin
from baton.core.transfer.transfer import cancel, request
from baton.core.value import replace

FIRST, SECOND = "20260527_123456_000001", "20260527_123456_000002"


def bundle() -> Bundle:
    conversation, root = start("work", "/src", "m", FIRST, 1)
    root = replace(root, entries=2, ended_at=5, end_reason="handoff")
    head = replace(begin(SECOND, conversation.id, "m", 5, parent=root, edge="handoff"), entries=1)
    entries = [
        entry(FIRST, 1, "user", 1, 0, "{}"),
        entry(FIRST, 2, "user", 2, 0, "{}"),
        entry(SECOND, 1, "user", 5, 0, "{}"),
    ]
    asked = request(conversation.id, "terminal:1", "telegram", 1)
    owned = replace(conversation, head_id=SECOND, owner="ann", epoch=4, lease_until=99)
    return pack(owned, [root, head], [], [], [asked, cancel(asked, 2)], [], tuple(entries))


def test_what_is_a_stores_own_affair_is_left_out() -> None:
    made = bundle()
    assert (made.conversation.owner, made.conversation.epoch, made.conversation.lease_until) == (None, 4, 0)
    assert [transfer.state for transfer in made.transfers] == ["failed"]


def test_a_whole_bundle_has_no_flaw() -> None:
    made = bundle()
    check(made)
    assert flaw(made) == describe_missing(made) == ""
    assert tuple(checked_entries(made)) == made.entries


def test_missing_entries_are_counted() -> None:
    made = bundle()
    assert describe_missing(replace(made, entries=made.entries[:1])) == "2 of its 3 entries are missing"


@pytest.mark.parametrize(
    ("order", "reason"),
    [
        ([0, 2], f"Session {FIRST} has 1 of its 2 entries."),
        ([1, 0, 2], f"Entry 1 of session {FIRST} is missing."),
        ([0, 1], f"Session {SECOND} has 0 of its 1 entries."),
        ([0, 1, 2, 2], f"Entry 2 of session {SECOND} is missing."),
    ],
)
def test_the_entry_that_is_missing_is_named(order: list[int], reason: str) -> None:
    made = bundle()
    entries = list(made.entries)
    with pytest.raises(BadInput) as caught:
        list(checked_entries(replace(made, entries=[entries[number] for number in order])))
    assert str(caught.value) == reason


def test_equal_content_is_the_same_whoever_owned_it() -> None:
    made = bundle()
    assert is_same(made, replace(made, conversation=replace(made.conversation, epoch=9), entries=iter(made.entries)))
    assert not is_same(made, replace(made, conversation=replace(made.conversation, title="other")))
    assert not is_same(made, replace(made, entries=list(made.entries)[:2]))
    assert not is_same(replace(made, entries=list(made.entries)[:2]), made)
    assert not is_same(made, replace(made, entries=list(made.entries)[::-1]))


def test_a_flaw_is_a_reason_in_words() -> None:
    made = bundle()
    with pytest.raises(BadInput, match=r"does not fit together: its head is .*, but the live sessions are none\."):
        check(replace(made, sessions=made.sessions[:1]))
