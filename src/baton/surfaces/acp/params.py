"""Reads what a client sends: each parameter has a type, and an error names what is wrong. `_meta` is never read."""

from __future__ import annotations

import os
from typing import Any, cast

from baton.core.value import field, value
from baton.surfaces.acp import frames
from baton.surfaces.acp.frames import Json, RpcError

SERVERS = 64
_LONGEST = 4_096


@value
class GivenServer:
    """An MCP server that the client lends to one session. `env` and `headers` are never stored."""

    name: str
    command: str = ""
    args: tuple[str, ...] = ()
    env: Json = field(default_factory=dict, repr=False)
    url: str = field(default="", repr=False)
    headers: Json = field(default_factory=dict, repr=False)


@value
class Opening:
    """What a client opens a session with: the directory its tools work in, and the MCP servers it lends."""

    directory: str
    servers: tuple[GivenServer, ...] = ()


def wrong(reason: str) -> RpcError:
    return RpcError(frames.INVALID_PARAMS, reason, {"details": reason})


def text(params: Json, name: str) -> str:
    found: Any = params.get(name)
    if not isinstance(found, str):
        raise wrong(f"{name} must be a string.")
    return found


def optional_text(params: Json, name: str) -> str | None:
    return None if params.get(name) is None else text(params, name)


def directory(params: Json, name: str = "cwd") -> str:
    """The absolute path of a directory that exists."""
    path = text(params, name)
    if len(path) > _LONGEST or "\0" in path or not os.path.isabs(path):
        raise wrong(f"{name} must be an absolute path.")
    try:
        there = os.path.isdir(path)
    except ValueError:
        there = False
    if not there:
        raise wrong(f"{name}: there is no directory {path!r}.")
    return path


def opening(params: Json, *, servers_required: bool = True) -> Opening:
    return Opening(directory(params), servers(params, required=servers_required))


def items(params: Json, name: str, *, required: bool = True) -> list[Any]:
    found: Any = params.get(name)
    if found is None and (not required or name in params):
        return []
    if not isinstance(found, list):
        raise wrong(f"{name} must be a list.")
    return cast("list[Any]", found)


def servers(params: Json, *, required: bool = True) -> tuple[GivenServer, ...]:
    found = items(params, "mcpServers", required=required)
    if len(found) > SERVERS:
        raise wrong(f"mcpServers has more than {SERVERS} servers.")
    return tuple(_server(each) for each in found)


def _server(given: Any) -> GivenServer:
    if not isinstance(given, dict):
        raise wrong("Each of mcpServers must be an object.")
    found = cast("Json", given)
    name, kind = text(found, "name"), found.get("type")
    if kind == "http":
        return GivenServer(name, url=text(found, "url"), headers=_pairs(found, "headers"))
    if kind not in (None, "stdio"):
        raise wrong(f"mcpServers: {name!r} is of type {kind!r}. Allowed: stdio and http.")
    args = items(found, "args")
    if not all(isinstance(each, str) for each in args):
        raise wrong(f"mcpServers: the args of {name!r} must be strings.")
    return GivenServer(name, command=text(found, "command"), args=tuple(args), env=_pairs(found, "env"))


def _pairs(found: Json, name: str) -> Json:
    pairs: Json = {}
    for each in items(found, name):
        if not isinstance(each, dict):
            raise wrong(f"Each of {name} must be an object with name and value.")
        pairs[text(cast("Json", each), "name")] = text(cast("Json", each), "value")
    return pairs
