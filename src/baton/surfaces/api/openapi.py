"""The OpenAPI document, made from the operations themselves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from baton import __version__
from baton.surfaces.api.errors import ERROR
from baton.surfaces.api.operation import EVENTS, JSON
from baton.surfaces.api.positions import FORM
from baton.surfaces.words import api as words

if TYPE_CHECKING:
    from baton.surfaces.api.operation import Answer, Operation, Parameter

_ERRORS = {
    400: words.STATUS_400,
    401: words.STATUS_401,
    403: words.STATUS_403,
    404: words.STATUS_404,
    408: words.STATUS_408,
    409: words.STATUS_409,
    413: words.STATUS_413,
    415: words.STATUS_415,
    429: words.STATUS_429,
    503: words.STATUS_503,
}


def document(operations: Iterable[Operation]) -> dict[str, Any]:
    paths: dict[str, dict[str, Any]] = {}
    for operation in operations:
        paths.setdefault(operation.path, {})[operation.method.lower()] = _describe(operation)
    return {
        "openapi": "3.1.0",
        "info": {"title": words.TITLE, "version": __version__, "description": words.ABOUT},
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
    "description": words.LAST_EVENT_ID,
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
    return {"type": "string", "description": words.EVENTS if answer.media == EVENTS else words.TEXT}
