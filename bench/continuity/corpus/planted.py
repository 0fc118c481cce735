"""Secrets that must never come out again: in the forms their makers give them, and random behind it."""

from __future__ import annotations

import random
import string

_LETTERS = string.ascii_letters + string.digits
_BASE64 = _LETTERS + "+/"


def _some(dice: random.Random, count: int, alphabet: str = _LETTERS) -> str:
    return "".join(dice.choices(alphabet, k=count))


def github(dice: random.Random) -> str:
    return f"ghp_{_some(dice, 36)}"


def aws_key(dice: random.Random) -> str:
    return f"AKIA{_some(dice, 16, string.ascii_uppercase + '234567')}"


def aws_secret(dice: random.Random) -> str:
    return _some(dice, 40, _BASE64)


def stripe(dice: random.Random) -> str:
    return f"sk_live_{_some(dice, 24)}"


def slack(dice: random.Random) -> str:
    return f"xoxb-{_some(dice, 12, string.digits)}-{_some(dice, 12, string.digits)}-{_some(dice, 24)}"


def jwt(dice: random.Random) -> str:
    return f"eyJhbGciOiJIUzI1NiJ9.eyJ{_some(dice, 40)}.{_some(dice, 43)}"


def password(dice: random.Random) -> str:
    return f"{_some(dice, 6)}-{_some(dice, 8)}!{_some(dice, 3, string.digits)}"


def private_key(dice: random.Random) -> str:
    body = "\n".join(_some(dice, 64, _BASE64) for _ in range(4))
    return f"-----BEGIN RSA PRIVATE KEY-----\n{body}\n-----END RSA PRIVATE KEY-----"
