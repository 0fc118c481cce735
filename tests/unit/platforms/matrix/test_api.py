"""What an answer of a homeserver means for the message."""

from __future__ import annotations

import pytest

from baton.adapters.platforms.matrix.api import explain, explain_login
from baton.core.errors import BadCredentials, PlatformError, SendLater, SendRefused

TABLE: list[tuple[int, str, type[PlatformError]]] = [
    (429, "M_LIMIT_EXCEEDED", SendLater),
    (400, "M_LIMIT_EXCEEDED", SendLater),
    (429, "", SendLater),
    (500, "M_UNKNOWN", SendLater),
    (502, "", SendLater),
    (503, "M_UNKNOWN", SendLater),
    (504, "", SendLater),
    (408, "", SendLater),
    (401, "M_UNKNOWN_TOKEN", BadCredentials),
    (401, "M_MISSING_TOKEN", BadCredentials),
    (401, "M_USER_LOCKED", BadCredentials),
    (403, "M_USER_DEACTIVATED", BadCredentials),
    (403, "M_FORBIDDEN", SendRefused),
    (403, "M_CONSENT_NOT_GIVEN", SendRefused),
    (404, "M_NOT_FOUND", SendRefused),
    (404, "", SendRefused),
    (413, "M_TOO_LARGE", SendRefused),
    (400, "M_BAD_JSON", SendRefused),
    (301, "", SendRefused),
]


@pytest.mark.parametrize(("status", "code", "kind"), TABLE)
def test_each_answer_has_its_error(status: int, code: str, kind: type[PlatformError]) -> None:
    error = explain(status, {"errcode": code, "error": "No."}, {})

    assert type(error) is kind
    assert str(error).startswith("matrix")
    assert f"{code or status} No" in str(error)


@pytest.mark.parametrize(
    ("body", "headers", "after"),
    [
        ({"retry_after_ms": 1393}, {}, 1.393),
        ({}, {"retry-after": "7"}, 7.0),
        ({"retry_after_ms": 2000}, {"retry-after": "7"}, 2.0),
        ({}, {"retry-after": "Wed, 21 Oct 2026 07:28:00 GMT"}, 5.0),
        ({"retry_after_ms": "soon"}, {}, 5.0),
        ({"retry_after_ms": -1}, {}, 5.0),
        ({"retry_after_ms": 10**15}, {}, 3600.0),
    ],
)
def test_the_delay_of_the_server_is_kept(body: dict[str, object], headers: dict[str, str], after: float) -> None:
    error = explain(429, {"errcode": "M_LIMIT_EXCEEDED", **body}, headers)

    assert isinstance(error, SendLater)
    assert error.after == after


@pytest.mark.parametrize("body", [{}, {"errcode": 1, "error": []}, {"errcode": "\x1b[2J", "error": "x\n" * 5000}])
def test_a_hostile_answer_is_one_short_line(body: dict[str, object]) -> None:
    reason = str(explain(400, body, {}).facts["reason"])

    assert len(reason) <= 200
    assert reason.isprintable()


def test_a_login_that_is_refused_is_about_the_credentials() -> None:
    refused = explain(403, {"errcode": "M_FORBIDDEN", "error": "Invalid username or password"}, {})
    later = explain(429, {}, {})

    assert isinstance(explain_login(refused), BadCredentials)
    assert explain_login(later) is later
