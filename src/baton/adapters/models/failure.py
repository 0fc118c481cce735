"""The errors that users read, made of what a provider or the network did. Nothing of a library is imported."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import cast

from baton.adapters.models.quoting import quote
from baton.core.agent.message import Prompt
from baton.core.errors import (
    ContextOverflow,
    ModelError,
    ModelRefused,
    ModelTimeout,
    ModelUnavailable,
    RateLimited,
    UnknownModel,
)
from baton.core.value import value

OVERFLOW = re.compile(
    r"context.?(length|window|size|limit)|maximum (context|model|prompt) length|max(imum)? number of tokens|"
    r"prompt is too long|input is too long|input token count|too many tokens|token limit|tokens_limit_reached|"
    r"reduce the length|request_too_large|exceed_context_size|prompt exceeds|greater than the context|max_new_tokens",
    re.IGNORECASE,
)
_USED_UP = re.compile(
    r"insufficient_(quota|balance)|billing_error|quota_exceeded|credit balance is too low|insufficient (balance|credit)"
    r"|exceeded your current quota",
    re.IGNORECASE,
)
_TOO_LARGE = 413
_MALFORMED = (400, 422)
_PAYMENT = 402
_OVERLOADED = 529
_WORTH_ANOTHER_TRY = (408, 409, 425)


@value
class Case:
    """A failed request: what was asked of which model where, and what must not be shown."""

    name: str
    host: str
    timeout: float
    secrets: tuple[str, ...]
    prompt: Prompt | None

    def reason(self, plain: str, said: str) -> str:
        """The plain reason, with the provider's own words where they can be shown."""
        shown = quote(said, self.secrets, self.prompt, self.name.partition(":")[2])
        return f"{plain}: {shown}" if shown else plain

    @property
    def whom(self) -> str:
        return self.host or "the provider"


@value
class Refusal:
    """An error as a provider reports it: its status (0 if it has none), its code or type, its own sentence, and the
    seconds to wait if it names any. `in_stream` errors come in the middle of an answer.
    """

    status: int
    code: str = ""
    said: str = ""
    after: float | None = None
    in_stream: bool = False


def is_overflow(refusal: Refusal) -> bool:
    """Told by the status or, for a request that is malformed or an answer that broke off, by the words."""
    if refusal.status == _TOO_LARGE:
        return True
    words = f"{refusal.code} {refusal.said}"
    return (not refusal.status or refusal.status in _MALFORMED) and bool(OVERFLOW.search(words))


def refusal_error(refusal: Refusal, case: Case) -> ModelError:
    """Never holds a key, an address with a password, or any of the prompt."""
    status = refusal.status
    used_up = status == _PAYMENT or bool(_USED_UP.search(f"{refusal.code} {refusal.said}"))
    if used_up and (status in (*_MALFORMED, _PAYMENT, 403, 429) or not status):
        return limit_error(case, refusal, used_up=True)
    if is_overflow(refusal):
        return overflow_error(case, refusal)
    if status == 429:
        return limit_error(case, refusal, used_up=False)
    if status in (401, 403):
        return key_error(case, refusal)
    if status == 404:
        return not_found_error(case, refusal)
    refused = 400 <= status < 500 and status not in _WORTH_ANOTHER_TRY
    return not_accepted_error(case, refusal) if refused else outage_error(case, refusal, status == _OVERLOADED)


def overflow_error(case: Case, refusal: Refusal) -> ModelError:
    return ContextOverflow(model=case.name, reason=case.reason("the provider refused its size", refusal.said))


def limit_error(case: Case, refusal: Refusal, *, used_up: bool) -> ModelError:
    plain = "the quota or credit is used up" if used_up else "too many requests"
    reason = case.reason(f"{plain}{_status(refusal)}", refusal.said)
    return RateLimited(model=case.name, reason=reason, after=refusal.after)


def key_error(case: Case, refusal: Refusal) -> ModelError:
    forbidden = refusal.status == 403
    plain = "this key may not do that" if forbidden else "the key was not accepted"
    reason = f"{plain}{_status(refusal)}"
    return ModelRefused(model=case.name, reason=case.reason(reason, refusal.said) if forbidden else reason)


def not_found_error(case: Case, refusal: Refusal) -> ModelError:
    reason = case.reason(f"{case.whom} does not know it{_status(refusal)}", refusal.said)
    return UnknownModel(model=case.name, reason=reason)


def not_accepted_error(case: Case, refusal: Refusal) -> ModelError:
    return ModelRefused(model=case.name, reason=case.reason(f"it was not accepted{_status(refusal)}", refusal.said))


def outage_error(case: Case, refusal: Refusal, overloaded: bool) -> ModelError:
    plain = "the provider is overloaded" if overloaded else "the provider failed"
    return ModelUnavailable(model=case.name, reason=f"{plain}{_status(refusal)}", after=refusal.after)


def silence_error(case: Case) -> ModelError:
    return ModelTimeout(model=case.name, seconds=case.timeout)


def connection_error(case: Case, *, connecting: bool) -> ModelError:
    reason = f"no connection to {case.whom}" if connecting else f"the connection to {case.whom} broke off"
    return ModelUnavailable(model=case.name, reason=reason)


def unreadable_error(case: Case) -> ModelError:
    return ModelUnavailable(model=case.name, reason="its answer could not be read")


def _status(refusal: Refusal) -> str:
    return f" ({refusal.status})" if refusal.status else ""


def message_in(body: object) -> str:
    """The provider's own sentence, from the various shapes of error bodies."""
    for step in ("error", "message", "detail"):
        if isinstance(body, list) and body:
            body = cast("list[object]", body)[0]
        if isinstance(body, Mapping) and step in body:
            body = cast("Mapping[str, object]", body)[step]
    return body if isinstance(body, str) else ""


def delay_in(body: object) -> float | None:
    """The seconds to wait that Google names in the body."""
    found = re.search(r"retryDelay['\"]: ['\"](\d+(?:\.\d+)?)s", str(body)[:4_000])
    return float(found[1]) if found else None
