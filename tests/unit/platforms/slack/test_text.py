from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from baton.adapters.platforms.markup.delimited import escape_mrkdwn
from baton.adapters.platforms.slack.inbound import read_text
from baton.adapters.platforms.slack.outbound import without_mentions


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a &lt;b&gt; &amp;amp; c", "a <b> &amp; c"),
        ("<@UBOT> do it", "do it"),
        ("  <@UBOT|baton>: do it", "do it"),
        ("ask <@UBOT> or <@U2> or <@U3|eve>", "ask @UBOT or @U2 or @eve"),
        ("in <#C1|general>", "in #general"),
        ("<!here> and <!subteam^S1|@team>", "@here and @team"),
        ("<https://a.example/x?a=1&amp;b=2>", "https://a.example/x?a=1&b=2"),
        ("<http://a.example|a.example>", "http://a.example"),
        ("<https://a.example|the page>", "the page (https://a.example)"),
        ("<mailto:a@b.example|a@b.example>", "a@b.example"),
        ("1 < 2 and 3 > 2", "1 < 2 and 3 > 2"),
    ],
)
def test_what_a_person_typed(text: str, expected: str) -> None:
    assert read_text(text, "UBOT") == expected


@given(st.text())
def test_whatever_is_typed_comes_as_it_was(text: str) -> None:
    assert read_text(escape_mrkdwn(text), "UBOT") == text


@pytest.mark.parametrize("mention", ["<!channel>", "<!here|x>", "<!everyone>", "<!subteam^S1>", "<@U1>", "<@W2|eve>"])
def test_nobody_is_called(mention: str) -> None:
    assert without_mentions(f"a {mention} b") == f"a <\u200b{mention[1:]} b"
    assert without_mentions(without_mentions(mention)) == without_mentions(mention)


@pytest.mark.parametrize("text", ["<!doctype html>", "a <@decorator> b", "x <- y", "<https://a.example>"])
def test_other_text_stays(text: str) -> None:
    assert without_mentions(text) == text
