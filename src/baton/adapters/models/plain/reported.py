"""Errors as providers report them, in place of an answer or in the middle of one."""

from __future__ import annotations

from baton.adapters.models.failure import Refusal, delay_in, message_in
from baton.adapters.models.plain.fields import at, objects_at, text_at

_STATUSES = {
    "invalid_request_error": 400,
    "invalid_prompt": 400,
    "invalid_image": 400,
    "invalid_image_format": 400,
    "image_too_large": 400,
    "authentication_error": 401,
    "billing_error": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "rate_limit_exceeded": 429,
    "api_error": 500,
    "server_error": 500,
    "timeout_error": 504,
    "overloaded_error": 529,
}


def reported(body: object, status: int, after: float | None, *, in_stream: bool = False) -> Refusal:
    """In the middle of an answer, which began with a status of its own, the kind of the error says its status."""
    listed = objects_at({"list": body}, "list")
    error = at(listed[0] if listed else body, "error")
    kinds = [text_at(error, name) for name in ("type", "code", "status")]
    if in_stream:
        named = at(error, "code")
        status = named if isinstance(named, int) else next((_STATUSES[kind] for kind in kinds if kind in _STATUSES), 0)
    return Refusal(status, " ".join(kinds), message_in(body), delay_in(body) if after is None else after, in_stream)
