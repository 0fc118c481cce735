"""What went wrong with a request, in the classes that delivery knows."""

from __future__ import annotations

import re

import httpx
from telegram.error import TelegramError

from baton.adapters.platforms.telegram.place import NAME
from baton.core.display import one_line
from baton.core.errors import BadCredentials, PlatformError, SendLater, SendRefused, SendUnsure, SomebodyElse

_NEVER_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout, httpx.ProxyError)
_TOKEN = re.compile(r"[0-9]{3,20}:[A-Za-z0-9_-]{20,}")
_UNREACHABLE_FOR = 2.0
_BROKEN_FOR = 5.0
_LONGEST = 200


class Answered(TelegramError):
    """The server's answer where it was no success. Without a description it was not the Bot API that answered."""

    def __init__(
        self, code: int, description: str = "", *, after: float | None = None, moved_to: int | None = None
    ) -> None:
        super().__init__(description)
        self.code = code
        self.description = description
        self.after = after
        self.moved_to = moved_to

    def says(self, words: str) -> bool:
        return words.lower() in self.description.lower()


def explained(error: Exception) -> PlatformError:
    """Never holds the token: of what a library says only the kind is told, of the server's words no token-like part."""
    if isinstance(error, PlatformError):
        return error
    if isinstance(error, Answered):
        return _by_code(error)
    if isinstance(error.__cause__, _NEVER_SENT):
        return SendLater(platform=NAME, reason="the server cannot be reached", after=_UNREACHABLE_FOR)
    cause = error.__cause__ or error
    if isinstance(error, TimeoutError) or isinstance(cause, httpx.TimeoutException):
        return SendUnsure(platform=NAME, reason="no answer came in time")
    return SendUnsure(platform=NAME, reason=f"the answer was lost ({type(cause).__name__})")


def _by_code(answer: Answered) -> PlatformError:
    code, reason = answer.code, _reason(answer)
    if code in (401, 404) and answer.description:
        return BadCredentials(platform=NAME, reason="the bot's token is not valid")
    if code == 409:
        return SomebodyElse(platform=NAME, reason=reason)
    if code == 429:
        return SendLater(platform=NAME, reason=reason, after=answer.after or 1.0)
    if answer.moved_to is not None:
        reason = f"the group has become a supergroup, its id is now {answer.moved_to}"
        return SendRefused(platform=NAME, reason=reason)
    if code < 500 and answer.description:
        return SendRefused(platform=NAME, reason=reason)
    if code == 500 and answer.description and not answer.says("restart"):
        return SendLater(platform=NAME, reason=reason, after=_BROKEN_FOR)
    return SendUnsure(platform=NAME, reason=reason)


def _reason(answer: Answered) -> str:
    said = one_line(_TOKEN.sub("…", answer.description), _LONGEST).rstrip(".")
    return said or f"the server answered with status {answer.code}"
