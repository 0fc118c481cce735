"""Passwords by their position: arguments of calls, fields that are filled, blocks of settings."""

from __future__ import annotations

import re

import pytest

from baton.ports.redactor import Redactor

KIND = re.compile(r"\[redacted: [a-z-]+\]")
HELD = ("heron7302", "Heron!7302", "q7Lp2xT9wZkB")
FORMS = (
    'Connection c = DriverManager.getConnection(URL, "shop", "{0}");\nreturn c;\n',
    "<?php\n$pdo = new PDO('pgsql:host=db;dbname=x', 'shop', '{0}');\nreturn $pdo;\n",
    "<?php\n$link = new mysqli('db2', 'shop', '{0}', 'orders');\nif ($link) {{\n",
    'req, err := http.NewRequest("GET", url, nil)\nreq.SetBasicAuth("shop", "{0}")\nreturn req\n',
    "await page.fill('input[name=\"password\"]', '{0}');\nawait page.click('#go');\n",
    'el = driver.find_element(By.NAME, "passwd").send_keys("{0}")\nreturn el\n',
    "child.expect('Password: ')\nchild.sendline('{0}')\nchild.interact()\n",
    'variable "root_password" {{\n  description = "x"\n  default     = "{0}"\n}}\n',
    "userlist web\n  user ann insecure-password {0}\n",
    'db, err := sql.Open("mysql", "shop:{0}@tcp(10.0.0.9:3306)/orders")\nreturn db\n',
)
LEFT = (
    'DriverManager.getConnection(url, "user", "password");\nreturn null;\n',
    "$pdo = new PDO($dsn, $user, $password);\nreturn $pdo;\n",
    "page.fill('#password', credentials.password)\npage.fill('#name', 'heron7302')\n",
    'label = "heron7302"  # the password isn\'t long enough\n',
    "child.expect('password:')\nchild.sendline(getpass())\n",
    'variable "password_length" {\n  type    = number\n  default = 16\n}\n',
    "define('AUTH_KEY', 'put your unique phrase here');\n",
    'dsn := fmt.Sprintf("%s:%s@tcp(%s)/%s", user, pass, host, name)\n',
)


@pytest.mark.parametrize("held", HELD)
@pytest.mark.parametrize("form", FORMS)
def test_what_stands_in_the_place_of_a_password_goes(redactor: Redactor, form: str, held: str) -> None:
    shown = redactor.redact(form.format(held)).text
    assert KIND.sub("[cut]", shown) == form.format("[cut]")


@pytest.mark.parametrize("text", LEFT)
def test_variables_and_words_that_hold_a_place_stay(redactor: Redactor, text: str) -> None:
    assert redactor.redact(text).text == text
