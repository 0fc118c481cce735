"""A request as an operation reads it: everything given is checked before anything is done."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import parse_qsl

from starlette.requests import ClientDisconnect, Request

from baton.core.errors import BadInput, BodyTooLarge, BodyTooSlow, NotJson
from baton.core.ids import quote
from baton.core.value import value
from baton.surfaces.api.operation import EVENTS, JSON, Operation
from baton.surfaces.words import api as words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from baton.surfaces.api.operation import Parameter

LARGEST = 1_000_000
SLOWEST = 10.0
_MOST_PARAMETERS = 20


@value
class Call:
    """Parameters by name, from the path, the query and the body; those that were not given have their default."""

    given: Mapping[str, Any]
    streams: bool
    last_event: str = ""

    def text(self, name: str) -> str:
        return str(self.given[name])

    def whole(self, name: str) -> int:
        return int(self.given[name])

    def maybe(self, name: str) -> str | None:
        return cast("str | None", self.given[name])


async def read_call(request: Request, operation: Operation) -> Call:
    """Raises `BadInput` or `ApiError` for anything that the operation does not declare."""
    where = _check(operation.where, request.path_params)
    query = _check(operation.query, _pairs(_query(request.scope["query_string"]), "query"))
    body = _check(operation.body, _object(await _body(request))) if operation.body else {}
    last = request.headers.get("last-event-id", "") if operation.resumes else ""
    return Call({**where, **query, **body}, EVENTS in request.headers.get("accept", ""), last)


def _check(parameters: Sequence[Parameter], given: Mapping[str, object]) -> dict[str, Any]:
    names = [parameter.name for parameter in parameters]
    if unknown := [name for name in given if name not in names]:
        raise BadInput(reason=words.NOT_TAKEN.format(name=quote(unknown[0]), names=", ".join(names) or words.NOTHING))
    found: dict[str, Any] = {}
    for parameter in parameters:
        if parameter.name in given:
            found[parameter.name] = parameter.read(given[parameter.name])
        elif parameter.required:
            raise BadInput(reason=words.MISSING.format(name=parameter.name, about=parameter.doc))
        else:
            found[parameter.name] = parameter.default
    return found


def _query(raw: bytes) -> list[tuple[str, str]]:
    try:
        return parse_qsl(
            raw.decode("ascii"),
            keep_blank_values=True,
            encoding="utf-8",
            errors="strict",
            max_num_fields=_MOST_PARAMETERS,
        )
    except ValueError:
        raise BadInput(reason=words.BAD_QUERY) from None


def _pairs(pairs: Iterable[tuple[str, Any]], where: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, given in pairs:
        if name in found:
            raise BadInput(reason=words.TWICE.format(name=quote(name), where=where))
        found[name] = given
    return found


async def _body(request: Request) -> bytes:
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != JSON:
        raise NotJson()
    body = bytearray()
    try:
        async with asyncio.timeout(SLOWEST):
            async for piece in request.stream():
                body += piece
                if len(body) > LARGEST:
                    raise BodyTooLarge(limit=LARGEST)
    except (TimeoutError, ClientDisconnect):
        raise BodyTooSlow(seconds=SLOWEST) from None
    return bytes(body)


def _object(body: bytes) -> Mapping[str, object]:
    try:
        read = json.loads(
            body.decode("utf-8", "strict"),
            object_pairs_hook=lambda pairs: _pairs(pairs, "body"),
            parse_constant=_no_constant,
        )
    except (ValueError, RecursionError):
        raise BadInput(reason=words.NOT_JSON) from None
    if not isinstance(read, dict):
        raise BadInput(reason=words.NO_OBJECT)
    return cast("dict[str, object]", read)


def _no_constant(name: str) -> object:
    raise ValueError(name)
