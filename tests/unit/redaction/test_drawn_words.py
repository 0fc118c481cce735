"""A word in quotes that nobody could pronounce is a secret beside its name; labels, types and names stay."""

from __future__ import annotations

import random
import string

import pytest

from baton.ports.redactor import Redactor

GO = "package x\n\nfunc f(t *testing.T) {{\n\tc := New()\n\t{}\n\tc.Close()\n}}\n"
JAVA = "class A {{\n    void f() {{\n        Ssl ssl = new Ssl();\n        {}\n        ssl.start();\n    }}\n}}\n"
PHP = "<?php\nclass A {{\n    function f() {{\n        {}\n        return $this->x;\n    }}\n}}\n"
PLACES = (
    GO.format('c.Password = "<>"'),
    GO.format('c := Config{{Name: "root", Password: "<>", TLS: true}}'),
    GO.format('c.Token = []byte("<>")'),
    GO.format('const apiToken = "<>"'),
    JAVA.format('ssl.setKeyStorePassword("<>");'),
    JAVA.format('String secretKey = new String("<>");'),
    PHP.format("$form['user_login[password]'] = '<>';"),
    PHP.format("$cfg['auth_token'] = '<>';"),
    "def f(self):\n    c = Client()\n    self.login(password='<>')\n    return c\n",
    "settings = {\n    'api_key': SecretStr('<>'),\n}\nx = f(settings)\ny = g(x)\n",
    "endpoint: shop-eu\nconsumer_key: <>\nrefresh: 1m\n",
)
STAY = (
    GO.format('c.Password = "password"'),
    GO.format('c.TokenType = "bearer"'),
    GO.format('c.InsecureSkipVerifyKey = "insecureskipverify"'),
    GO.format('token := flag.String("challenge", "", "what is sent")'),
    JAVA.format('String password = request.getParameter("passwd");'),
    PHP.format("echo __('Enter an API key', 'akismet');"),
    "def f(request):\n    token = request.headers['Authorization']\n    return token == get('csrf')\n",
    '{"Statement": [{"Sid": "EC2TagCFNSG", "Effect": "Allow"}]}\n',
    'confluent_topic_key = "orders-created-v2-dlq"\n',
    "    token: Bekis kolclottir is of code for the session\n",
)


@pytest.mark.parametrize("place", PLACES)
def test_letters_that_make_no_word_are_taken_in_a_program_too(redactor: Redactor, place: str) -> None:
    dice = random.Random(place)
    gone = 0
    for _ in range(20):
        held = "".join(dice.choices(string.ascii_lowercase, k=8))
        gone += held not in redactor.redact(place.replace("<>", held)).text
    assert gone >= 17


@pytest.mark.parametrize("text", STAY)
def test_labels_types_and_names_stay_there(redactor: Redactor, text: str) -> None:
    assert redactor.redact(text).text == text


def test_each_of_two_settings_is_judged_by_itself(redactor: Redactor) -> None:
    """In a text that is shorter than what is looked at around a value, too."""
    text = "application_key: testAppKey\nconsumer_key: qxjvkwpzrtbm\n"
    assert redactor.redact(text).text == "application_key: testAppKey\nconsumer_key: [redacted: secret]\n"


def test_a_word_that_many_names_hold_is_not_taken_wherever_it_stands(redactor: Redactor) -> None:
    names = " ".join(f"zwqxkj_{each}" for each in ("open", "path", "close", "read", "write", "flush", "seek", "name"))
    text = f"password = 'zwqxkj'\n{names}\nthe module lib/zwqxkj\nzwqxkj is loaded\n"
    assert redactor.redact(text).text == text.replace("'zwqxkj'", "'[redacted: password]'", 1)
