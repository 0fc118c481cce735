"""Names of files, folders and branches keep all but the secret that somebody wrote into them."""

from __future__ import annotations

import pytest

from baton.ports.redactor import Redactor

NAMED = (
    "saved as Desktop/password-is-«cherryPie7».txt today",
    "ls: switch-admin-password-«zxqv0987».md  todo.md",
    "git checkout hotfix/pw-«Walrus88»",
    "the picture pin_«4471».png is old",
    "root_pw_«Walrus88».txt",
    "folder safe-code-«4417» has scans",
    "branch temp/password-«b4nana!x» was pushed",
    "branch fix/password-«kQFjrkxGr8G» was pushed",
    "notes/password-«vTzqWk2LmNxRb».txt",
    "notes/password-«ihfh2hd8thh».txt",
    "branch fix/password-«bw8td9h4zit» was pushed",
)
LEFT = (
    "reset-password-v2.md",
    "ui/password-inputMD5.png",
    "lib/password-hasherPBKDF2.md",
    "password-policy-2024.pdf",
    "Password-Policy2024.pdf",
    "feature/password-reset-1234",
    "pin-dependencies-42",
    "dist/password-4f3a2b1c.png",
    "fix/password-hash-sha256",
    "docs/password-rules-2023-11-04.md",
    "fix/password-oauth2login",
    "lib/password-utf8mb4conv.md",
    "pin_2048.png and pin_24.png",
    "password_reset_20240511.csv",
    "img/password-Field12-dark.png",
    "password_Walrus88",
)


@pytest.mark.parametrize("marked", NAMED)
def test_a_secret_in_a_name_goes_and_the_name_stays(
    redactor: Redactor, without_hyperscan: Redactor, marked: str
) -> None:
    before, _, rest = marked.partition("«")
    text = marked.replace("«", "").replace("»", "")
    shown = redactor.redact(text).text
    assert shown.startswith(f"{before}[redacted: ")
    assert shown.endswith(f"]{rest.partition('»')[2]}")
    assert without_hyperscan.redact(text).text == shown


@pytest.mark.parametrize("text", LEFT)
def test_names_that_tell_what_is_inside_stay(redactor: Redactor, text: str) -> None:
    assert redactor.redact(text).text == text


@pytest.mark.parametrize("held", ["Nq6mNKN5y8D", "hQvZrTnWpYd", "2abwwnqpLJc"])
def test_a_branch_named_after_a_password_keeps_its_name_and_is_remembered(redactor: Redactor, held: str) -> None:
    text = (
        "a1b2c30 Rotate: new password gooseberry\na1b2c31 Set the db password to A5hpEQpmFnp\n"
        f"a1b2c3d Add retry to the orders client\n  fix/Thistle97q-login\n* fix/password-{held}\n  main\n"
    )
    shown = redactor.redact(text).text
    assert "* fix/password-[redacted: password]\n" in shown
    assert "gooseberry" not in shown
    assert held not in redactor.remember(redactor.recognise(text)).redact(f"then {held} again").text
