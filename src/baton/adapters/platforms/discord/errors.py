"""What became of a request, as one of the errors the port knows."""

from __future__ import annotations

import math
from collections.abc import Mapping
from http import HTTPStatus
from typing import cast

from baton.adapters.platforms.discord.place import NAME
from baton.core.display import one_line
from baton.core.errors import BadCredentials, PlatformError, SendLater, SendRefused, SendUnsure

_REASON_LIMIT = 200
_LONGEST_PAUSE = 3_600.0

THREAD_EXISTS = 160004
NO_THREADS = frozenset({50001, 50013, 50024, 160005, 160006})
"""No access, no permission, not in this kind of channel, locked, too many active threads: there is no way."""


class Refusal(SendRefused):
    """Refused by Discord, with the number it gives to the reason; 0 if it gave none."""

    @property
    def number(self) -> int:
        found = self.facts.get("number")
        return found if isinstance(found, int) else 0


def refused(status: int, headers: Mapping[str, str], answer: object) -> PlatformError:
    """Any answer but success. An error on Discord's side says nothing about what was done before it."""
    body = cast("dict[str, object]", answer) if isinstance(answer, dict) else {}
    code = body.get("code")
    number = code if isinstance(code, int) else 0
    reason = _reason(status, body.get("message"), number)
    if status == HTTPStatus.UNAUTHORIZED:
        return BadCredentials(platform=NAME, reason="the token is not valid")
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        return SendLater(platform=NAME, reason=reason, after=_pause(body.get("retry_after"), headers))
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return SendUnsure(platform=NAME, reason=reason)
    return Refusal(platform=NAME, reason=reason, number=number)


def _reason(status: int, message: object, number: int) -> str:
    said = one_line(message, _REASON_LIMIT).rstrip(".") if isinstance(message, str) else ""
    where = f"HTTP {status}, code {number}" if number else f"HTTP {status}"
    return f"{said or 'no reason was given'} ({where})"


def _pause(given: object, headers: Mapping[str, str]) -> float:
    for each in (given, headers.get("retry-after")):
        try:
            seconds = float(each) if isinstance(each, int | float | str) else math.nan
        except (ValueError, OverflowError):
            continue
        if math.isfinite(seconds):
            return min(max(seconds, 0.0), _LONGEST_PAUSE)
    return 1.0
