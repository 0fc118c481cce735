"""Keys as files and programs write them beside a vendor's name, and what has the same look and is none."""

from __future__ import annotations

import pytest

from baton.ports.redactor import Redactor

CUT = (
    "acme api key:«6b912284498c03ed76dd170a5e3e2dc76d51cbee»",
    "Acme access key: «41bbdac1-52d6-f37b-f211-3cbb8ebc34cc»",
    "- acme_token:«NXYU28XHQ4D6FPAR8BMT0344»",
    "export acme_api_key:«CLWJZWZ8KDC5PM6O7LGWUT6DIT6S0M75»;",
    "acme_access_token=«H1u0s-gfkdqLRXESKRqb-bnkzgCWp6Clb9pq1NPZCcC»",
    "acme.access.token=«GnngttfvUfwwJzKafIjd»",
    'salt = "«27cf52ca35b6e09ffe27b87265e8ab66944ed5548f270440370c577545f421ab»"',
    'let api_key: &str = "«k3Zt8q8WxmPzLr5Y»";',
    'char db_pass[25] = "«heron7302»";',
    'password = """«heron7302»"""',
    'api_key = "«mega$orbit»"',
    "api_key: «qwhdkfjalskdjfhg»",
    'System.setProperty("db.password", "«Heron$73»");',
    "acmeio: {deepgram-api: «6b912284498c03ed76dd170a5e3e2dc76d51cbee»}",
    "mvn verify -Dsonar.login=«6b912284498c03ed76dd170a5e3e2dc76d51cbee»",
    r'print("see «q9Kx2xIX5an23GuiQ8jk9iWeStgJ0lxY»\n")',
)
LEFT = (
    'publicToken = "q9Kx2xIX5an23GuiQ8jk9iWeStgJ0lxY"',
    'notes = "Maven - org.example.webtoken:parser-core-0.11.2"',
    "acme.access.token=accessTokenFromTheRequest",
    "The secret key: see-section-2 of the docs",
    "API token: string",
    "api_key: see-the-wiki",
    "api_title_key = 'Welcome!'",
    '"private_key_id": "3f2a9c7db1e0d4c2a5f6987013579bdf24680ace",',
    r"C:\Users\q9Kx2xIX5an23GuiQ8jk9iWeStgJ0lxY\notes",
    "signing key: SHA256WITHRSAENCRYPTION",
)


@pytest.mark.parametrize("text", CUT)
def test_a_key_is_taken_however_it_is_written(redactor: Redactor, text: str) -> None:
    before, value, after = text.replace("»", "«").split("«")
    shown = redactor.redact(before + value + after).text
    assert value not in shown
    assert shown.startswith(before)
    assert shown.endswith(after)


@pytest.mark.parametrize("text", LEFT)
def test_what_names_a_key_and_holds_none_stays(redactor: Redactor, text: str) -> None:
    assert redactor.redact(text).text == text
