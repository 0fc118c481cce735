"""Plain text, WhatsApp's stars and Slack's mrkdwn."""

from __future__ import annotations

import re

import pytest
from hypothesis import given

from baton.adapters.platforms.markup.delimited import to_mrkdwn, to_whatsapp
from baton.adapters.platforms.markup.html import to_html
from baton.adapters.platforms.markup.spans import to_plain, to_spans
from tests.unit.platforms.markup.marked import anything, prose

_APART = "\u200b"


@pytest.mark.parametrize(
    ("markdown", "plain", "stars", "mrkdwn"),
    [
        ("**b** *i* ~~s~~ `c`", "b i s c", "*b* _i_ ~s~ `c`", "*b* _i_ ~s~ `c`"),
        ("# T **x**", "T x", "*T x*", "*T x*"),
        ("***x** y*", "x y", "_*x* y_", "_*x* y_"),
        ("a**b**c", "abc", f"a{_APART}*b*{_APART}c", f"a{_APART}*b*{_APART}c"),
        ("a`b`c", "abc", f"a{_APART}`b`{_APART}c", f"a{_APART}`b`{_APART}c"),
        ("**a\nb**", "a\nb", "*a*\n*b*", "*a*\n*b*"),
        ("> **a\n> b**", "> a\n> b", "> *a*\n> *b*", "> *a*\n> *b*"),
        ("[l](https://a.b/(c))", "l (https://a.b/(c))", "l (https://a.b/(c))", "<https://a.b/(c)|l>"),
        ("[**l**](https://a.b)x", "l (https://a.b)x", "*l* (https://a.b)x", "<https://a.b|*l*>x"),
        ("**[l](https://a.b)**", "l (https://a.b)", "*l (https://a.b)*", "*<https://a.b|l>*"),
        ("<https://a.b>", "https://a.b", "https://a.b", "<https://a.b|https://a.b>"),
        ("[l](https://a.b/x|y)", "l (https://a.b/x%7Cy)", "l (https://a.b/x%7Cy)", "<https://a.b/x%7Cy|l>"),
        ("<!channel> & <@U1>", "<!channel> & <@U1>", "<!channel> & <@U1>", "&lt;!channel&gt; &amp; &lt;@U1&gt;"),
        ("```py\nx<y\n```", "x<y", "```\nx<y\n```", "```\nx&lt;y\n```"),
        ("````\n```\n````", "```", f"```\n``{_APART}`\n```", f"```\n``{_APART}`\n```"),
        ("`` a`b ``", "a`b", "a`b", "a`b"),
        ("- a\n  > q\n- b", "• a\n  > q\n• b", "• a\n  > q\n• b", "• a\n  > q\n• b"),
        ("2 * 3 and snake_case", "2 * 3 and snake_case", "2 * 3 and snake_case", "2 * 3 and snake_case"),
        ("", "", "", ""),
    ],
)
def test_markdown_becomes_text(markdown: str, plain: str, stars: str, mrkdwn: str) -> None:
    assert (to_plain(markdown), to_whatsapp(markdown), to_mrkdwn(markdown)) == (plain, stars, mrkdwn)


@given(prose)
def test_prose_stays_as_it_is(markdown: str) -> None:
    assert to_plain(markdown) == to_whatsapp(markdown) == to_mrkdwn(markdown) == markdown


@given(anything)
def test_slack_text_mentions_nobody(markdown: str) -> None:
    """Every `<` begins a link of ours, every `&` is one of three escapes."""
    shown = to_mrkdwn(markdown)
    for begin in re.finditer("<", shown):
        assert re.match(r"<(https?://|mailto:)[^<>|\s]+\|[^<>]*>", shown[begin.start() :], re.IGNORECASE)
    assert not re.search("&(?!amp;|lt;|gt;)", shown)


_OUTPUTS = [to_plain, to_whatsapp, to_mrkdwn, to_html, lambda markdown: to_spans(markdown, links=False).text]


@given(anything)
def test_no_word_is_lost(markdown: str) -> None:
    """Whatever the marks, every letter that was written as text is shown; what is text, the plainest parse says."""
    letters = re.sub(r"(?:`{3}|~{3}).*|&\w*;?|[^XYZ]", "", markdown)
    for output in _OUTPUTS:
        assert len(re.sub("[^XYZ]", "", output(markdown))) >= len(letters)


def _hostile(size: int) -> dict[str, str]:
    return {
        "brackets": "[" * size,
        "pictures": "![" * (size // 2),
        "links": "[a](" * (size // 4),
        "stars": "*a **a " * (size // 7),
        "strikes": "~~a " * (size // 4),
        "ticks": " ".join("`" * count for count in range(1, int((2 * size) ** 0.5))),
        "quotes": ">" * size,
        "lists": "- " * (size // 2),
        "steps": "".join("  " * depth + "- a\n" for depth in range(int(size**0.5))),
        "lazy lines": ">" * 50 + "a\n" + "b\n" * (size // 2),
        "columns": "|a" * (size // 6) + "|\n" + "|-" * (size // 6) + "|\n" + "|\n" * (size // 6),
        "wide cell": "|" + "a" * (size // 2) + "|\n|-|\n" + "|b|\n" * (size // 8),
        "lone lists": "-\n*\n" * (size // 4),
        "autolinks": "<a:" * (size // 3),
        "entities": "&" * size,
        "fences": "```\n" * (size // 4),
    }


@pytest.mark.parametrize("name", sorted(_hostile(8)))
def test_hostile_text_costs_no_more_than_its_length(name: str) -> None:
    """Counted in calls of functions, not in seconds: four times the text is not much more than four times the work."""
    small, large = (_work(_hostile(size)[name]) for size in (500, 2_000))
    assert large <= 6 * small
    for output in _OUTPUTS:
        assert len(output(_hostile(2_000)[name])) < 20 * 2_000


def _work(markdown: str) -> int:
    import sys

    count = 0

    def counted(_frame: object, event: str, _argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    for output in _OUTPUTS:
        sys.setprofile(counted)
        try:
            output(markdown)
        finally:
            sys.setprofile(before)
    return count
