"""What only shows a key's form stays, in a program and elsewhere; a value that somebody drew goes in the same place."""

from __future__ import annotations

import random
import string

import pytest

from baton.adapters.redaction.placeholders import is_placeholder
from baton.adapters.redaction.span import CONTEXT, TOKEN, Span
from baton.ports.redactor import Redactor

DICE = random.Random(11)
DRAWN = "".join(DICE.choices(string.ascii_letters + string.digits, k=33))
BOT = "-".join(("xoxb", "482910293847", "1029384756102"))
PAIRS = (
    ("client_secret=kM28Q~" + "x" * 34, f"client_secret=kM28Q~{DRAWN}x", DRAWN),
    ("client_secret=kM28Q~" + "x" * 34, "client_secret=Kux3" + "x" * 26 + "j58mqYCD", "j58mqYCD"),
    (f'"token": "{BOT}-{"#" * 20}"', f'"token": "{BOT}-{DRAWN[:24]}"', DRAWN[:24]),
    (f'"token": "{BOT}"', f'"token": "{BOT}-{DRAWN[:24]}"', DRAWN[:24]),
    ("export OP_TOKEN=ops_eyJzaWduSW5BZGRyZXNzIjoiaHR0...", f"export OP_TOKEN=ops_{DRAWN[:28]}", DRAWN[:28]),
    ("xoxe.xoxp-1-TheBotsRefreshTokenGoesHere", f"xoxe.xoxp-1-{DRAWN}", DRAWN),
    ('shop_api_key = "shk_fghij_tooLong"', f'shop_api_key = "shk_fghij_{DRAWN[:12]}"', DRAWN[:12]),
    ("password = NOVA_DBPASS\n", "password = NOVA73DBPASS\n", "NOVA73DBPASS"),
    ("mysql+pymysql://nova:NOVA_DBPASS@controller/nova", "mysql+pymysql://nova:NOVA9x3@controller/nova", "NOVA9x3"),
    ("user=app password='password with a space'", "user=app password='heron with a space'", "heron with"),
    ("# Example: amqp://app:password@127.0.0.1:5672//", "# Example: amqp://app:mossfern82@127.0.0.1//", "mossfern82"),
)


@pytest.mark.parametrize("text", sorted({stays for stays, _, _ in PAIRS}))
def test_what_only_shows_a_form_stays(redactor: Redactor, text: str) -> None:
    assert redactor.redact(text).text == text


@pytest.mark.parametrize(("text", "secret"), [(goes, secret) for _, goes, secret in PAIRS])
def test_what_somebody_drew_goes_there(redactor: Redactor, text: str, secret: str) -> None:
    assert secret not in redactor.redact(text).text


def test_a_key_that_was_made_up_goes(redactor: Redactor) -> None:
    made_up = "ghp_0123456789abcdefABCDEF0123456789abcd"
    assert made_up not in redactor.redact(f"Use {made_up} for nothing.").text


@pytest.mark.parametrize("layer", [CONTEXT, TOKEN])
def test_no_drawn_key_only_shows_a_form(layer: int) -> None:
    """Of keys of every usual length and alphabet, behind a vendor's letters."""
    dice = random.Random(layer)
    for alphabet in (string.ascii_letters + string.digits, string.ascii_lowercase + string.digits, "0123456789abcdef"):
        for size in (12, 16, 20, 32, 40):
            for _ in range(300):
                value = b"shk_" + "".join(dice.choices(alphabet, k=size)).encode()
                assert not is_placeholder(b"key=" + value, Span(4, 4 + len(value), layer, "secret")), value
