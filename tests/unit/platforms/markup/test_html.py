"""HTML as Matrix clients take it."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from hypothesis import given

from baton.adapters.platforms.markup.html import to_html
from tests.unit.platforms.markup.marked import anything

_STYLES = ("a", "br", "code", "del", "em", "strong")
_BLOCKS = ("blockquote", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "li", "ol", "p", "pre", "ul")
_TABLES = ("table", "tbody", "td", "th", "thead", "tr")
_TAGS = {*_STYLES, *_BLOCKS, *_TABLES}
"""Of the Matrix client-server specification, as far as we write them."""


class Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in _TAGS
        for name, held in attrs:
            assert (tag, name) in {("a", "href"), ("ol", "start"), ("code", "class")}
            if name == "href":
                assert re.match(r"(?i)(https?://|mailto:)", held or "")
        if tag not in ("br", "hr"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data

    def handle_comment(self, data: str) -> None:
        raise AssertionError(data)

    handle_decl = handle_pi = unknown_decl = handle_comment


@given(anything)
def test_only_known_tags_and_attributes_are_written(markdown: str) -> None:
    reader = Reader()
    reader.feed(to_html(markdown))
    reader.close()
    assert not reader.open


@pytest.mark.parametrize(
    ("markdown", "html"),
    [
        ("a **b** *c* ~~d~~ `<e>`", "<p>a <strong>b</strong> <em>c</em> <del>d</del> <code>&lt;e&gt;</code></p>"),
        ("a\nb", "<p>a<br>\nb</p>"),
        ('[l](https://a.b/"x "t")', '<p><a href="https://a.b/%22x">l</a></p>'),
        ('[l](https://a.b/?q=1&r=(2) "title")', '<p><a href="https://a.b/?q=1&amp;r=(2)">l</a></p>'),
        ("![p](https://a.b/p.png)", '<p><a href="https://a.b/p.png">p</a></p>'),
        ("[x](JavaScript:alert)", "<p>[x](JavaScript:alert)</p>"),
        ("[x](data:text/html,a)", "<p>[x](data:text/html,a)</p>"),
        ("<img src=x onerror=y>", "<p>&lt;img src=x onerror=y&gt;</p>"),
        ('```py" onclick="x\na\n```', "<pre><code>a\n</code></pre>"),
        ("```c++\na<b\n```", '<pre><code class="language-c++">a&lt;b\n</code></pre>'),
        ("3. a\n4. b", '<ol start="3">\n<li>a</li>\n<li>b</li>\n</ol>'),
    ],
)
def test_markdown_becomes_html(markdown: str, html: str) -> None:
    assert to_html(markdown) == html


def test_a_table_stays_a_table_without_styles() -> None:
    assert "<th>a</th>" in to_html("|a|b|\n|:-|-:|\n|1|2|")
    assert "style" not in to_html("|a|b|\n|:-|-:|\n|1|2|")
