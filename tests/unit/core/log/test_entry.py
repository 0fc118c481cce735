from __future__ import annotations

import json
from typing import Any
from zlib import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st

from baton.core.errors import BadInput, BadText
from baton.core.log.entry import (
    BODY_LIMIT,
    DEPTH_LIMIT,
    KINDS,
    SEQ_LIMIT,
    Entry,
    NewEntry,
    body_text,
    check_entry,
    encode_body,
    entry,
    make,
    strings,
)
from tests.unit.core.steady import STEADY

SESSION = "20260527_123456_abcdef"

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@STEADY
@given(st.dictionaries(st.text(), JSON, max_size=5))
def test_what_is_encoded_is_compact_json_that_reads_back_the_same(data: dict[str, Any]) -> None:
    body = encode_body(data)
    assert json.loads(body) == data
    body.encode("utf-8")
    assert "\0" not in body


@STEADY
@given(st.text(alphabet=st.characters(exclude_categories=()), max_size=20))
def test_any_text_reads_back_the_same_or_is_refused(text: str) -> None:
    try:
        body = encode_body({"text": text})
    except BadText:
        assert any("\ud800" <= one <= "\udbff" and "\udc00" <= two <= "\udfff" for one, two in zip(text, text[1:]))  # noqa: B905, RUF007
    else:
        body.encode("utf-8")
        assert json.loads(body) == {"text": text}


def test_text_is_kept_readable_and_lone_surrogates_as_escapes() -> None:
    assert encode_body({"text": "ä 😀 \n"}) == '{"text":"ä 😀 \\n"}'
    assert encode_body({"text": "ä\ud800"}) == '{"text":"\\u00e4\\ud800"}'
    assert encode_body({}) == "{}"


def nested(levels: int, inner: Any) -> Any:
    for _ in range(levels):
        inner = [inner]
    return {"x": inner}


def test_nesting_is_limited_in_objects_lists_and_tuples() -> None:
    assert json.loads(encode_body(nested(DEPTH_LIMIT - 1, "x"))) == nested(DEPTH_LIMIT - 1, "x")
    for too_deep in (nested(DEPTH_LIMIT, "x"), {"x": (nested(DEPTH_LIMIT - 2, []),)}):
        with pytest.raises(BadText, match="deeper than 64"):
            encode_body(too_deep)


def test_wide_data_is_not_deep() -> None:
    data = {f"k{number}": [{"a": [number]}] for number in range(2000)}
    assert json.loads(encode_body(data)) == data


@pytest.mark.parametrize("data", [[], "x", None, 3, {"x": object()}, {"x": float("nan")}, {"x": b""}, {("a",): 1}])
def test_what_is_not_a_json_object_is_refused(data: Any) -> None:
    with pytest.raises(BadText):
        encode_body(data)


def test_a_body_is_limited_in_size() -> None:
    room = BODY_LIMIT - len('{"x":""}')
    assert len(encode_body({"x": "a" * room})) == BODY_LIMIT
    with pytest.raises(BadText, match="put long output into a file"):
        encode_body({"x": "a" * (room + 1)})


def test_the_checksum_binds_every_field() -> None:
    made = entry(SESSION, 7, "user", 12, 3, '{"text":"hi"}')
    assert made == Entry(SESSION, 7, "user", 12, 3, '{"text":"hi"}', made.checksum)
    assert made.checksum == crc32(b'{"text":"hi"}', crc32(b"20260527_123456_abcdef/7/user/12/3"))
    assert made.intact()
    changes: list[dict[str, Any]] = [
        {"session_id": "20260527_123456_abcdee"},
        {"seq": 8},
        {"kind": "note"},
        {"at": 13},
        {"tokens": 4},
        {"body": '{"text":"ho"}'},
        {"checksum": made.checksum ^ 1},
    ]
    assert [made._replace(**change).intact() for change in changes] == [False] * len(changes)


def test_every_single_flipped_bit_of_a_body_is_noticed() -> None:
    made = entry(SESSION, 1, "user", 1, 1, '{"text":"hello"}')
    for position in range(len(made.body)):
        for bit in range(7):
            flipped = chr(ord(made.body[position]) ^ (1 << bit))
            assert not made._replace(body=made.body[:position] + flipped + made.body[position + 1 :]).intact()


def test_new_entries_follow_those_that_are_there() -> None:
    new = [NewEntry("user", {}, 5), NewEntry("note", {}, 0, at=0), NewEntry("note", {}, 0, at=99)]
    made = make(SESSION, 4, new, ["{}", '{"a":1}', "{}"], now=50)
    assert made == [
        entry(SESSION, 5, "user", 50, 5, "{}"),
        entry(SESSION, 6, "note", 0, 0, '{"a":1}'),
        entry(SESSION, 7, "note", 99, 0, "{}"),
    ]
    assert make(SESSION, 4, [], [], now=50) == []


def test_a_session_holds_a_limited_number_of_entries() -> None:
    assert [each.seq for each in make(SESSION, SEQ_LIMIT - 2, [NewEntry("user", {})], ["{}"], 1)] == [SEQ_LIMIT - 1]
    with pytest.raises(BadInput, match="is full"):
        make(SESSION, SEQ_LIMIT - 1, [NewEntry("user", {})], ["{}"], 1)


@pytest.mark.parametrize(
    "new",
    [
        NewEntry("", {}),
        NewEntry("User", {}),
        NewEntry("\ud800", {}),
        NewEntry("user", {}, -1),
        NewEntry("user", {}, 2**62),
        NewEntry("user", {}, 0, -1),
        NewEntry("user", {}, 0, 2**62),
    ],
)
def test_a_new_entry_out_of_form_is_refused(new: NewEntry) -> None:
    with pytest.raises(BadText):
        make(SESSION, 0, [new], ["{}"], 1)


@pytest.mark.parametrize("kind", KINDS)
def test_the_kinds_that_are_known_can_be_made(kind: str) -> None:
    assert make(SESSION, 0, [NewEntry(kind, {})], ["{}"], 1)[0].kind == kind


def test_an_entry_from_outside_is_checked_like_one_made_here() -> None:
    good = entry(SESSION, 1, "user", 1, 1, '{ "text" : "spaced" }')
    check_entry(good)
    bad = [
        good._replace(checksum=0),
        good._replace(kind="No"),
        good._replace(tokens=-1),
        entry(SESSION, 1, "user", 1, 1, "[1]"),
        entry(SESSION, 1, "user", 1, 1, "nonsense"),
        entry(SESSION, 1, "user", 1, 1, '{"a":' * 65 + "1" + "}" * 65),
        entry(SESSION, 1, "user", 1, 1, "[" * 100_000),
        entry(SESSION, 1, "user", 1, 1, '{"a":"\0"}'),
        good._replace(body='{"a":"\ud800"}'),
    ]
    for each in bad:
        with pytest.raises(BadInput):
            check_entry(each)


def test_the_text_of_an_entry_is_every_string_in_it_in_order() -> None:
    data = {"b": "one", "a": ["two", {"x": "three", "n": 4}, None, [["four"]]], "e": ""}
    assert list(strings(data)) == ["one", "two", "three", "four", ""]
    made = entry(SESSION, 1, "user", 1, 0, encode_body(data))
    assert made.text == body_text(made.body) == "one\ntwo\nthree\nfour\n"
    assert made.data == data
