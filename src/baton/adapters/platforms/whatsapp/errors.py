"""What Graph's errors mean for a message. Meta asks to go by the code, not by the HTTP status.

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

from collections.abc import Mapping

from baton.adapters.platforms.json_fields import Json, parse_json, table, text, whole
from baton.adapters.platforms.whatsapp.place import NAME
from baton.core.display import one_line
from baton.core.errors import BadCredentials, PlatformError, SendLater, SendRefused, SendUnsure
from baton.core.value import value

PAIR = 131056
CLOSED = (131047, 470)
_DENIED = frozenset((0, 10, 190, 131005, *range(200, 300)))
_BUSY = frozenset((4, 80007, 130429, PAIR))
_SPAM = 131048
_TROUBLE = frozenset((1, 2, 131000, 131016, 131057, 133004))
_SOON, _LATER, _MUCH_LATER, _LONGEST = 1.0, 5.0, 600.0, 3600.0
_WINDOW = "they have not written within 24 hours, so WhatsApp takes only an approved template"
_UNREACHED = "they are not on WhatsApp, have blocked this number, or have not written within 24 hours"


@value
class Answer:
    """What Graph answered; names of headers in lower case."""

    status: int
    content: bytes
    headers: Mapping[str, str]


def code_of(answer: Answer) -> int:
    """Graph's code; -1 if it gave none."""
    error = _error(answer)
    return whole(error.get("code")) if "code" in error else -1


def says_closed(answer: Answer) -> bool:
    return code_of(answer) in CLOSED


def raised(answer: Answer, tries: int = 0) -> PlatformError:
    """The error that says it. `tries` is how often the pair limit was met in a row."""
    error, code = _error(answer), code_of(answer)
    reason = one_line(text(table(error.get("error_data")).get("details")) or text(error.get("message")), 200)
    reason = f"{reason or f'HTTP {answer.status}'} ({code})" if error else f"HTTP {answer.status}"
    if answer.status == 401 or code in _DENIED:
        return BadCredentials(platform=NAME, reason=reason)
    if answer.status == 429 or code in _BUSY or code == _SPAM:
        return SendLater(platform=NAME, reason=reason, after=_after(answer, code, tries))
    if code in CLOSED:
        return window_closed()
    if code == 131026:
        return SendRefused(platform=NAME, reason=_UNREACHED)
    if code in _TROUBLE or error.get("is_transient") is True:
        return SendLater(platform=NAME, reason=reason, after=_SOON)
    if answer.status >= 500 and not error:
        return SendUnsure(platform=NAME, reason=reason)
    return SendLater(platform=NAME, reason=reason, after=_SOON) if answer.status >= 500 else _refused(reason)


def window_closed() -> SendRefused:
    return _refused(_WINDOW)


def _error(answer: Answer) -> Json:
    return table(table(parse_json(answer.content)).get("error"))


def _refused(reason: str) -> SendRefused:
    return SendRefused(platform=NAME, reason=reason)


def _after(answer: Answer, code: int, tries: int) -> float:
    """Meta's own word if it gives one, else 4^n for the pair limit, else a few seconds."""
    if said := whole(answer.headers.get("retry-after", "")):
        return min(float(said), _LONGEST)
    if code == PAIR:
        return min(4.0 ** min(tries, 8), _LONGEST)
    return _MUCH_LATER if code == _SPAM else _LATER
