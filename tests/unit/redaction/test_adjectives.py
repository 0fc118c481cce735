"""An adjective after the word for a password, an adverb after the verb, in the languages of `rules/speech.txt`."""

from __future__ import annotations

import pytest

from baton.adapters.redaction.rules_file import speech
from baton.ports.redactor import Redactor

VALUES = ("Kestrel4417!", "harbour9032", "sunflower")
WORDINGS = (
    "Mot de passe initial : {}",
    "Le mot de passe est désormais {}",
    "Clave provisional: {}",
    "La contraseña es actualmente {}",
    "Senha provisória: {}",
    "Password iniziale: {}",
    "La parola d'ordine è adesso {}",
    "Hasło jednorazowe: {}",
    "Heslo dočasné: {}",
    "Parola temporară: {}",
    "Das Kennwort lautet ab sofort {}",
    "Startpasswort: {}",
    "Het wachtwoord is voortaan {}",
    "Lösenordet är nu {}",
    "Adgangskoden er nu {}",
    "Passordet er nå {}",
    "Salasana on nyt {}",
    "Пароль временный: {}",
    "Пароль новий: {}",
    "Kata sandi awal: {}",
    "Mật khẩu tạm thời: {}",
    "Contraseña (temporal): {}",
)
STAY = (
    "Mot de passe actuel",
    "Mot de passe provisoire : obligatoire",
    "Contraseña nueva:\nRepetir contraseña:\n",
    "Senha atual: inválida",
    "Das Passwort ist jetzt sicher",
    "Hasło jest teraz wymagane",
    "kata sandi sementara",
    "Het wachtwoord is nu verlopen",
)


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("wording", WORDINGS)
def test_a_password_after_an_adjective_or_adverb_goes(redactor: Redactor, wording: str, value: str) -> None:
    assert redactor.redact(wording.format(value)).text == wording.format("[redacted: password]")


@pytest.mark.parametrize("text", STAY)
def test_labels_and_sentences_with_them_stay(redactor: Redactor, text: str) -> None:
    assert redactor.redact(text).text == text


def test_every_language_with_blanks_has_some() -> None:
    assert {each.name for each in speech() if not each.more} == {"thai", "chinese", "japanese", "korean"}
