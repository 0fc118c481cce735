"""Calls to the Graph API for one number, and what its errors mean for a message.

Meta asks to go by the code, not by the HTTP status.

code                                    when                                                we say
190, 0, 10, 200–299, 131005, HTTP 401   the token is bad, or may not do this                BadCredentials
131056                                  too many messages to this person                    SendLater, 4^n s
4, 80007, 130429, 131048, HTTP 429      too many messages or calls                          SendLater
1, 2, 131000, 131016, 131057, 133004    Meta's own trouble, said by Meta: it was not sent   SendLater
131047, 470                             no message of theirs within 24 hours                SendRefused
131026                                  they cannot be reached                              SendRefused
5xx without a Graph error               something between us and Meta                       SendUnsure
others                                                                                      SendRefused
"""

from __future__ import annotations

import json
from collections.abc import Mapping

import httpx2

from baton.adapters.platforms.json_fields import Json, parse_json, table, text, whole
from baton.adapters.platforms.whatsapp.place import NAME
from baton.core.display import one_line
from baton.core.errors import BadCredentials, PlatformError, SendLater, SendRefused, SendUnsure
from baton.core.value import value
from baton.ports.platform import Upload

_LARGEST_ANSWER = 1_000_000
PAIR_LIMIT = 131056
WINDOW_CLOSED = (131047, 470)
_DENIED = frozenset((0, 10, 190, 131005, *range(200, 300)))
_BUSY = frozenset((4, 80007, 130429, PAIR_LIMIT))
_SPAM = 131048
_TROUBLE = frozenset((1, 2, 131000, 131016, 131057, 133004))
_SHORT_WAIT, _WAIT, _LONG_WAIT, _LONGEST_WAIT = 1.0, 5.0, 600.0, 3600.0
_WINDOW = "they have not written within 24 hours, so WhatsApp takes only an approved template"
_UNREACHED = "they are not on WhatsApp, have blocked this number, or have not written within 24 hours"


class Graph:
    """The calls of one number. Failures of the connection are raised as httpx2 raises them.

    The token is only ever in a header.
    """

    def __init__(self, http: httpx2.AsyncClient, api: str, number_id: str, token: str) -> None:
        self._http = http
        self._api = api.rstrip("/")
        self._number = f"{self._api}/{number_id}"
        self._headers = {"authorization": f"Bearer {token}"}

    async def about(self) -> Answer:
        """The number as people see it."""
        fields = {"fields": "id,display_phone_number,verified_name"}
        return _answer(await self._http.get(self._number, params=fields, headers=self._headers))

    async def message(self, body: Json) -> Answer:
        content = json.dumps({"messaging_product": "whatsapp", **body}).encode()
        headers = {**self._headers, "content-type": "application/json"}
        return _answer(await self._http.post(f"{self._number}/messages", content=content, headers=headers))

    async def upload(self, upload: Upload, media_type: str) -> Answer:
        fields = {"messaging_product": "whatsapp", "type": media_type}
        file = {"file": (upload.name, upload.data, media_type)}
        return _answer(await self._http.post(f"{self._number}/media", data=fields, files=file, headers=self._headers))

    async def media(self, ident: str) -> Answer:
        """The address of a file, valid for a few minutes."""
        return _answer(await self._http.get(f"{self._api}/{ident}", headers=self._headers))

    async def download(self, url: str, most: int) -> tuple[int, bytes | None]:
        """The status and the file; None if it is larger than `most`. The caller has checked whose address this is."""
        async with self._http.stream("GET", url, headers=self._headers) as stream:
            data = bytearray()
            async for piece in stream.aiter_bytes():
                data += piece
                if len(data) > most:
                    return stream.status_code, None
            return stream.status_code, bytes(data)


@value
class Answer:
    """What Graph answered. Header names are in lower case."""

    status: int
    content: bytes
    headers: Mapping[str, str]


def explain(answer: Answer, tries: int = 0) -> PlatformError:
    """The error of the port. `tries` is how often in a row the limit for this person was met."""
    error, code = _error(answer), code_of(answer)
    reason = one_line(text(table(error.get("error_data")).get("details")) or text(error.get("message")), 200)
    reason = f"{reason or f'HTTP {answer.status}'} ({code})" if error else f"HTTP {answer.status}"
    if answer.status == 401 or code in _DENIED:
        return BadCredentials(platform=NAME, reason=reason)
    if answer.status == 429 or code in _BUSY or code == _SPAM:
        return SendLater(platform=NAME, reason=reason, after=_wait_for(answer, code, tries))
    if code in WINDOW_CLOSED:
        return window_closed()
    if code == 131026:
        return SendRefused(platform=NAME, reason=_UNREACHED)
    if code in _TROUBLE or error.get("is_transient") is True:
        return SendLater(platform=NAME, reason=reason, after=_SHORT_WAIT)
    if answer.status >= 500 and not error:
        return SendUnsure(platform=NAME, reason=reason)
    return SendLater(platform=NAME, reason=reason, after=_SHORT_WAIT) if answer.status >= 500 else _refuse(reason)


def _answer(given: httpx2.Response) -> Answer:
    return Answer(given.status_code, given.content[:_LARGEST_ANSWER], {k.lower(): v for k, v in given.headers.items()})


def code_of(answer: Answer) -> int:
    """Graph's code; -1 if it gave none."""
    error = _error(answer)
    return whole(error.get("code")) if "code" in error else -1


def says_closed(answer: Answer) -> bool:
    return code_of(answer) in WINDOW_CLOSED


def window_closed() -> SendRefused:
    return _refuse(_WINDOW)


def _error(answer: Answer) -> Json:
    return table(table(parse_json(answer.content)).get("error"))


def _refuse(reason: str) -> SendRefused:
    return SendRefused(platform=NAME, reason=reason)


def _wait_for(answer: Answer, code: int, tries: int) -> float:
    """Seconds: Meta's own if it names them, else 4^n for the limit per person, else a few."""
    if said := whole(answer.headers.get("retry-after", "")):
        return min(float(said), _LONGEST_WAIT)
    if code == PAIR_LIMIT:
        return min(4.0 ** min(tries, 8), _LONGEST_WAIT)
    return _LONG_WAIT if code == _SPAM else _WAIT
