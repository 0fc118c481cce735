"""The package index a person set up for pip, read without running pip.

pip's order, the later winning: files of the system, of the user, of the virtual environment, PIP_CONFIG_FILE, then
PIP_… variables; in each file `[global]`, then `[install]`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from configparser import Error, RawConfigParser

from baton.core.value import value

PUBLIC_INDEX = "https://pypi.org/simple"
"""What pip itself uses when nothing is set."""

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
