"""Reads what a client sends: each parameter has a type, and an error names what is wrong. `_meta` is never read."""

from __future__ import annotations

import os
from typing import Any, cast

from baton.core.value import field, value
from baton.surfaces.acp import frames
from baton.surfaces.acp.frames import Json, RpcError
from baton.surfaces.words import protocol

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
        raise wrong(protocol.NO_STRING.format(name=name))
    return found


def optional_text(params: Json, name: str) -> str | None:
    return None if params.get(name) is None else text(params, name)


def directory(params: Json, name: str = "cwd") -> str:
    """The absolute path of a directory that exists."""
    path = text(params, name)
    if len(path) > _LONGEST or "\0" in path or not os.path.isabs(path):
        raise wrong(protocol.NO_PATH.format(name=name))
    try:
        there = os.path.isdir(path)
    except ValueError:
        there = False
    if not there:
        raise wrong(protocol.NO_DIRECTORY.format(name=name, path=repr(path)))
    return path


def opening(params: Json, *, servers_required: bool = True) -> Opening:
    return Opening(directory(params), servers(params, required=servers_required))


def items(params: Json, name: str, *, required: bool = True) -> list[Any]:
    found: Any = params.get(name)
    if found is None and (not required or name in params):
        return []
    if not isinstance(found, list):
        raise wrong(protocol.NO_LIST.format(name=name))
    return cast("list[Any]", found)


def servers(params: Json, *, required: bool = True) -> tuple[GivenServer, ...]:
    found = items(params, "mcpServers", required=required)
    if len(found) > SERVERS:
        raise wrong(protocol.TOO_MANY_SERVERS.format(most=SERVERS))
    return tuple(_server(each) for each in found)


def _server(given: Any) -> GivenServer:
    if not isinstance(given, dict):
        raise wrong(protocol.NO_SERVER)
    found = cast("Json", given)
    name, kind = text(found, "name"), found.get("type")
    if kind == "http":
        return GivenServer(name, url=text(found, "url"), headers=_pairs(found, "headers"))
    if kind not in (None, "stdio"):
        raise wrong(protocol.SERVER_TYPE.format(name=repr(name), kind=repr(kind)))
    args = items(found, "args")
    if not all(isinstance(each, str) for each in args):
        raise wrong(protocol.SERVER_ARGS.format(name=repr(name)))
    return GivenServer(name, command=text(found, "command"), args=tuple(args), env=_pairs(found, "env"))


def _pairs(found: Json, name: str) -> Json:
    pairs: Json = {}
    for each in items(found, name):
        if not isinstance(each, dict):
            raise wrong(protocol.NO_PAIRS.format(name=name))
        pairs[text(cast("Json", each), "name")] = text(cast("Json", each), "value")
    return pairs
