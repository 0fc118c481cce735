"""One package's page on an index (PEP 503): the wheel of a version, and what it must hash to."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from urllib.error import HTTPError
from urllib.parse import unquote, urldefrag, urljoin, urlsplit, urlunsplit

from baton.adapters.models.local.web import Web
from baton.core.value import value

_LONGEST_PAGE = 8 << 20


@value
class Link:
    """`sha256` is empty where the index states none."""

    url: str
    sha256: str


class NotOnIndex(Exception):
    """The index has no such package, or not this version of it."""


def wheel_link(web: Web, index: str, package: str, version: str, *, timeout: float) -> Link:
    """The pure wheel of that version. Raises `NotOnIndex`, or what `Web.open` raises."""
    address = f"{index.rstrip('/')}/{_normal(package)}/"
    if urlsplit(index).scheme == "file":
        address += "index.html"
    try:
        with web.open(address, timeout=timeout) as answer:
            page = answer.read(_LONGEST_PAGE).decode("utf-8", "replace")
            base = answer.url
    except HTTPError as error:
        if error.code in (404, 410):
            raise NotOnIndex(f"the package index has no package {package}") from error
        raise
    for href in _links(page, base):
        url, fragment = urldefrag(href)
        if _is_wheel(unquote(urlsplit(url).path).rpartition("/")[2], package, version):
            stated = re.search(r"(?:^|&)sha256=([0-9a-f]{64})(?:&|$)", fragment)
            return Link(_with_credentials(url, index), stated[1] if stated else "")
    raise NotOnIndex(f"the package index has no wheel of {package} {version}")


class _Anchors(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.base = ""
        self.hrefs: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        href = dict(attrs).get("href") or ""
        if tag == "base":
            self.base = self.base or href
        elif tag == "a" and href:
            self.hrefs.append(href)


def _links(page: str, base: str) -> list[str]:
    """Every link as an address of the same kind as the page's: a page from the network never names a local file."""
    anchors = _Anchors()
    anchors.feed(page)
    base = urljoin(base, anchors.base)
    allowed = ("file", "http", "https") if urlsplit(base).scheme == "file" else ("http", "https")
    found = [urljoin(base, href) for href in anchors.hrefs]
    return [href for href in found if urlsplit(href).scheme in allowed]


def _is_wheel(name: str, package: str, version: str) -> bool:
    parts = name.split("-")
    pure = name.endswith("-none-any.whl") and len(parts) == 5
    return pure and _normal(parts[0]) == _normal(package) and parts[1] == version


def _with_credentials(url: str, index: str) -> str:
    """The address, with the index's own credentials where it is on the same host."""
    link, own = urlsplit(url), urlsplit(index)
    held, _, host = own.netloc.rpartition("@")
    if held and link.netloc == host and link.scheme == own.scheme:
        return urlunsplit(link._replace(netloc=own.netloc))
    return url


def _normal(package: str) -> str:
    return re.sub(r"[-_.]+", "-", package).lower()
