"""Values that need no look are left out early: what merely begins like one is read all the same."""

from __future__ import annotations

import pytest

from baton.adapters.redaction.redactor import open_redactor


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(tmp_path_factory.mktemp("rules"))


@pytest.mark.parametrize(
    "text",
    [
        "api_key: new String('«Zx9f8a7d6cQ77»')\n",
        "token = b '«Zx9f8a7d6cQ»'\n",
        "token: bearer «Zx9f8a7d6cQ77kk»\n",
        "secret: str = '«Zx9f8a7d6cQ77»'\n",
        "stripe_key: |\n  «sk9f8a7d6c5b4a3f2e1d0c»\n",
        "github token:\n  «9f8a7d6c5b4a3f2e1d0cQx»\n",
        "stripe secret: Bearer «9f8a7d6c5b4a3f2e1d0cQx»\n",
        "my secret changed «Hun7er2»!\n",
        "integrity: sha256-" + "A" * 43 + "= token=«Zx9f8a7d6cQ77kk»\n",
    ],
)
def test_a_value_that_begins_like_an_idle_one_is_read(cache: str, text: str) -> None:
    value = text.partition("«")[2].partition("»")[0]
    redacted = open_redactor(cache, {}, [], cache).redact(text.replace("«", "").replace("»", "")).text
    assert value not in redacted


@pytest.mark.parametrize(
    "text",
    [
        'key: ""\ntoken: "1.2.3"\n',
        "example.com/stripe-token v1.2.3 h1:" + "Ab9" * 14 + "c=\n",
        "  '@stripe/token@1.2.3':\n    resolution: {integrity: sha512-" + "Ab9+" * 21 + "cd==}\n",
        "    token: Bogra went for a walk\n",
    ],
)
def test_an_idle_value_stays(cache: str, text: str) -> None:
    assert open_redactor(cache, {}, [], cache).redact(text).text == text
