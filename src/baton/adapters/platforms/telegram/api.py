"""Calls to the Bot API over python-telegram-bot's `Bot`, and their failures as the errors that delivery knows.

The library's own receiving acknowledges messages before they are kept, and reads a batch as a whole or not at all; so
updates are taken as the server sent them. Its log has the token in every line; so it is silenced.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Awaitable, Sequence
from typing import TypeVar, cast
from urllib.parse import quote

from telegram import Bot

from baton.adapters.platforms.json_fields import Fields, Malformed
from baton.adapters.platforms.telegram.place import NAME
from baton.adapters.platforms.telegram.request import CONNECT, NEVER_SENT, TIMED_OUT, Refused, make_requests
from baton.core.display import one_line
from baton.core.errors import BadCredentials, PlatformError, SendLater, SendRefused, SendUnsure, SomebodyElse

TOTAL = 30.0
POLL = 20
"""Seconds for which the server holds a question for updates."""

MOST = 100
"""Updates in one answer."""

_LOGGERS = ("httpx", "httpcore", "telegram")
T = TypeVar("T")
_TOKEN = re.compile(r"[0-9]{3,20}:[A-Za-z0-9_-]{20,}")
_UNREACHABLE_FOR = 2.0
_BROKEN_FOR = 5.0
_LONGEST_REASON = 200


class Api(Bot):
    """The methods of `Bot`; await each through `ask`."""

    def __init__(self, token: str, base: str, *, patience: float = TOTAL) -> None:
        for name in _LOGGERS:
            logging.getLogger(name).setLevel(logging.CRITICAL)
        self._patience = patience
        self._requests = make_requests(base, (POLL + CONNECT, 1), (patience, 16))
        polling, calling = self._requests
        super().__init__(token, f"{base}/bot", f"{base}/file/bot", calling, polling)

    async def ask(self, answer: Awaitable[T], *, within: float | None = None) -> T:
        """The answer, or a `PlatformError`."""
        try:
            async with asyncio.timeout(within or self._patience):
                return await answer
        except Exception as error:  # noqa: BLE001, anything the libraries raise may hold the token
            raise explain(error) from None

    async def updates(self, offset: int | None, kinds: Sequence[str]) -> list[object]:
        """What has arrived, or waits until something does. Acknowledges everything before `offset`."""
        asked = {"offset": offset, "limit": MOST, "timeout": POLL, "allowed_updates": list(kinds)}
        found = await self.ask(self._post("getUpdates", asked), within=TOTAL)
        if not isinstance(found, list):
            raise SendUnsure(platform=NAME, reason="the answer is no list of updates")
        return cast("list[object]", found)

    async def post_text(self, **given: object) -> int:
        """The id of a message that is sent. The library's own method makes an object of the whole message that the
        server answers with, which takes longer than to send it.
        """
        return Fields(await self._post("sendMessage", given)).number("message_id")

    async def content(self, file_id: str) -> bytes:
        """Always fetched from the server: the library would read a local file of the same path."""
        return await self.ask(self._content(file_id))

    async def _content(self, file_id: str) -> bytes:
        try:
            path = Fields(await self._post("getFile", {"file_id": file_id})).text("file_path")
        except Malformed:
            path = ""
        if not path:
            raise Refused(400, "the file is not available")
        try:
            return await self.request.retrieve(f"{self.base_file_url}/{quote(path)}")
        except Refused as answer:
            raise Refused(400, "the file is gone") if answer.code == 404 else answer from None

    async def close_connections(self) -> None:
        for each in self._requests:
            await each.shutdown()


def explain(error: Exception) -> PlatformError:
    """The error of the port. It never holds the token: a library's text is left out, and so is anything in the server's
    text that looks like a token.
    """
    if isinstance(error, PlatformError):
        return error
    if isinstance(error, Refused):
        return _explain_code(error)
    if isinstance(error.__cause__, NEVER_SENT):
        return SendLater(platform=NAME, reason="the server cannot be reached", after=_UNREACHABLE_FOR)
    cause = error.__cause__ or error
    if isinstance(error, TIMED_OUT) or isinstance(cause, TIMED_OUT):
        return SendUnsure(platform=NAME, reason="no answer came in time")
    return SendUnsure(platform=NAME, reason=f"the answer was lost ({type(cause).__name__})")


def _explain_code(answer: Refused) -> PlatformError:
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


def _reason(answer: Refused) -> str:
    said = one_line(_TOKEN.sub("…", answer.description), _LONGEST_REASON).rstrip(".")
    return said or f"the server answered with status {answer.code}"
