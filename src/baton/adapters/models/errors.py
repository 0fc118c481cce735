"""One table from what the library raises to the errors that users read. Imports the library: only `loading` imports
this.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, cast

import httpx2
from pydantic_ai import exceptions as library

from baton.core.agent.message import AssistantMessage, Prompt
from baton.core.errors import (
    ContextOverflow,
    MissingKey,
    ModelError,
    ModelRefused,
    ModelTimeout,
    ModelUnavailable,
    RateLimited,
    UnknownModel,
)
from baton.core.value import value

_OVERFLOW = re.compile(
    r"context.?(length|window|size|limit)|maximum (context|model|prompt) length|max(imum)? number of tokens|"
    r"prompt is too long|input is too long|input token count|too many tokens|token limit|tokens_limit_reached|"
    r"reduce the length|request_too_large|exceed_context_size|prompt exceeds|greater than the context|max_new_tokens",
    re.IGNORECASE,
)
_TOO_LARGE = 413
_MALFORMED = (400, 422)
_CONNECTING = ("connect", "pool")
_CONNECT_ERRORS = (httpx2.ConnectError, httpx2.ConnectTimeout)
_WORTH_ANOTHER_TRY = (408, 409, 425)


@value
class Case:
    """A failed request: what was asked of which model where, and what must not be shown."""

    name: str
    host: str
    timeout: float
    secrets: tuple[str, ...]
    prompt: Prompt | None

    def reason(self, plain: str, error: Exception) -> str:
        """The plain reason, with the provider's own words where they can be shown."""
        said = quote(_message(error), self.secrets, self.prompt, self.name.partition(":")[2])
        return f"{plain}: {said}" if said else plain


Maker = Callable[[Case, Any], ModelError]


def model_error(error: Exception, case: Case) -> ModelError:
    """Never holds a key, an address with a password, or any of the prompt."""
    if _is_overflow(error):
        return ContextOverflow(model=case.name, reason=case.reason("the provider refused its size", error))
    return next(make(case, error) for kind, make in _TABLE if isinstance(error, kind))


def _is_overflow(error: Exception) -> bool:
    if not isinstance(error, library.ModelAPIError):
        return False
    status = getattr(error, "status_code", 400)
    words = f"{error.provider_error_code} {error.provider_error_type} {_message(error)}"
    limited = isinstance(error, library.ModelRateLimitError | library.ModelQuotaExceededError)
    overflow = isinstance(error, library.ModelContextWindowExceededError) or status == _TOO_LARGE
    return overflow or (status in _MALFORMED and not limited and bool(_OVERFLOW.search(words)))


def _limit_error(case: Case, error: library.ModelAPIError) -> ModelError:
    used_up = isinstance(error, library.ModelQuotaExceededError)
    plain = "the quota or credit is used up" if used_up else "too many requests"
    return RateLimited(
        model=case.name, reason=case.reason(f"{plain}{_status(error)}", error), after=_retry_after(error)
    )


def _key_error(case: Case, error: library.ModelAPIError) -> ModelError:
    forbidden = getattr(error, "status_code", 401) == 403
    plain = "this key may not do that" if forbidden else "the key was not accepted"
    reason = f"{plain}{_status(error)}"
    return ModelRefused(model=case.name, reason=case.reason(reason, error) if forbidden else reason)


def _not_found_error(case: Case, error: library.ModelAPIError) -> ModelError:
    reason = case.reason(f"{case.host or 'the provider'} does not know it{_status(error)}", error)
    return UnknownModel(model=case.name, reason=reason)


def _refusal_error(case: Case, error: library.ModelAPIError) -> ModelError:
    return ModelRefused(model=case.name, reason=case.reason(f"it was not accepted{_status(error)}", error))


def _timeout_error(case: Case, error: Exception) -> ModelError:
    if getattr(error, "phase", "") in _CONNECTING or isinstance(error, httpx2.ConnectTimeout):
        return _connection_error(case, error)
    return ModelTimeout(model=case.name, seconds=case.timeout)


def _connection_error(case: Case, error: Exception) -> ModelError:
    connecting = getattr(error, "phase", "") in _CONNECTING or isinstance(error, _CONNECT_ERRORS)
    whom = case.host or "the provider"
    reason = f"no connection to {whom}" if connecting else f"the connection to {whom} broke off"
    return ModelUnavailable(model=case.name, reason=reason)


def _outage_error(case: Case, error: library.ModelAPIError) -> ModelError:
    overloaded = isinstance(error, library.ModelOverloadedError)
    plain = "the provider is overloaded" if overloaded else "the provider failed"
    return ModelUnavailable(model=case.name, reason=f"{plain}{_status(error)}", after=_retry_after(error))


def _status_error(case: Case, error: library.ModelHTTPError) -> ModelError:
    retry = error.status_code in _WORTH_ANOTHER_TRY or not 400 <= error.status_code < 500
    return _outage_error(case, error) if retry else _refusal_error(case, error)


