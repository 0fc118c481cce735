"""Passwords that people tell each other without `the password is`: every wording with every value; other talk stays."""

from __future__ import annotations

import re

import pytest

from baton.ports.redactor import Redactor

VALUES = ("Kestrel4417!", "harbour9032", "b7Q#tz+44Lm", "H@rb0urM3")
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
LOGINS = (
    "you can log in with j.miller / {} if you like",
    "kann man sich mit svc_mail und {} anmelden?",
    "on peut se connecter avec jmartin et {} je crois",
    "puedes entrar con jlopez y {} ahora",
    "for now use {} to sign in",
    "server is back\nroot / {}\n",
    "Here are the credentials you asked for: jmiller {}\n",
    "Die Anmeldedaten lauten jmiller und {}\n",
    "Estas son las credenciales: jlopez / {}\n",
    "user backup pass {}\n",
)
BELOW = (
    "here is the vpn password:\n\n```\n{}\n```\nthanks",
    "Bonjour, le mot de passe est\n{} et le port est 993.",
    "## Root password\n\n{}\n\n## Notes\n",
    "Your new password is below:\n\n{}\n\nregards",
    "> the password\n> is {}\n",
    "mot de passe « {} » merci",
    "Le mot de passe est «\u00a0{}\u00a0»",
    "clave wifi : {}\n",
    "mdp wifi {}\n",
)
CODES = (
    "Code für das Garagentor lautet nicht mehr so. Code zum Tor: {}",
    "the code of the front door is {}, second floor",
    "key safe code: {}, around the corner",
    "Your code is {}. Never share it.",
    "验证码:{},10分钟内有效",
)
STAY = (
    "your code is 1200 lines long",
    "the code for the safe mode is in boot.c",
    "a combination of 12-30-07 and 5",
    "The password is\nhashed with sha256 now.",
    "## Reset password\n\nv2.1.0\n",
    "the password is checked here:\n\n```\nlogin2 --dry-run\n```\n",
    "le mot de passe « oublié »",
    "log in with OAuth2 and OpenID2",
    "you can log in with your account and open ticket OPS-4412",
    "connect with joe on web-01 and db-02",
    "root / usr / local\n",
    "The credentials are stored in vault2\n",
    "credentials: read from config2.yml\n",
    "user tests pass on node-18\n",
    "use passkeys for the login",
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


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("wording", LOGINS)
def test_a_pair_for_a_login_loses_its_password(redactor: Redactor, wording: str, value: str) -> None:
    shown = redactor.redact(wording.format(value)).text
    assert re.sub(r"\[redacted: (?:password|credential)\]", "{}", shown) == wording


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("wording", BELOW)
def test_a_password_apart_from_its_word_goes(redactor: Redactor, wording: str, value: str) -> None:
    assert redactor.redact(wording.format(value)).text == wording.format("[redacted: password]")


@pytest.mark.parametrize("code", ["904177", "4417", "73120"])
@pytest.mark.parametrize("wording", CODES)
def test_a_code_goes(redactor: Redactor, wording: str, code: str) -> None:
    shown = redactor.redact(wording.format(code)).text
    assert re.sub(r"\[redacted: (?:password|pin)\]", "{}", shown) == wording


@pytest.mark.parametrize("text", STAY)
def test_other_talk_stays(redactor: Redactor, text: str) -> None:
    assert redactor.redact(text).text == text
