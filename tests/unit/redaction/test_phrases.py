"""Passwords of several words: whole or not at all, and sentences about passwords stay."""

from __future__ import annotations

import pytest

from baton.ports.redactor import Redactor

HELD = ("Tr4 u%x", "green Ox 512", "Moss Fern 81!", "q7 Lp2 w#w", "lamp Otter river", "xb CD 4411")
QUOTED = (
    'SHOP_PASSWORD="{0}"',
    "passwd = '{0}'",
    "mysql -h db -p'{0}' shop",
    'passphrase: "{0}"',
    '{{"user_password": "{0}", "port": 1}}',
    "<connect password='{0}' host='db1'/>",
)
SENTENCES = (
    '{"password": "The password isn\'t long enough"}',
    '{"password": "Enter the new one here"}',
    '{"password": "Its now required"}',
    '"password": "Neues Kennwort eingeben"',
    '"password": "Mindestens 8 Zeichen"',
    '"password": "Au moins 12 caractères"',
    '"password": "Use 8+ characters"',
    'password = "At least 1 digit"',
    '"secret": "Client ID not found!"',
    '"password": "Step 12"',
    'PASSWORD_HELP="See the wiki"',
    "password: Ask Ann tomorrow",
    "password: Must contain 8 characters",
    'url = "?password=" + quote(p1) + "&x=1"',
    'password = "%s or %d times"',
    'passwordCommand = "pass show work/x2"',
)


@pytest.mark.parametrize("held", HELD)
@pytest.mark.parametrize("form", QUOTED)
def test_what_stands_in_quotes_goes_as_a_whole(redactor: Redactor, form: str, held: str) -> None:
    shown = redactor.redact(form.format(held)).text
    assert shown == form.format("[redacted: password]")


@pytest.mark.parametrize("held", ["Grüner Ochse 5", "Moss Fern 81", "Otter Lamp River 7!"])
def test_a_bare_one_goes_up_to_the_end_of_its_line(redactor: Redactor, held: str) -> None:
    shown = redactor.redact(f"host: db1\npassword: {held}\nport: 5432\n").text
    assert shown == "host: db1\npassword: [redacted: password]\nport: 5432\n"


def test_a_setting_s_words_go_without_a_digit(redactor: Redactor) -> None:
    assert redactor.redact('DB_PASSWORD="Moss Fern Otter"\n').text == 'DB_PASSWORD="[redacted: password]"\n'


@pytest.mark.parametrize("text", SENTENCES)
def test_sentences_labels_and_code_stay_whole(redactor: Redactor, text: str) -> None:
    assert redactor.redact(text).text == text
