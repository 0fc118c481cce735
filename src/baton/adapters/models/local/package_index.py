"""The package index that is set up for pip, read without running pip: its address, and one package's page on it.

`docs/decisions/023-the-model-download-has-its-own-package-index-client.md` says why.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Mapping
from configparser import Error, RawConfigParser
from html.parser import HTMLParser
from urllib.error import HTTPError
from urllib.parse import unquote, urldefrag, urljoin, urlsplit, urlunsplit

from baton.adapters.models.local.download import Web
from baton.core.value import value

PUBLIC_INDEX = "https://pypi.org/simple"
"""What pip itself uses when nothing is set."""

_LONGEST_PAGE = 8 << 20
_SYSTEM = (
    ("/Library/Application Support/pip/pip.conf",)
    if sys.platform == "darwin"
    else ("/etc/xdg/pip/pip.conf", "/etc/pip.conf")
)


@value
class PipConfig:
    """`indexes` in the order they are asked; empty when pip is told to use none."""

    indexes: tuple[str, ...]
    proxy: str
    certificates: str


def pip_config(environ: Mapping[str, str] | None = None) -> PipConfig:
    """In pip's order, the later winning: files of the system, of the user, of the virtual environment,
    PIP_CONFIG_FILE, then PIP_… variables; in each file `[global]`, then `[install]`.
    """
    environ = os.environ if environ is None else environ
    options: dict[str, str] = {}
    for path in _files(environ):
        options |= _read(path)
    for name, given in environ.items():
        if name.startswith("PIP_") and given:
            options[name.removeprefix("PIP_").lower().replace("_", "-")] = given
    indexes = (options.get("index-url", PUBLIC_INDEX), *options.get("extra-index-url", "").split())
    none = options.get("no-index", "").lower() in ("1", "true", "yes", "on")
    certificates = options.get("cert") or environ.get("REQUESTS_CA_BUNDLE") or environ.get("CURL_CA_BUNDLE") or ""
    return PipConfig(() if none else indexes, options.get("proxy", ""), certificates)


def _files(environ: Mapping[str, str]) -> Iterator[str]:
    named = environ.get("PIP_CONFIG_FILE", "")
    if named == os.devnull:
        return
    home = os.path.expanduser("~")
    yield from _SYSTEM
    yield os.path.join(home, ".pip", "pip.conf")
    application = os.path.join(home, "Library", "Application Support", "pip")
    if sys.platform == "darwin" and os.path.isdir(application):
        yield os.path.join(application, "pip.conf")
    else:
        yield os.path.join(environ.get("XDG_CONFIG_HOME") or os.path.join(home, ".config"), "pip", "pip.conf")
    yield os.path.join(sys.prefix, "pip.conf")
    if named:
        yield named


def _read(path: str) -> dict[str, str]:
    """The options of one file; nothing from one that is absent or cannot be read."""
    parser = RawConfigParser()
    try:
        parser.read(path, encoding="utf-8")
    except (Error, UnicodeDecodeError):
        return {}
    found: dict[str, str] = {}
    for section in ("global", "install"):
        if parser.has_section(section):
            found |= {name.replace("_", "-"): given for name, given in parser.items(section) if given}
    return found


@value
class Link:
    """`sha256` is empty where the index states none."""

    url: str
    sha256: str


class NotOnIndex(Exception):
    """The index has no such package, or not this version of it."""


def wheel_link(web: Web, index: str, package: str, version: str, *, timeout: float) -> Link:
    """The pure wheel of that version, by its page (PEP 503). Raises `NotOnIndex`, or what `Web.open` raises."""
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
