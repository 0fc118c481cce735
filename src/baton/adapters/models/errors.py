"""One table from what the library raises to the errors that users read. Imports the library: only `loading` imports
this.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import httpx2
from pydantic_ai import exceptions as library

from baton.adapters.models import failure
from baton.adapters.models.failure import Case, Refusal
from baton.adapters.models.quoting import quote
from baton.core.errors import MissingKey, ModelError, UnknownModel

_CONNECTING = ("connect", "pool")
_CONNECT_ERRORS = (httpx2.ConnectError, httpx2.ConnectTimeout)

Maker = Callable[[Case, Any], ModelError]


def model_error(error: Exception, case: Case) -> ModelError:
    """Never holds a key, an address with a password, or any of the prompt."""
    if _is_overflow(error):
        return failure.overflow_error(case, _refusal(error))
    return next(make(case, error) for kind, make in _TABLE if isinstance(error, kind))


def _is_overflow(error: Exception) -> bool:
    if not isinstance(error, library.ModelAPIError):
        return False
    if isinstance(error, library.ModelContextWindowExceededError):
        return True
    limited = isinstance(error, library.ModelRateLimitError | library.ModelQuotaExceededError)
    found = _refusal(error)
    return failure.is_overflow(found) and (not limited or found.status == 413)


def _refusal(error: Exception) -> Refusal:
    code = f"{getattr(error, 'provider_error_code', '')} {getattr(error, 'provider_error_type', '')}"
    status = getattr(error, "status_code", None) or 0
    return Refusal(status, code, _message(error), _retry_after(error), getattr(error, "in_stream", False))


def _limit_error(case: Case, error: library.ModelAPIError) -> ModelError:
    used_up = isinstance(error, library.ModelQuotaExceededError)
    return failure.limit_error(case, _refusal(error), used_up=used_up)


def _key_error(case: Case, error: library.ModelAPIError) -> ModelError:
    return failure.key_error(case, _refusal(error))


def _not_found_error(case: Case, error: library.ModelAPIError) -> ModelError:
    return failure.not_found_error(case, _refusal(error))


def _refusal_error(case: Case, error: library.ModelAPIError) -> ModelError:
    return failure.not_accepted_error(case, _refusal(error))


def _timeout_error(case: Case, error: Exception) -> ModelError:
    if _is_connecting(error):
        return failure.connection_error(case, connecting=True)
    return failure.silence_error(case)


def _connection_error(case: Case, error: Exception) -> ModelError:
    return failure.connection_error(case, connecting=_is_connecting(error))


def _is_connecting(error: Exception) -> bool:
    return getattr(error, "phase", "") in _CONNECTING or isinstance(error, _CONNECT_ERRORS)


def _outage_error(case: Case, error: library.ModelAPIError) -> ModelError:
    return failure.outage_error(case, _refusal(error), isinstance(error, library.ModelOverloadedError))


def _status_error(case: Case, error: library.ModelHTTPError) -> ModelError:
    return failure.refusal_error(_refusal(error), case)


def _unnamed_error(case: Case, error: library.ModelAPIError) -> ModelError:
    """An error without a status: reported in the middle of an answer, or an answer that could not be read."""
    return _outage_error(case, error) if error.in_stream else failure.unreadable_error(case)


def _unreadable_error(case: Case, _: Exception) -> ModelError:
    return failure.unreadable_error(case)


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


def _retry_after(error: Exception) -> float | None:
    """Seconds to wait: from the header, or from Google's `retryDelay` in the body."""
    told = getattr(error, "retry_after", None)
    return told if told is not None else failure.delay_in(getattr(error, "body", None))


def _message(error: Exception) -> str:
    body = getattr(error, "body", None)
    if said := failure.message_in(body):
        return said
    wrapped = isinstance(error, library.ModelHTTPError) or body is not None
    return "" if wrapped else str(getattr(error, "message", ""))
