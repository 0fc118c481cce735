"""Passwords later in the sentence than their word: every wording with every value; sentences about passwords stay."""

from __future__ import annotations

import pytest

from baton.ports.redactor import Redactor

VALUES = ("Kestrel4417!", "harbour9032", "b7Q#tz+44Lm", "Mango-Tree-71x")
LATER = (
    "heads up: the vpn password has changed and it is now {}",
    "that is wrong, the passphrase was not {}",
    "The pwd of the NAS got replaced yesterday. The new one is {} from today",
    "rotated the database password. Previous: {}",
    "your password isn't {}",
    "I think the password was either hidden or {}",
    "Das Kennwort vom Router stimmt nicht mehr, neu ist {}",
    "das Passwort ist nicht {}",
    "Le mot de passe a changé hier soir, maintenant c'est {}",
    "la contraseña ya no sirve, ahora es {}",
    "alterei a senha do roteador hoje cedo para {}",
    "abbiamo cambiato la password del router in {}",
    "het wachtwoord is veranderd, het is nu {}",
    "zmieniłem hasło do routera wczoraj na {}",
    "пароль от роутера вчера сменили, теперь {}",
)
BOTH = (
    "the password is not {}, it's {}",
    "joe's password is {}, and for ann it was {}",
    "password of the printer rotated.\nold: {}\nnew: {}",
    "the pw was {} but is now {}",
    "das Passwort ist nicht {}, sondern {}",
)
STAY = (
    "the password isn't long enough",
    "the password changed, its now required at every login",
    "password: is required",
    "The password hash was sha256 and is now argon2id, not md5crypt or PBKDF2-SHA512",
    "The password policy changed in v2.4.1, it's now 12-character passwords",
    "password reset: the ticket is OPS-4412, the new one is OPS-4413",
    "The password check moved, it's now in auth_check2 or login2.py, not on web-01",
    "the password is not stored, it was removed in commit 9fceb02d0ae598e95dc970b74767f19372d61af8",
    "your password was changed on 2026-11-03 at 10:42, it's now valid for 90days",
    "The password prompt is now shown by user@host or db4.example.org:5432",
    "le mot de passe n'est pas assez long, c'est 8 caractères minimum",
    "Das Passwort ist nicht sicher genug, jetzt sind 12 Zeichen nötig",
)


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("wording", LATER)
def test_a_password_in_a_later_clause_goes(redactor: Redactor, wording: str, value: str) -> None:
    assert redactor.redact(wording.format(value)).text == wording.format("[redacted: password]")


@pytest.mark.parametrize("wording", BOTH)
def test_both_passwords_of_a_sentence_go(redactor: Redactor, wording: str) -> None:
    shown = redactor.redact(wording.format(*VALUES[:2])).text
    assert shown == wording.format("[redacted: password]", "[redacted: password]")


@pytest.mark.parametrize("text", STAY)
def test_sentences_about_passwords_stay(redactor: Redactor, text: str) -> None:
    assert redactor.redact(text).text == text


def test_programs_stay(redactor: Redactor) -> None:
    comment = "    # the password changed, its now Legacy4417Check\n"
    text = f"def check(password):\n{comment}    return password != Legacy4417Check(1)\n"
    assert redactor.redact(text).text == text
