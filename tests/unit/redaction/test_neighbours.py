"""A value's end is its end: what follows a closing tag or a placeholder is another's."""

from __future__ import annotations

import pytest

from baton.ports.redactor import Redactor

LEFT = (
    "DB_PASSWORD=<your-password-here>\nDB_USER=<your-user>\n",
    "DB_PASSWORD=<password>\nDB_HOST=db1\n",
    '<input type="password" name="pw" value="">\n',
)
GONE = (
    "<password>{0}</password>\ndb:5432:shop:app:{1}\n",
    "     7\t<password>{0}</password>\n     8\tdb:5432:shop:app:{1}\n",
    'rcon_password="{0}="\nredis-cli -h cache -p 6380 -a {1} ping\n',
    "postgres://app:%40{0}@h/db\nhttp -a app:{1} GET https://shop.example.com/\n",
)


@pytest.mark.parametrize("text", LEFT)
def test_what_follows_stays(redactor: Redactor, text: str) -> None:
    assert redactor.redact(text).text == text


@pytest.mark.parametrize("form", GONE)
def test_values_go_and_names_stay(redactor: Redactor, form: str) -> None:
    text = redactor.redact(form.format("86vr1QXgLq8U", "Havuz48y")).text
    assert "QXgL" not in text
    assert "Havuz48y" not in text
    assert [word for word in ("db:5432:shop:app:", "-p 6380", "GET https", "postgres://app:") if word in form] == [
        word for word in ("db:5432:shop:app:", "-p 6380", "GET https", "postgres://app:") if word in text
    ]
