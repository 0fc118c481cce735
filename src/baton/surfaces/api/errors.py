"""Errors as answers: one table from the tree of errors to HTTP statuses."""

from __future__ import annotations

import json
from typing import Any

from starlette.responses import Response

from baton.core import errors as tree
from baton.core.errors import BatonError
from baton.surfaces.shared.shapes import TEXT, Field, Shape
from baton.surfaces.words import api_fields as docs

_AGAIN = 2

_STATUS: tuple[tuple[type[BatonError], int], ...] = (
    (tree.NoToken, 401),
    (tree.TooManyTries, 429),
    (tree.ForeignRequest, 403),
    (tree.NoSuchPage, 404),
    (tree.WrongMethod, 405),
    (tree.BodyTooSlow, 408),
    (tree.BodyTooLarge, 413),
    (tree.NotJson, 415),
    (tree.TooManyReaders, 429),
    (tree.GatewayStops, 503),
    (tree.TurnRuns, 409),
    (tree.NotFound, 404),
    (tree.Ambiguous, 409),
    (tree.AlreadyExists, 409),
    (tree.BadInput, 400),
    (tree.UnknownTarget, 400),
    (tree.TransferError, 409),
    (tree.Conflict, 409),
    (tree.PacketNotSaved, 503),
    (tree.HandoffError, 409),
    (tree.WorkspaceError, 409),
    (tree.ModelError, 503),
    (tree.StoreError, 503),
)
"""The first that fits counts; what is not here is 500."""


_PARTS: Shape[BatonError] = Shape(
    "error's parts",
    Field("code", TEXT, docs.PARTS_CODE),
    Field("what", TEXT, docs.PARTS_WHAT),
    Field("kept", TEXT, docs.PARTS_KEPT),
    Field("todo", TEXT, docs.PARTS_TODO),
)
ERROR: Shape[BatonError] = Shape("error", Field("error", _PARTS.type, docs.ERROR_ERROR, BatonError.as_dict))


def status_of(error: BatonError) -> int:
    return next((status for kind, status in _STATUS if isinstance(error, kind)), 500)


def json_response(data: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """Escaped to ASCII: text may hold lone surrogates, which UTF-8 cannot encode."""
    return Response(json.dumps(data), status, headers, "application/json")


def error_response(error: BatonError) -> Response:
    status = status_of(error)
    headers: dict[str, str] = {}
    if status == 401:
        headers["www-authenticate"] = 'Bearer realm="baton"'
    elif status == 405:
        headers["allow"] = str(error.facts["allowed"])
    elif status in (429, 503):
        headers["retry-after"] = str(error.facts.get("seconds", _AGAIN)).partition(".")[0]
    return json_response(ERROR.as_dict(error), status, headers)
