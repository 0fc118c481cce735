from __future__ import annotations

import pytest

from baton.adapters.platforms.slack.api import error_code, explain
from baton.core.errors import BadCredentials, PlatformError, SendLater, SendRefused, SendUnsure


@pytest.mark.parametrize(
    ("error", "status", "expected"),
    [
        ("invalid_auth", 200, BadCredentials),
        ("not_authed", 200, BadCredentials),
        ("account_inactive", 200, BadCredentials),
        ("token_revoked", 200, BadCredentials),
        ("token_expired", 200, BadCredentials),
        ("ratelimited", 429, SendLater),
        ("ratelimited", 200, SendLater),
        ("", 429, SendLater),
        ("", 503, SendLater),
        ("service_unavailable", 200, SendLater),
        ("internal_error", 200, SendUnsure),
        ("internal_error", 500, SendUnsure),
        ("fatal_error", 200, SendUnsure),
        ("", 502, SendUnsure),
        ("", 200, SendUnsure),
        ("channel_not_found", 200, SendRefused),
        ("not_in_channel", 200, SendRefused),
        ("msg_too_long", 200, SendRefused),
        ("a_new_error", 200, SendRefused),
    ],
)
def test_meaning(error: str, status: int, expected: type[PlatformError]) -> None:
    assert type(explain(error, status)) is expected


@pytest.mark.parametrize(
    ("given", "after"), [("30", 30.0), ("", 1.0), ("soon", 1.0), ("9" * 400, 3_600.0), ("-5", 1.0)]
)
def test_how_long_to_wait(given: str, after: float) -> None:
    later = explain("ratelimited", 429, given)
    assert isinstance(later, SendLater)
    assert later.after == after


def test_a_missing_scope_is_named() -> None:
    refused = explain("missing_scope", needed="files:write")
    assert isinstance(refused, SendRefused)
    assert "files:write" in str(refused)
    assert error_code(refused) == "missing_scope"
