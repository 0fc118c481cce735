"""Calls to Slack's Web API, and what its answers mean for a message.

Tokens go in a header only, arguments in the body, and nothing is tried twice.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from io import BytesIO
from typing import Any
from urllib.parse import urlsplit

import aiohttp
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from baton.adapters.platforms.json_fields import Json, table, text
from baton.adapters.platforms.slack.place import NAME
from baton.core.errors import BadCredentials, PlatformError, SendLater, SendRefused, SendUnsure

TIMEOUT = aiohttp.ClientTimeout(total=30, sock_connect=5)
_LOG = logging.getLogger("baton.platforms.slack.sdk")
_CREDENTIALS = frozenset({
    "account_inactive",
    "invalid_auth",
    "not_allowed_token_type",
    "not_authed",
    "org_login_required",
    "token_expired",
    "token_revoked",
})  # fmt: skip
_LATER = frozenset({
    "message_limit_exceeded",
    "rate_limited",
    "ratelimited",
    "request_timeout",
    "service_unavailable",
    "team_added_to_org",
})  # fmt: skip
_UNSURE = frozenset({"fatal_error", "internal_error"})
BAD_BLOCKS = frozenset({"invalid_blocks", "invalid_blocks_format", "msg_blocks_too_long"})
_ADVICE = {
    "channel_not_found": "there is no such channel, or the app is not in it",
    "is_archived": "the channel is archived",
    "not_in_channel": "the app is not in the channel; `/invite` it there",
}
GONE = frozenset({"channel_not_found", "is_archived", "not_in_channel", "thread_not_found"})
_WAIT_STATUSES = (429, 503)
_INTERNAL = 500
_LONGEST_WAIT = 3_600.0
_LOG.setLevel(logging.CRITICAL)


class Api:
    """Raises only errors of the port."""

    def __init__(self, base: str, bot_token: str, app_token: str) -> None:
        self._base = base
        self._bot_token = bot_token
        self._app_token = app_token
        self._http: aiohttp.ClientSession | None = None

    @property
    def http(self) -> aiohttp.ClientSession:
        """One session for all calls, made by the first of them."""
        if self._http is None or self._http.closed:
            self._http = aiohttp.ClientSession(timeout=TIMEOUT)
        return self._http

    async def write(self, method: str, body: Mapping[str, object]) -> Json:
        """A call whose effect people see."""
        return await _answer(self._client(self._bot_token), method, json=dict(body))

    async def read(self, method: str, form: Mapping[str, object]) -> Json:
        """A call without visible effect: it may be repeated, so it is never `SendUnsure`."""
        try:
            return await _answer(
                self._client(self._bot_token), method, data={name: str(value) for name, value in form.items()}
            )
        except SendUnsure as error:
            raise _later(error) from None

    async def socket_address(self) -> str:
        """A fresh address for one connection; whoever knows it receives our messages."""
        try:
            answer = await _answer(self._client(self._app_token), "apps.connections.open", data={})
        except SendUnsure as error:
            raise _later(error) from None
        return text(answer.get("url"))

    async def upload(self, address: str, data: bytes) -> None:
        self._check_own(address)
        try:
            async with self.http.post(address, data=BytesIO(data), allow_redirects=False) as answer:
                if not answer.ok:
                    raise _later(explain("", answer.status, answer.headers.get("Retry-After", "")))
        except (aiohttp.ClientError, OSError, ValueError) as error:
            raise SendLater(platform=NAME, reason=_describe(error)) from None

    async def download(self, address: str, most: int) -> tuple[str, bytes]:
        """The media type and the content of a file."""
        self._check_own(address)
        headers = {"Authorization": f"Bearer {self._bot_token}"}
        try:
            async with self.http.get(address, headers=headers, allow_redirects=False) as answer:
                if answer.status in (429, *range(500, 600)):
                    raise _later(explain("", answer.status, answer.headers.get("Retry-After", "")))
                if answer.status != 200:
                    raise SendRefused(platform=NAME, reason=f"the file cannot be read (HTTP {answer.status})")
                return answer.content_type, await _read_bounded(answer, most)
        except (aiohttp.ClientError, OSError, ValueError) as error:
            raise SendLater(platform=NAME, reason=_describe(error)) from None

    async def close(self) -> None:
        if self._http is not None:
            await self._http.close()

    def _check_own(self, address: str) -> None:
        """`SendRefused` unless the address is Slack's own, because the request carries our token."""
        ours, theirs = urlsplit(self._base), urlsplit(address)
        below = theirs.port is None and (theirs.hostname or "").endswith(f".{ours.hostname}")
        same = (theirs.hostname, theirs.port) == (ours.hostname, ours.port)
        if theirs.scheme != ours.scheme or theirs.username is not None or not (same or below):
            raise SendRefused(platform=NAME, reason="the file is kept elsewhere")

    def _client(self, token: str) -> AsyncWebClient:
        client = AsyncWebClient(token, self._base, session=self.http, logger=_LOG, retry_handlers=[])
        client.proxy = None  # it would use the environment's proxy for every host
        return client


