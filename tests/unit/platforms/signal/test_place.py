"""Places on Signal."""

from __future__ import annotations

import pytest

from baton.adapters.platforms.signal.place import place, recipient
from baton.core.errors import BadPlace
from baton.core.transfer.place import parse_place

PERSON = "11111111-aaaa-4aaa-8aaa-111111111111"


def test_a_place_is_the_same_however_it_is_written() -> None:
    assert place(PERSON.upper()) == place(PERSON)
    assert parse_place(place(PERSON).key) == place(PERSON)
    assert parse_place(place("group.a+/b=").key) == place("group.a+/b=")


@pytest.mark.parametrize("room", ["+15550100", "15550100", "", "group.", "group.a b", f"PNI:{PERSON}", "u:ann.01"])
def test_what_can_pass_to_somebody_else_is_no_place(room: str) -> None:
    with pytest.raises(BadPlace, match="account id"):
        place(room)


def test_the_daemon_is_told_people_and_groups_apart() -> None:
    assert recipient(place(PERSON)) == {"recipient": [PERSON]}
    assert recipient(place("group.a+/b=")) == {"groupId": "a+/b="}
