"""Every way a request can fail, and what delivery is told."""

from __future__ import annotations

import aiohttp
import httpx
import pytest
from aiohttp.client_reqrep import ConnectionKey
from telegram.error import NetworkError, TimedOut

from baton.adapters.platforms.telegram.api import explain
from baton.adapters.platforms.telegram.request import Refused
from baton.core.errors import BadCredentials, PlatformError, SendLater, SendRefused, SendUnsure, SomebodyElse

TOKEN = "123456:" + "A" * 35
UNREACHABLE = aiohttp.ClientConnectorError(
    ConnectionKey("api.telegram.org", 443, True, True, None, None, None), OSError(TOKEN)
)


def caused(error: Exception, cause: Exception) -> Exception:
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("error", "kind", "reason"),
    [
        (Refused(401, "Unauthorized"), BadCredentials, "the bot's token is not valid"),
        (Refused(404, "Not Found"), BadCredentials, "the bot's token is not valid"),
        (Refused(404), SendUnsure, "the server answered with status 404"),
        (Refused(409, "Conflict: other"), SomebodyElse, "Conflict: other"),
        (Refused(429, "Too Many Requests", after=7), SendLater, "Too Many Requests"),
        (Refused(403, "Forbidden: blocked"), SendRefused, "Forbidden: blocked"),
        (Refused(400, "Bad Request: chat not found."), SendRefused, "Bad Request: chat not found"),
        (Refused(413, "Request Entity Too Large"), SendRefused, "Request Entity Too Large"),
        (Refused(400, "x", moved_to=-100), SendRefused, "the group has become a supergroup, its id is now -100"),
        (Refused(500, "Internal Server Error"), SendLater, "Internal Server Error"),
        (Refused(500, "Internal Server Error: restart"), SendUnsure, "Internal Server Error: restart"),
        (Refused(502), SendUnsure, "the server answered with status 502"),
        (Refused(302), SendUnsure, "the server answered with status 302"),
        (caused(NetworkError("x"), httpx.ConnectError(TOKEN)), SendLater, "the server cannot be reached"),
        (caused(TimedOut(), httpx.ConnectTimeout("x")), SendLater, "the server cannot be reached"),
        (caused(TimedOut(), httpx.PoolTimeout("x")), SendLater, "the server cannot be reached"),
        (caused(NetworkError("x"), UNREACHABLE), SendLater, "the server cannot be reached"),
        (caused(NetworkError("x"), aiohttp.ConnectionTimeoutError("x")), SendLater, "the server cannot be reached"),
        (caused(NetworkError("x"), aiohttp.SocketTimeoutError("x")), SendUnsure, "no answer came in time"),
        (
            caused(NetworkError("x"), aiohttp.ClientPayloadError(TOKEN)),
            SendUnsure,
            "the answer was lost (ClientPayloadError)",
        ),
        (caused(TimedOut(), httpx.ReadTimeout("x")), SendUnsure, "no answer came in time"),
        (caused(TimedOut(), httpx.WriteTimeout("x")), SendUnsure, "no answer came in time"),
        (TimeoutError(), SendUnsure, "no answer came in time"),
        (caused(NetworkError(TOKEN), httpx.ReadError(TOKEN)), SendUnsure, "the answer was lost (ReadError)"),
        (TypeError(TOKEN), SendUnsure, "the answer was lost (TypeError)"),
        (Refused(400, f"no bot {TOKEN} here"), SendRefused, "no bot … here"),
    ],
)
def test_a_failure_has_one_meaning_and_never_tells_the_token(
    error: Exception, kind: type[PlatformError], reason: str
) -> None:
    found = explain(error)
    assert (type(found), found.facts["reason"]) == (kind, reason)
    assert TOKEN not in str(found)


def test_a_limit_says_how_long_it_lasts() -> None:
    found = explain(Refused(429, "Too Many Requests", after=7))
    assert isinstance(found, SendLater)
    assert found.after == 7


def test_what_is_explained_already_stays() -> None:
    error = SendRefused(platform="telegram", reason="x")
    assert explain(error) is error