def explain(error: str, status: int = 200, retry_after: str = "", needed: str = "") -> PlatformError:
    """The error of the port for an answer that is not ok. Slack may fail internally after the work was done."""
    error = error[:100]
    if error in _CREDENTIALS:
        return BadCredentials(platform=NAME, reason=error)
    if status in _WAIT_STATUSES or error in _LATER:
        return SendLater(platform=NAME, reason=error or f"HTTP {status}", after=_parse_wait(retry_after))
    if status >= _INTERNAL or error in _UNSURE or not error:
        return SendUnsure(platform=NAME, reason=error or f"HTTP {status}")
    reason = f"{error}, it needs the scope {needed[:100]}" if needed else _ADVICE.get(error, error)
    return SendRefused(platform=NAME, reason=reason, error=error)


def error_code(refused: SendRefused) -> str:
    """Slack's own word for the reason."""
    return str(refused.facts.get("error", ""))


async def _answer(client: AsyncWebClient, method: str, **arguments: Any) -> Json:
    try:
        answer = await client.api_call(method, **arguments)  # pyright: ignore[reportUnknownMemberType]
        return table(answer.data)  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]
    except SlackApiError as error:
        raise _explain_answer(error) from None
    except (aiohttp.ClientConnectorError, aiohttp.ConnectionTimeoutError) as error:
        raise SendLater(platform=NAME, reason=_describe(error)) from None
    except (aiohttp.ClientError, OSError, ValueError, AttributeError) as error:
        raise SendUnsure(platform=NAME, reason=_describe(error)) from None


def _explain_answer(error: SlackApiError) -> PlatformError:
    """An answer that is not JSON carries no error of Slack's, only a status."""
    answer: Any = error.response  # pyright: ignore[reportUnknownMemberType]
    if isinstance(answer, aiohttp.ClientResponse):
        return explain("", answer.status, answer.headers.get("Retry-After", ""))
    body, headers = table(answer.data), answer.headers
    retry_after = str(headers.get("Retry-After", "")) if headers else ""
    return explain(text(body.get("error")), answer.status_code, retry_after, text(body.get("needed")))


def _later(error: PlatformError) -> SendLater:
    return SendLater(platform=NAME, reason=str(error.facts.get("reason", "")), after=error.facts.get("after", 1.0))


def _describe(error: BaseException) -> str:
    """Only the kind of error: its text may hold an address that is a secret."""
    return f"the connection failed ({type(error).__name__})"


async def _read_bounded(answer: aiohttp.ClientResponse, most: int) -> bytes:
    content = bytearray()
    async for piece in answer.content.iter_chunked(65_536):
        content += piece
        if len(content) > most:
            raise SendRefused(platform=NAME, reason=f"the file has more than {most} bytes")
    return bytes(content)


def _parse_wait(given: str) -> float:
    return min(float(given), _LONGEST_WAIT) if given.isascii() and given.isdecimal() else 1.0
