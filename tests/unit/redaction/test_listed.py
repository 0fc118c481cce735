"""Several secrets after one word for them go, all of them; lists that only speak of passwords stay."""

from __future__ import annotations

import pytest

from baton.ports.redactor import Redactor

PASSWORDS = ("Kestrel4417!", "harbour9032", "b7Q#tz+44Lm")
CODES = (
    ("81734412", "55120937", "90417726"),
    ("k3f9-77qd", "9d2x-m41a", "p0v8-2bbz"),
    ("4482 9103", "7713 2290", "9914 0021"),
)
LISTS = (
    "the passwords are {}, {} and {}",
    "old passwords of the router: {} {} {}",
    "Passwords\n\n* {}\n* {}\n* {}\nthanks",
    "passphrases:\n1. {}\n2. {}\n3. {}\n",
    "Passwörter: {} / {} / {}",
    "Voici les mots de passe : {}, {} et {}",
    "contraseñas:\n- {}\n- {}\n- {}",
    "пароли: {}, {} и {}",
    "passwords:\n  joe: {}\n  ann: {}\n  bob: {}\n",
)
CODE_LISTS = (
    "Your backup codes are: {}, {}, {}",
    "recovery codes of the bank\n{}\n{}\n{}\n\nPrint this page.",
    "Wiederherstellungscodes:\n- {}\n- {}\n- {}",
    "codes de secours : {} {} {}",
    "резервные коды:\n1) {}\n2) {}\n3) {}",
)
STAY = (
    "passwords: hashed with argon2id, sha512 or bcrypt",
    "passwords:\n  min_length: 8\n  hash: sha256\n  rounds: 100000\n",
    "Passwords are at least 12-character strings, see RFC4226",
    "recovery codes: 10 single-use codes, printed on 2026-11-03",
    "backup codes are hashed-and-salted in the table user_codes",
    "Passwörter: mindestens 8 Zeichen",
    "mots de passe : au moins 8 caractères",
    "test('passwords', () => {\n  const passwords = [first1234, second1234];\n  check(passwords);\n});\n",
)


@pytest.mark.parametrize("wording", LISTS)
def test_every_password_of_a_list_goes(redactor: Redactor, wording: str) -> None:
    assert redactor.redact(wording.format(*PASSWORDS)).text == wording.format(*["[redacted: password]"] * 3)


@pytest.mark.parametrize("codes", CODES)
@pytest.mark.parametrize("wording", CODE_LISTS)
def test_every_code_of_a_list_goes(redactor: Redactor, wording: str, codes: tuple[str, ...]) -> None:
    shown = redactor.redact(wording.format(*codes)).text
    assert not any(code in shown for code in codes)
    assert shown.startswith(wording[:5])


@pytest.mark.parametrize("text", STAY)
def test_lists_about_passwords_stay(redactor: Redactor, text: str) -> None:
    assert redactor.redact(text).text == text
