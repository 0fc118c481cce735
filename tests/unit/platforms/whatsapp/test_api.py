"""What Graph's errors mean for a message."""

from __future__ import annotations

import json

import pytest

from baton.adapters.platforms.whatsapp.api import Answer, explain
from baton.core.errors import BadCredentials, PlatformError, SendLater, SendRefused, SendUnsure


def answer(status: int, code: int | None = None, details: str = "", **headers: str) -> Answer:
    error = {"message": "(#0) said", "type": "OAuthException", "code": code, "error_data": {"details": details}}
    return Answer(status, b"" if code is None else json.dumps({"error": error}).encode(), headers)


@pytest.mark.parametrize(
    ("given", "kind", "said"),
    [
        (answer(401, 190), BadCredentials, "190"),
        (answer(400, 190), BadCredentials, "190"),
        (answer(401), BadCredentials, "401"),
        (answer(401, 0), BadCredentials, "(0)"),
        (answer(403, 10), BadCredentials, "10"),
        (answer(403, 200), BadCredentials, "200"),
        (answer(403, 131005), BadCredentials, "131005"),
        (answer(429), SendLater, "429"),
        (answer(400, 4), SendLater, "(4)"),
        (answer(400, 80007), SendLater, "80007"),
        (answer(429, 130429), SendLater, "130429"),
        (answer(400, 131056), SendLater, "131056"),
        (answer(400, 131048), SendLater, "131048"),
        (answer(500, 131000), SendLater, "131000"),
        (answer(503, 2), SendLater, "(2)"),
        (answer(500, 999), SendLater, "999"),
        (answer(502), SendUnsure, "502"),
        (Answer(504, b"<html>gateway</html>", {}), SendUnsure, "504"),
        (answer(400, 131047), SendRefused, "approved template"),
        (answer(400, 131026), SendRefused, "blocked this number"),
        (answer(400, 100, "text.body is too long"), SendRefused, "text.body is too long (100)"),
        (answer(404), SendRefused, "404"),
        (Answer(400, b'{"error": "x"}', {}), SendRefused, "400"),
        (Answer(302, b"", {"location": "https://evil.example"}), SendRefused, "302"),
    ],
)
def test_each_error_has_its_meaning(given: Answer, kind: type[PlatformError], said: str) -> None:
    error = explain(given)
    assert type(error) is kind
    assert said in str(error)


def later(given: Answer, tries: int = 0) -> float:
    error = explain(given, tries)
    assert isinstance(error, SendLater)
    return error.after


def test_the_limit_of_a_pair_backs_off_by_four() -> None:
    assert [later(answer(400, 131056), tries) for tries in (0, 1, 2, 3, 50)] == [1, 4, 16, 64, 3600]


def test_metas_own_word_on_waiting_counts() -> None:
    assert later(answer(429, 130429, **{"retry-after": "17"})) == 17
    assert later(answer(429, 130429, **{"retry-after": "99999999"})) == 3600
    assert later(answer(429, 130429, **{"retry-after": "soon"})) == 5
