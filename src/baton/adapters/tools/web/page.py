"""HTML turned into readable text."""

from __future__ import annotations

import re
import time
from html.parser import HTMLParser
from urllib.parse import urljoin

_SILENT = frozenset({"script", "style", "noscript", "template", "svg", "math", "iframe", "object", "canvas"})
_VOID = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
)
_HEADINGS = {f"h{level}": "#" * level + " " for level in range(1, 7)}
_PARTS = {"address", "article", "aside", "body", "fieldset", "footer", "form", "header", "main", "nav", "section"}
_TEXTS = {"blockquote", "dd", "div", "dl", "dt", "figure", "hr", "li", "ol", "p", "pre", "table", "title", "tr", "ul"}
_BLOCKS = frozenset({*_HEADINGS, *_PARTS, *_TEXTS})
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_SLICE = 1 << 16
_SECONDS = 3.0


def html_to_text(html: str, base: str) -> str:
    """Headings, paragraphs, list items, links and code. Scripts, styles and what a reader would not see are left out.

    A page that takes longer than three seconds is cut there.
    """
    reader = _Reader(base)
    deadline = time.monotonic() + _SECONDS
    for start in range(0, len(html), _SLICE):
        reader.feed(html[start : start + _SLICE])
        if time.monotonic() > deadline:
            return reader.text() + "\n[the rest of the page took too long to read]"
    return reader.text()


class _Reader(HTMLParser):
    def __init__(self, base: str) -> None:
        super().__init__(convert_charrefs=True)
        self._base = base
        self._parts: list[str] = []
        self._quiet: list[str] = []
        self._links: list[str] = []
        self._verbatim = 0

    def text(self) -> str:
        lines = (line.rstrip() for line in "".join(self._parts).split("\n"))
        return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self._quiet:
            if tag == self._quiet[0]:
                self._quiet.append(tag)
            return
        if tag not in _VOID and _is_unseen(tag, dict(attrs)):
            self._quiet.append(tag)
            return
        if tag == "br" or tag in _BLOCKS:
            self._parts.append("\n" if tag in ("br", "li", "tr") else "\n\n")
        if tag in _HEADINGS or tag == "li":
            self._parts.append(_HEADINGS.get(tag, "- "))
        elif tag in ("td", "th"):
            self._parts.append(" | ")
        elif tag == "pre":
            self._verbatim += 1
        elif tag == "a":
            self._links.append(dict(attrs).get("href") or "")

    def handle_endtag(self, tag: str) -> None:
        if self._quiet:
            if tag == self._quiet[0]:
                self._quiet.pop()
            return
        if tag == "a" and self._links:
            self._parts.append(_link(self._base, self._links.pop()))
        elif tag == "pre":
            self._verbatim = max(0, self._verbatim - 1)
        if tag in _BLOCKS:
            self._parts.append("\n" if tag in ("li", "tr") else "\n\n")

    def handle_data(self, data: str) -> None:
        if not self._quiet:
            self._parts.append(data if self._verbatim else re.sub(r"\s+", " ", data))


def _is_unseen(tag: str, attrs: dict[str, str | None]) -> bool:
    return (
        tag in _SILENT
        or "hidden" in attrs
        or attrs.get("aria-hidden") == "true"
        or bool(_HIDDEN.search(attrs.get("style") or ""))
    )


def _link(base: str, href: str) -> str:
    try:
        found = urljoin(base, href)
    except ValueError:
        return ""
    return f" ({found})" if found.startswith(("http://", "https://")) and not href.startswith("#") else ""
