"""The API as an ASGI application: one page for each path, the guard around all of them."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.routing import Route, Router

from baton.core.display import one_line
from baton.core.errors import BatonError, InternalError, NoSuchPage, WrongMethod
from baton.surfaces.api import approvals, conversations, events, handoffs, health, rules, transfers, turns
from baton.surfaces.api.call import read_call
from baton.surfaces.api.errors import error_response, json_response
from baton.surfaces.api.guard import Guard
from baton.surfaces.api.openapi import document
from baton.surfaces.api.operation import Answer, Operation
from baton.surfaces.shared.shapes import OBJECT, TEXT, Field, Shape
from baton.surfaces.words import api as words
from baton.surfaces.words import api_fields as docs

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

    from baton.surfaces.api.call import Call
    from baton.surfaces.api.context import Context

_LOG = logging.getLogger("baton.api")


DOCUMENT: Shape[Mapping[str, Any]] = Shape(
    "document",
    Field("openapi", TEXT, docs.DOCUMENT_OPENAPI),
    Field("info", OBJECT, docs.DOCUMENT_INFO),
    Field("paths", OBJECT, docs.DOCUMENT_PATHS),
)
"""Only described: the document is answered as it is."""


async def describe(_: Context, __: Call) -> ASGIApp:
    return json_response(document(OPERATIONS))


OPERATIONS: tuple[Operation, ...] = (
    *conversations.OPERATIONS,
    *turns.OPERATIONS,
    *events.OPERATIONS,
    *approvals.OPERATIONS,
    *handoffs.OPERATIONS,
    *rules.OPERATIONS,
    *transfers.OPERATIONS,
    *health.OPERATIONS,
    Operation(
        "describe",
        "GET",
        "/v1/openapi.json",
        words.DESCRIBE,
        describe,
        (Answer(200, words.DESCRIBE_RETURNS, DOCUMENT),),
    ),
)
FREE = frozenset(operation.path for operation in OPERATIONS if operation.free)


def make_app(context: Context, token: str, host: str) -> Guard:
    """`host` is the name it listens under."""
    pages: dict[str, dict[str, Operation]] = {}
    for operation in OPERATIONS:
        pages.setdefault(operation.path, {})[operation.method] = operation
    routes = [Route(path, _Page(context, methods)) for path, methods in pages.items()]
    router = Router(routes, redirect_slashes=False, default=_answer_no_page)
    return Guard(router, token, host, FREE)


async def _answer_no_page(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "http":
        await error_response(NoSuchPage())(scope, receive, send)


class _Page:
    """The operations of one path. Every error becomes an answer."""

    def __init__(self, context: Context, methods: dict[str, Operation]) -> None:
        self._context = context
        self._methods = methods

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            answer = await self._answer(Request(scope, receive))
        except BatonError as error:
            answer = error_response(error)
        except Exception as error:  # noqa: BLE001, the edge of a request: one must not end the others
            _LOG.error("%s: %s: %s", one_line(scope["path"], 200), type(error).__name__, one_line(str(error), 300))
            answer = error_response(InternalError(kind=type(error).__name__))
        await answer(scope, receive, send)

    async def _answer(self, request: Request) -> ASGIApp:
        operation = self._methods.get(request.method)
        if operation is None:
            raise WrongMethod(method=one_line(request.method, 20), allowed=", ".join(self._methods))
        return await operation.act(self._context, await read_call(request, operation))
