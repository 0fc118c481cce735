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
    "the alarm code is «4821#»\n",
    "phone unlocks with «4821» (pin)\n",
    "Die PIN der Karte lautet «4821».\n",
    "le code de la porte est «4821»\n",
    "el pin de la tarjeta es «4821»\n",
    "пин-код карты «4821»\n",
    "您的验证码是«482913»，请勿泄露\n",
    "인증번호: «482913»\n",
    "PIN for the label printer 2 is «8841», thanks\n",
    "PIN-ul cardului de la depozit este «9046», mersi\n",
    "ПІН-код від шафи «6182», ключ у Олени\n",
    "A széf PIN-kódja «4417», szia\n",
    "the disarm code at the depot is «39 04 17», hurry\n",
    "setup code for the lamp: «482-91-377», room Study\n",
    "master code «*77*4410#», then wait\n",
    "gate code «1379E»\n",
    "Lockbox combo for the side street: «7-22-9»\n",
    "combination of the padlock is «04-17-33»\n",
    "the scale's pin is «0000», shelf 2\n",
    "Your recovery code is «K7PX-22MD-QQ81», keep it\n",
    "steam guard code «R7K2P», hurry\n",
    "votre code confidentiel est «LX92-PO71». Merci\n",
    "Az SMS-ben kapott kód: «190 446». Szia\n",
    "code for the shed «5512», bye\n",
    "Code zum Tor: «4417»\n",
    "code de la porte : «4417»\n",
    "the combination of my locker is «12-30-07»\n",
    "safe combo «31-7-22»\n",
    "<p>Your PIN is <b>«7741»</b>. Keep it safe.</p>\n",
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
    "पिन कोड 400001, मुंबई",
    "the code for the safe mode is in boot.c",
    "the code for the door: see 12 pages",
    "code for the gate: 2",
    "a combination of 12-30-07 and 5",
    "the combination for the form is 1-2-3",
    "hibakód E-4410 jelent meg",
    "il codice TS-4410 è esaurito",
    "código postal 28013, Madrid",
    "codice articolo 448120",
    "the door code passes 4410 tests",
    "the error code of the gate is 4410",
    "pin 3 of the header goes to GPIO 4417",
    "the code for the safe mode has 4410 lines",
    "source code of the alarm module, build 20240417",
    "country code for the SIM: 0049",
    "exit code 1377 of the lock script",
    "recovery key ID: 9F0AB2C1-D3E4-4F50-8617-28394A5B6C7D",
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
