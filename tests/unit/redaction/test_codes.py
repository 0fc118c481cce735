"""PINs and one-time codes go beside their word in any language; years, amounts and numbers of things stay."""

from __future__ import annotations

import pytest

from baton.ports.redactor import Redactor

SAID = (
    "the pin for the card is «4821»\n",
    "SIM PIN: «4821», PUK in the drawer\n",
    "voicemail pin «4821» then #\n",
    "Your verification code is «482 913». Do not share it.\n",
    "«482913» is your Example verification code\n",
    "G-«482913» is your verification code.\n",
    "OTP «482913» is valid for 10 minutes\n",
    "the alarm code is «4821»#\n",
    "phone unlocks with «4821» (pin)\n",
    "Die PIN der Karte lautet «4821».\n",
    "le code de la porte est «4821»\n",
    "el pin de la tarjeta es «4821»\n",
    "пин-код карты «4821»\n",
    "您的验证码是«482913»，请勿泄露\n",
    "인증번호: «482913»\n",
)
LEFT = (
    "The PIN must have 4 digits.",
    "The verification code expires in 3600 seconds.",
    "Verification code length: 6",
    "connect the LED to pin 13 and wait 1000 ms",
    "pin = 1234\nif (pin == 1234) {\n    return;\n}\n",
    "door code of 2024-05-01",
    "pin-1234-branch",
    "the access code is required since 2019",
)


@pytest.mark.parametrize("marked", SAID)
def test_a_code_beside_its_word_goes(redactor: Redactor, without_hyperscan: Redactor, marked: str) -> None:
    text = marked.replace("«", "").replace("»", "")
    before, _, rest = marked.partition("«")
    shown = redactor.redact(text).text
    assert shown == f"{before}[redacted: pin]{rest.partition('»')[2]}"
    assert without_hyperscan.redact(text).text == shown


@pytest.mark.parametrize("text", LEFT)
def test_other_numbers_stay(redactor: Redactor, text: str) -> None:
    assert redactor.redact(text).text == text
