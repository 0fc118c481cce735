"""What a homeserver's answer says about the request: the three ways a send can fail, and bad credentials."""

from __future__ import annotations

from collections.abc import Mapping

from baton.adapters.platforms.json_fields import Json, text, whole
from baton.adapters.platforms.matrix.place import NAME
from baton.core.display import one_line
from baton.core.errors import BadCredentials, PlatformError, SendLater, SendRefused

_LIMITED, _BROKEN, _SERVER_ERRORS = 429, (408, 425), 500
_WITHOUT_A_DELAY = 5.0
_LONGEST_DELAY = 3600.0
_CREDENTIALS = ("M_UNKNOWN_TOKEN", "M_MISSING_TOKEN", "M_USER_DEACTIVATED", "M_USER_LOCKED", "M_USER_SUSPENDED")


def failure(status: int, body: Json, headers: Mapping[str, str]) -> PlatformError:
    """The error of an answer that was none of 200 to 299."""
    code = text(body.get("errcode"))
    said = one_line(f"{code or status} {text(body.get('error'))}", 200).rstrip(". ")
    if status == _LIMITED or code == "M_LIMIT_EXCEEDED":
        return SendLater(platform=NAME, reason=said, after=_delay(body, headers))
    if status >= _SERVER_ERRORS or status in _BROKEN:
        return SendLater(platform=NAME, reason=said)
    if code in _CREDENTIALS:
        return BadCredentials(platform=NAME, reason=said, soft=body.get("soft_logout") is True)
    return SendRefused(platform=NAME, reason=said, errcode=code)


def login_failure(error: PlatformError) -> PlatformError:
    """The same for a login: a definite no is about the credentials, or about where they were sent."""
    return BadCredentials(**error.facts) if isinstance(error, SendRefused) else error


def refused(reason: str) -> SendRefused:
    return SendRefused(platform=NAME, reason=reason)


def later(reason: str, after: float = 1.0) -> SendLater:
    return SendLater(platform=NAME, reason=reason, after=after)


def _delay(body: Json, headers: Mapping[str, str]) -> float:
    milliseconds, seconds = whole(body.get("retry_after_ms")), whole(headers.get("retry-after", ""))
    return min(milliseconds / 1000 or float(seconds) or _WITHOUT_A_DELAY, _LONGEST_DELAY)
