"""Tokens beside a word without a sign, in a redirect, and with a prefix that no list has."""

from __future__ import annotations

import pytest

from baton.ports.redactor import Redactor

HELD = ("9f2c4e6a8b0d1f3e5a7c9e1b3d5f7a9c9f2c4e6a", "1b3d5f7a9c0e2f4a6b8d0c2e4f6a8b0c2d4e6f80")
FORMS = (
    "Token {0}",
    "the api key for our maps page {0}",
    "shop_prod_{0}",
    "https://app.example.net/back?code={0}&state=k1",
)
LEFT = (
    "commit 9f2c4e6a8b0d1f3e5a7c9e1b3d5f7a9c9f2c4e6a",
    "the api key for this is not needed in 9f2c4e6a",
    "https://x.example.net/?code=DE&state=open",
    "the token is required",
)


@pytest.mark.parametrize("held", HELD)
@pytest.mark.parametrize("form", FORMS)
def test_a_token_goes(redactor: Redactor, form: str, held: str) -> None:
    assert held not in redactor.redact(form.format(held)).text


@pytest.mark.parametrize("text", LEFT)
def test_commits_and_codes_of_countries_stay(redactor: Redactor, text: str) -> None:
    assert redactor.redact(text).text == text
