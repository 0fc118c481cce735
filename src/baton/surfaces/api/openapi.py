"""The OpenAPI document, made from the operations themselves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from baton import __version__
from baton.surfaces.api.errors import ERROR
from baton.surfaces.api.operation import EVENTS, JSON
from baton.surfaces.api.positions import FORM

if TYPE_CHECKING:
    from baton.surfaces.api.operation import Answer, Operation, Parameter

_ABOUT = (
    "Conversations, turns, handoffs and transfers of a Baton gateway, for programs on the same machine. Every request "
    "but /healthz carries the token in `Authorization`. Errors say what happened, what was kept and what to do."
)
_ERRORS = {
    400: "Something given does not have an allowed form.",
    401: "The token is missing or wrong.",
    403: "The Host or Origin is not this gateway's: the request comes from a web page.",
    404: "It is not there.",
    408: "The body did not arrive in time.",
    409: "It cannot be done now: somebody else was first, a turn runs, or the state does not allow it.",
    413: "The body is too large.",
    415: "The body is not JSON.",
    429: "Too many wrong tokens, or too many open streams.",
    503: "The store or the model cannot be reached, or the gateway is stopping.",
}


def document(operations: Iterable[Operation]) -> dict[str, Any]:
    paths: dict[str, dict[str, Any]] = {}
    for operation in operations:
        paths.setdefault(operation.path, {})[operation.method.lower()] = _describe(operation)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Baton gateway", "version": __version__, "description": _ABOUT},
        "paths": paths,
        "components": {
            "schemas": {"Error": ERROR.schema()},
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{"token": []}],
    }


def _describe(operation: Operation) -> dict[str, Any]:
    found: dict[str, Any] = {
        "operationId": operation.name,
        "summary": operation.doc.partition(".")[0] + ".",
        "description": operation.doc,
        "responses": _responses(operation),
    }
    parameters = [
        *(_parameter(each, "path") for each in operation.where),
        *(_parameter(each, "query") for each in operation.query),
        *([_LAST_EVENT] if operation.resumes else []),
    ]
    if parameters:
        found["parameters"] = parameters
    if operation.body:
        found["requestBody"] = {"required": True, "content": {JSON: {"schema": _body(operation.body)}}}
    if operation.free:
        found["security"] = []
    return found


_LAST_EVENT = {
    "name": "Last-Event-ID",
    "in": "header",
    "required": False,
    "description": "The id of the last entry seen.",
    "schema": {"type": "string", "pattern": FORM},
}


def _parameter(parameter: Parameter, where: str) -> dict[str, Any]:
    described = {"name": parameter.name, "in": where, "description": parameter.doc, "schema": parameter.schema()}
    return {**described, "required": parameter.required}


def _body(parameters: Sequence[Parameter]) -> dict[str, Any]:
    return {
        "type": "object",
        "required": [each.name for each in parameters if each.required],
        "properties": {each.name: {**each.schema(), "description": each.doc} for each in parameters},
        "additionalProperties": False,
    }


def _responses(operation: Operation) -> dict[str, Any]:
    error = {JSON: {"schema": {"$ref": "#/components/schemas/Error"}}}
    found: dict[str, Any] = {
        str(status): {"description": _ERRORS[status], "content": dict(error)} for status in operation.statuses
    }
    for answer in operation.answers:
        same = [each for each in operation.answers if each.status == answer.status]
        content = {each.media: {"schema": _schema(each)} for each in same}
        found[str(answer.status)] = {"description": " ".join(each.doc for each in same), "content": content}
    return dict(sorted(found.items()))


def _schema(answer: Answer) -> dict[str, Any]:
    if answer.shape is not None:
        return answer.shape.schema()
    return {"type": "string", "description": "Server-sent events." if answer.media == EVENTS else "Text."}
