"""What saves a closer look must never hide what the look would find."""

from __future__ import annotations

import base64

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from baton.adapters.redaction.decoded import decoded_views
from baton.adapters.redaction.known_values import KnownValues
from baton.adapters.redaction.prefilter import Cache, Re2Prefilter, hits, open_prefilter
from baton.adapters.redaction.redactor import layers
from baton.adapters.redaction.views import crush, joined_views, squeeze
from baton.ports.redactor import Redactor

PIECES = ("ab", "k1", '"', "'", " ", "\t", "\n", "\r\n", "\\", "+", ".", "..", "&", ">", "|", "-", "\\n", "é", "\n+ ")
SEVERAL = st.lists(st.sampled_from(PIECES), max_size=40).map("".join)


@given(SEVERAL)
@example('a = "ab" + \\\n  "k1"')
def test_a_crushed_text_has_lost_whatever_another_form_of_it_leaves_out(text: str) -> None:
    data = text.encode()
    forms = [squeeze(data), *(view.data for view in joined_views(data))]
    assert {crush(form) for form in forms} == {crush(data)}


def test_a_value_of_which_nothing_is_left_when_crushed_is_found_all_the_same() -> None:
    known = KnownValues({"ruler": "-+-+..>>||&&"})
    assert [span[:2] for span in known.spans(b"a -+-+..>>||&& b")][:1] == [(2, 14)]


@given(st.text(alphabet=st.characters(min_codepoint=32, max_codepoint=126), min_size=24, max_size=90))
@example("0123456789 abcdefghijklmnop xyz ~~~")
def test_base64_of_any_text_that_begins_like_words_is_read(text: str) -> None:
    plain = "".join(each if each.isalnum() else "e" for each in text)
    coded = base64.b64encode(plain.encode()).rstrip(b"=")
    assert any(plain[:21].encode() in view.data for view in decoded_views(b"x: " + coded + b" y"))


CODED = (b"YWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXo", b"QUJDMTIz", b"f790b05fd53b168b27e6c5c655f07264", b"aaa ", b"=", b"\n")


@given(st.lists(st.one_of(st.sampled_from(CODED), st.binary(max_size=30).map(base64.b64encode)), max_size=20))
def test_among_many_runs_the_same_base64_is_read_as_among_few(parts: list[bytes]) -> None:
    text = b"".join(parts) + b"\n" * 200
    among_few = text + b" " * 100 * len(text)
    among_many = text + (b"0" * 40 + b" ") * len(text)
    assert [view.data for view in decoded_views(among_many)] == [view.data for view in decoded_views(among_few)]


def test_a_run_is_reported_once_however_mixed_it_is() -> None:
    anchors = [anchor for layer in layers() for anchor in layer.anchors()]
    for prefilter in (open_prefilter(anchors, Cache("")), Re2Prefilter(anchors)):
        assert len(hits(prefilter, b"say " + b"a0A" * 2_000 + b"\n")) <= 2


NAMES = (
    "key",
    "license",
    "api_key",
    "token",
    "auth",
    "client_id",
    "password",
    "pw",
    "cookie",
    "signature",
    "a,psk",
    "db pass",
)
VALUES = (
    "bsd-3-clause",
    "apache-2.0",
    "sunflower",
    "sunflower82",
    "k3ystone",
    "release-candidate-2",
    "ab12cd34ef56",
)
SIGNS = (": ", " = ", "=", '": "', " := ", " => ", ", '", " || '", " | ")


def _doubts_everything(_value: bytes, _named: bytes) -> bool:
    return False


@given(st.lists(st.tuples(*map(st.sampled_from, (NAMES, SIGNS, VALUES, ("\n", '",\n', " ")))), min_size=1, max_size=6))
def test_what_needs_no_judge_is_what_the_judge_leaves(
    redactor: Redactor, parts: list[tuple[str, str, str, str]]
) -> None:
    text = "".join("".join(each) for each in parts)
    shown = redactor.redact(text).text
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("baton.adapters.redaction.assigned_values._is_beyond_doubt", _doubts_everything)
        assert redactor.redact(text).text == shown