def _unnamed_error(case: Case, error: library.ModelAPIError) -> ModelError:
    """An error without a status: reported in the middle of an answer, or an answer that could not be read."""
    return _outage_error(case, error) if error.in_stream else _unreadable_error(case, error)


def _unreadable_error(case: Case, _: Exception) -> ModelError:
    return ModelUnavailable(model=case.name, reason="its answer could not be read")


def _missing_package_error(case: Case, error: ImportError) -> ModelError:
    found = re.search(r"pydantic-ai-slim\[([\w-]+)\]", str(error))
    how = f"; pip install 'pydantic-ai-slim[{found[1]}]'" if found else ""
    return UnknownModel(model=case.name, reason=f"the package it needs is not installed{how}")


def _setup_error(case: Case, error: library.UserError) -> ModelError:
    """The library speaks to programmers here: only the name of a missing variable is passed on to users."""
    if found := re.search(r"`([A-Z][A-Z0-9_]+)` environment variable", str(error)):
        return MissingKey(model=case.name, variable=found[1])
    return UnknownModel(model=case.name, reason=quote(str(error), case.secrets, case.prompt) or "it cannot be set up")


_TABLE: Sequence[tuple[type[Exception], Maker]] = (
    (library.ModelRateLimitError, _limit_error),
    (library.ModelQuotaExceededError, _limit_error),
    (library.ModelAuthenticationError, _key_error),
    (library.ModelNotFoundError, _not_found_error),
    (library.ModelRequestRejectedError, _refusal_error),
    (library.ModelTimeoutError, _timeout_error),
    (library.ModelRequestTimeout, _timeout_error),
    (library.ModelConnectionError, _connection_error),
    (library.ModelUnavailableError, _outage_error),
    (library.ModelServerError, _outage_error),
    (library.ModelHTTPError, _status_error),
    (library.ModelAPIError, _unnamed_error),
    (library.UserError, _setup_error),
    (httpx2.TimeoutException, _timeout_error),
    (httpx2.TransportError, _connection_error),
    (ImportError, _missing_package_error),
    (Exception, _unreadable_error),
)


def _status(error: Exception) -> str:
    status = getattr(error, "status_code", None)
    return f" ({status})" if status else ""


def _retry_after(error: library.ModelAPIError) -> float | None:
    """Seconds to wait: from the header, or from Google's `retryDelay` in the body."""
    if error.retry_after is not None:
        return error.retry_after
    found = re.search(r"retryDelay['\"]: ['\"](\d+(?:\.\d+)?)s", str(error.body)[:4_000])
    return float(found[1]) if found else None


def _message(error: Exception) -> str:
    """The provider's own sentence, from the various shapes of error bodies."""
    body = getattr(error, "body", None)
    for step in ("error", "message", "detail"):
        if isinstance(body, list) and body:
            body = cast("list[object]", body)[0]
        if isinstance(body, Mapping) and step in body:
            body = cast("Mapping[str, object]", body)[step]
    if isinstance(body, str):
        return body
    wrapped = isinstance(error, library.ModelHTTPError) or body is not None
    return "" if wrapped else str(getattr(error, "message", ""))


_LONGEST = 200
_ECHO = 12
_KEYS = re.compile(
    r"\b(?:sk|pk|rk|gsk|xai|key|tgp|fw|hf|nvapi|csk)[-_][\w*.…-]{4,}|\bAIza[\w-]{6,}|\beyJ[\w.-]{10,}|Bearer\s+\S+",
    re.IGNORECASE,
)
_CREDENTIALS = re.compile(r"//[^/\s@]*@")
_QUERY = re.compile(r"(https?://[^\s?]+)\?\S+")


def quote(text: str, secrets: Sequence[str], prompt: Prompt | None, known: str = "") -> str:
    """What a provider says in an error, fit to be shown: one line of at most 200 characters, without secrets, or
    nothing if the text repeats any of the prompt.

    `known` may be repeated: many prompts contain the model's name.
    """
    line = " ".join(text.split())
    if not line or line.startswith("<"):
        return ""
    for secret in secrets:
        line = line.replace(secret, "…")
    line = _QUERY.sub(r"\1", _CREDENTIALS.sub("//", _KEYS.sub("…", line)))
    if prompt is not None and _echoes(line.replace(known, "\0") if known else line, prompt):
        return ""
    return (line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…").rstrip(".")


def _echoes(line: str, prompt: Prompt) -> bool:
    """Whether any twelve characters of the line, or a whole short message, also occur in the prompt."""
    windows = {line[start : start + _ECHO] for start in range(len(line) - _ECHO + 1)}
    for text in _texts(prompt):
        flat = " ".join(text.split())
        if len(flat) < _ECHO:
            if len(flat) > _ECHO // 2 and flat in line:
                return True
        elif any(window in flat for window in windows):
            return True
    return False


def _texts(prompt: Prompt) -> Iterator[str]:
    yield prompt.system
    for message in prompt.messages:
        yield message.text
        if isinstance(message, AssistantMessage):
            yield from (str(held) for call in message.calls for held in call.args.values())
