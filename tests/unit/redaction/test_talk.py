"""Passwords that people tell each other without `the password is`: every wording with every value; other talk stays."""

from __future__ import annotations

import pytest

from baton.ports.redactor import Redactor

VALUES = ("Kestrel4417!", "harbour9032", "b7Q#tz+44Lm")
ANSWERS = (
    "[18.11.26, 09:12] Ute: weiß jemand das WLAN-Passwort?\n[18.11.26, 09:13] Max: {}\n",
    "14:02 joe: whats the pw of the printer?\n14:02 ann: moment\n14:03 ann: {}\n",
    "user: which passphrase did we use?\nassistant: I think it was {}\n",
    "> joe: do you have the admin password?\nann: {}\n",
    "Luc : quel est le mdp du wifi ?\nZoé : {}\n",
    "Ana: ¿cuál era la contraseña?\nEva: es {}\n",
    "Rui: qual é a senha do wifi?\nEva: {}\n",
    "Jan: jakie jest hasło?\nEwa: {}\n",
    "Оля: какой пароль от вайфая?\nИван: {}\n",
    "joe: pls send me the vpn password\nann: sure\nann: {}\n",
)
STAY = (
    "Forgot your password?\nClick below\n",
    "joe: what is the password?\nann: ask Tom, he sits in room 2214\n",
    "joe: whats the password policy?\nann: see https://example.org/policy2024\n",
    "Wie lang muss das Passwort sein?\nMax: 12 Zeichen\n",
    "joe: do you have the password?\nann: yes\njoe: ok, ticket OPS-4412 then\n",
    "quel est le mot de passe ?\nZoé : je ne sais pas\n",
)


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("wording", ANSWERS)
def test_an_answer_goes(redactor: Redactor, wording: str, value: str) -> None:
    assert redactor.redact(wording.format(value)).text == wording.format("[redacted: password]")


@pytest.mark.parametrize("text", STAY)
def test_other_talk_stays(redactor: Redactor, text: str) -> None:
    assert redactor.redact(text).text == text
