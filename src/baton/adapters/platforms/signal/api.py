"""Calls to the daemon, as JSON-RPC over HTTP, and what its failures mean for a message.

code     when                                                       we say
-32602   the account is not one of the daemon's                     BadCredentials
-32603   401 from Signal: the device was unlinked                   BadCredentials
         another exception while sending                            SendUnsure; a bad attachment: SendRefused
-1, -5   with results: by their types                               see `_RESULTS`
-1, -4   without: no such group, not a member, new safety number    SendRefused
-3       the network failed while sending                           SendUnsure
-326xx   the daemon does not know the call                          SendRefused
HTTP     5xx                                                        SendUnsure
         4xx                                                        SendRefused
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import count

import httpx2

from baton.adapters.platforms.json_fields import Json, parse_json, table, tables, text, whole
from baton.adapters.platforms.signal.place import NAME
from baton.core.display import one_line
from baton.core.errors import BadCredentials, PlatformError, SendLater, SendRefused, SendUnsure
from baton.core.value import value

_LATER = 30
_USER, _IO, _UNTRUSTED, _RATE = -1, -3, -4, -5
_PARAMS, _INTERNAL = -32602, -32603
_TRUST = "their safety number has changed: compare it, then `signal-cli trust`"
_PROOF = "Signal wants a captcha solved: `signal-cli submitRateLimitChallenge`"
_RESULTS = {
    "UNREGISTERED_FAILURE": "this person is no longer on Signal",
    "IDENTITY_FAILURE": _TRUST,
    "INVALID_PRE_KEY_FAILURE": "their keys are not valid",
}


@value
class Failure:
    """What the daemon said instead of a result. `code` is JSON-RPC's or its own; `status` when it was no JSON-RPC."""

    code: int
    message: str
    data: Json
    status: int = 200


class Rpc:
    """The calls of one account. Failures of the connection are raised as httpx2 raises them."""

    def __init__(self, http: httpx2.AsyncClient, daemon: str, account: str) -> None:
        self._http = http
        self._url = f"{daemon.rstrip('/')}/api/v1/rpc"
        self._account = account
        self._ids = count(1)

    async def ask(self, method: str) -> object | Failure:
        """A question about the daemon itself. It names no account, or the daemon would look for that first."""
        return await self._post(method, {})

    async def call(self, method: str, params: Mapping[str, object]) -> object | Failure:
        return await self._post(method, {"account": self._account, **params})

    async def _post(self, method: str, params: Mapping[str, object]) -> object | Failure:
        body = {"jsonrpc": "2.0", "id": next(self._ids), "method": method, "params": params}
        answer = await self._http.post(
            self._url, content=json.dumps(body).encode(), headers={"content-type": "application/json"}
        )
        return _read_answer(answer.status_code, answer.content)


def _read_answer(status: int, content: bytes) -> object | Failure:
    found = table(parse_json(content))
    error = table(found.get("error"))
    if status == 200 and "result" in found and not error:
        return found["result"]
    code = error.get("code")
    message = text(error.get("message")) or f"HTTP {status}"
    return Failure(
        code if isinstance(code, int) else 0, one_line(message, 300), table(error.get("data")), status=status
    )


def explain(failure: Failure) -> PlatformError:
    """The error of the port for a failed call."""
    results = list(tables(table(failure.data.get("response")).get("results")))
    if results:
        return explain_results(results) or _unsure(failure.message)
    if failure.code == _RATE:
        return SendLater(platform=NAME, reason=failure.message, after=_LATER)
    if failure.code == _UNTRUSTED:
        return SendRefused(platform=NAME, reason=_TRUST)
    return _explain_code(failure)


def explain_results(results: list[Json]) -> PlatformError | None:
    """None if anybody received it: sending to the whole group again would not reach just the others."""
    kinds = [text(each.get("type")) for each in results]
    if not kinds or "SUCCESS" in kinds:
        return None
    if "RATE_LIMIT_FAILURE" in kinds:
        after = max((whole(each.get("retryAfterSeconds")) for each in results), default=0) or _LATER
        proof = any(text(each.get("token")) for each in results)
        return SendLater(platform=NAME, reason=_PROOF if proof else "too many messages", after=after)
    if "NETWORK_FAILURE" in kinds:
        return _unsure("the daemon lost its connection while sending")
    return SendRefused(platform=NAME, reason=_RESULTS.get(kinds[0], f"it was not delivered ({kinds[0][:40]})"))


def _explain_code(failure: Failure) -> PlatformError:
    reason = failure.message
    if failure.code == _PARAMS and "account" in reason:
        return BadCredentials(platform=NAME, reason=f"the daemon does not have this account ({reason})")
    if "AuthorizationFailed" in reason or "Authorization failed" in reason:
        return BadCredentials(platform=NAME, reason="the account is no longer linked or registered at Signal")
    if "AttachmentInvalid" in reason:
        return SendRefused(platform=NAME, reason=reason)
    if failure.code in (_INTERNAL, _IO) or failure.status >= 500:
        return _unsure(reason)
    return SendRefused(platform=NAME, reason=reason)


def _unsure(reason: str) -> SendUnsure:
    return SendUnsure(platform=NAME, reason=reason)
