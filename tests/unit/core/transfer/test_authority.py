"""Who is heard: a table, because nothing may be left to chance."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from baton.core.transfer import authority
from baton.core.transfer.authority import GUEST, NOBODY, OWNER, People

PEOPLE = People(
    owners={"telegram:1", "matrix:@ada:home.org"},
    guests={"telegram:2"},
    homes={"telegram:1", "telegram:8", "telegram:-100", "discord:77", "matrix:!den:home.org"},
    appointed={"telegram:8", "telegram:-100", "discord:77"},
)


@pytest.mark.parametrize(
    ("sender", "room", "fixed", "who"),
    [
        ("telegram:1", "telegram:1", True, OWNER),
        ("telegram:1", "telegram:-5", False, OWNER),
        ("telegram:2", "telegram:2", True, GUEST),
        ("telegram:2", "telegram:-100", False, GUEST),
        ("telegram:3", "telegram:3", True, NOBODY),
        ("discord:1", "discord:1", True, NOBODY),
        ("telegram:11", "telegram:11", True, NOBODY),
        ("", "", True, NOBODY),
        # a chat that the configuration names stands for its owner, if its members can never change
        ("telegram:8", "telegram:8", True, OWNER),
        ("discord:5", "discord:77", True, OWNER),
        ("telegram:8", "telegram:8", False, NOBODY),
        ("telegram:9", "telegram:-100", False, NOBODY),
        ("slack:5", "discord:77", True, NOBODY),
        # one that was set later does not: whoever set it is known
        ("telegram:9", "telegram:1", True, NOBODY),
        ("matrix:@mia:home.org", "matrix:!den:home.org", True, NOBODY),
        # an id is compared whole
        ("matrix:@ada:home.org", "matrix:!den:home.org", False, OWNER),
        ("matrix:@ada:evil.org", "matrix:!den:home.org", False, NOBODY),
        ("matrix:@ada:home.org.evil.org", "matrix:!den:home.org", False, NOBODY),
        ("matrix:@ADA:home.org", "matrix:!den:home.org", False, NOBODY),
        ("matrix:ada:home.org", "matrix:!den:home.org", False, NOBODY),
        ("slack:@ada:home.org", "slack:D1", True, NOBODY),
    ],
)
def test_people_are_known_by_their_stable_id(sender: str, room: str, fixed: bool, who: str) -> None:
    assert authority.role(sender, room, PEOPLE, fixed=fixed) == who


@given(
    sender=st.sampled_from(["matrix:@mia:home.org", "telegram:3", "discord:5", "telegram:-100", "telegram:8"]),
    room=st.sampled_from(sorted(PEOPLE.homes)),
)
def test_no_room_makes_an_owner_where_its_members_can_change(sender: str, room: str) -> None:
    assert authority.role(sender, room, PEOPLE, fixed=False) == NOBODY


@pytest.mark.parametrize("one", [NOBODY, GUEST, OWNER])
def test_of_two_roles_the_lesser_counts(one: str) -> None:
    assert authority.lesser(one, OWNER) == authority.lesser(OWNER, one) == one
    assert authority.lesser(one, NOBODY) == NOBODY


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
        assert authority.opens(typed, "telegram:1", pairing, 99)
    assert not authority.opens(code, "telegram:1", pairing, 100)
    assert not authority.opens(code, "telegram:1", {**pairing, "salt": "t"}, 0)
    assert not authority.opens(code[::-1] + "x", "telegram:1", pairing, 0)


def test_who_guesses_uses_up_their_own_tries_and_nobody_elses() -> None:
    pairing = {"salt": "s", "sealed": authority.seal("AAAABBBB", "s"), "until": 100, "tries": 0}
    for _ in range(3 * authority.CODE_TRIES):
        pairing = dict(authority.count_guess("telegram:666", pairing))
    assert not authority.opens("AAAABBBB", "telegram:666", pairing, 0)
    assert authority.opens("AAAABBBB", "telegram:1", pairing, 0)
    assert authority.count_strangers(pairing) == 1
    assert "666" not in str(pairing["guesses"])


def test_a_pairing_that_a_crowd_guesses_at_ends_and_says_so() -> None:
    pairing = {"salt": "s", "sealed": authority.seal("AAAABBBB", "s"), "until": 100, "tries": 0}
    for number in range(authority.CODE_GUESSERS):
        pairing = dict(authority.count_guess(f"telegram:{number}", pairing))
    assert authority.opens("AAAABBBB", "telegram:new", pairing, 0)
    pairing = dict(authority.count_guess("telegram:one-more", pairing))
    assert (authority.waits(pairing, 0), pairing["ended"]) == (False, authority.GUESSED)
    assert len(str(pairing)) < 4000


@given(st.text())
def test_no_text_breaks_the_door(text: str) -> None:
    pairing = {"salt": "s", "sealed": "0" * 64, "until": 100, "tries": 0}
    assert not authority.opens(text, text, pairing, 0)
    authority.count_guess(text, pairing)
    authority.is_code(text)
