"""Who is heard: a table, because nothing may be left to chance."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from baton.core.transfer import authority
from baton.core.transfer.authority import GUEST, NOBODY, OWNER, People

PEOPLE = People(owners={"telegram:1"}, guests={"telegram:2"}, homes={"telegram:1", "telegram:-100"})


@pytest.mark.parametrize(
    ("sender", "room", "direct", "who"),
    [
        ("telegram:1", "telegram:1", True, OWNER),
        ("telegram:1", "telegram:-5", False, OWNER),
        ("telegram:9", "telegram:1", True, OWNER),
        ("telegram:9", "telegram:-100", False, NOBODY),
        ("telegram:2", "telegram:2", True, GUEST),
        ("telegram:3", "telegram:3", True, NOBODY),
        ("discord:1", "discord:1", True, NOBODY),
        ("telegram:11", "telegram:11", True, NOBODY),
        ("", "", True, NOBODY),
    ],
)
def test_people_are_known_by_their_stable_id(sender: str, room: str, direct: bool, who: str) -> None:
    assert authority.role(sender, room, PEOPLE, direct=direct) == who


@pytest.mark.parametrize(
    ("who", "room", "direct", "bound", "command", "heard"),
    [
        (OWNER, "telegram:1", True, False, False, True),
        (OWNER, "telegram:-5", False, False, False, False),
        (OWNER, "telegram:-5", False, False, True, True),
        (OWNER, "telegram:-5", False, True, False, True),
        (OWNER, "telegram:-100", False, False, False, True),
        (GUEST, "telegram:2", True, False, False, False),
        (GUEST, "telegram:-5", False, True, False, True),
        (GUEST, "telegram:-5", False, True, True, False),
        (GUEST, "telegram:-100", False, False, False, False),
        (NOBODY, "telegram:-5", False, True, False, False),
        (NOBODY, "telegram:1", True, True, True, False),
    ],
)
def test_where_each_of_them_is_heard(
    who: str, room: str, direct: bool, bound: bool, command: bool, heard: bool
) -> None:
    assert authority.is_admitted(who, room, PEOPLE, direct=direct, bound=bound, command=command) is heard


@given(st.binary(min_size=8, max_size=8))
def test_a_code_is_a_code_however_it_is_typed_and_opens_its_own_pairing_only(draw: bytes) -> None:
    code = authority.new_code(draw)
    pairing = {"salt": "s", "sealed": authority.seal(code, "s"), "until": 100, "tries": 0}
    for typed in (code, code.lower(), f"{code[:4]}-{code[4:]}", f"  {code[:4]} {code[4:]} "):
        assert authority.is_code(typed)
        assert authority.opens(typed, pairing, 99)
    assert not authority.opens(code, pairing, 100)
    assert not authority.opens(code, {**pairing, "tries": authority.CODE_TRIES}, 0)
    assert not authority.opens(code, {**pairing, "salt": "t"}, 0)
    assert not authority.opens(code[::-1] + "x", pairing, 0)


@given(st.text())
def test_no_text_breaks_the_door(text: str) -> None:
    pairing = {"salt": "s", "sealed": "0" * 64, "until": 100, "tries": 0}
    assert not authority.opens(text, pairing, 0)
    authority.is_code(text)
