"""What the configuration of MCP servers tells the redactor: values by the names they are given under."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Protocol

from baton.adapters.tools.mcp.config import VARIABLE

_SCHEME = re.compile(r"(?i)(?:bearer|basic|token|apikey|api-key)\s+(\S+)\s*$")
_LONG = 20


class ServerConfig(Protocol):
    """As far as it is asked for here: an entry of the configuration, or a server that an editor gave."""

    @property
    def args(self) -> Sequence[str]: ...
    @property
    def env(self) -> Mapping[str, str]: ...
    @property
    def url(self) -> str: ...
    @property
    def headers(self) -> Mapping[str, str]: ...


def server_values(servers: Iterable[ServerConfig], environ: Mapping[str, str]) -> dict[str, str]:
    """Names and values; which of them are secrets the redactor tells by both. References are filled as the servers get
    them. A number keeps apart what several servers call the same.
    """
    found: dict[str, str] = {}
    for server in servers:
        for name, held in _values(server):
            filled = VARIABLE.sub(lambda match: environ.get(match.group(1), ""), held).strip()
            if filled and filled not in found.values():
                found[f"mcp {len(found) + 1} {name}"] = filled
    return found


def _values(server: ServerConfig) -> Iterator[tuple[str, str]]:
    yield from server.env.items()
    for name, held in server.headers.items():
        yield name, held
        if match := _SCHEME.match(held):
            yield f"{name} token", match.group(1)
    if server.url:
        yield "url", server.url
        for part in re.split(r"[/?#&=]", server.url.partition("://")[2].partition("/")[2]):
            if len(part) >= _LONG:
                yield "part", part
    yield from _flags(server.args)


def _flags(args: Sequence[str]) -> Iterator[tuple[str, str]]:
    """`--api-key X` and `--api-key=X`; a link among the arguments may hold a password."""
    for at, each in enumerate(args):
        name, equals, held = each.partition("=")
        if each.startswith("-") and equals:
            yield name.strip("-"), held
        elif each.startswith("-") and at + 1 < len(args):
            yield name.strip("-"), args[at + 1]
        elif "://" in each:
            yield "link", each
