"""Names have a grain and random values have none; in a program a secret stands in quotes or in a comment."""

from __future__ import annotations

import random
import string

import pytest

from baton.adapters.redaction.grain import has_grain, surprise
from baton.adapters.redaction.thresholds import LEAST_SURPRISE_OF_BARE_TOKEN
from baton.ports.redactor import Redactor

_PYTHON = "import os\n\n\ndef run(user, name):\n    if not user:\n        return None\n{}\n    return os.getenv(name)\n"
_SCRIPT = (
    "export function run(user) {{\n  if (user === null) {{\n    return null;\n  }}\n{}\n  return this.go(user);\n}}\n"
)
_RANDOM = "vR8kQ2xZ7mTb4Wd9Lp3Yc6Hn"


_NAMES = (
    *(
        "Win_Greek_Cp1253_CI_AS_KS",
        "Base64urlBigInt",
        "opus-mini-4-7",
        "OpenModelsX3/vision7-9b",
        "6.1.0-28.el9.x86_64",
    ),
    *(
        "keypadNumlock2",
        "V2beta1ReplicaSetList",
        "X509_V_FLAG_CRL_CHECK_ALL",
        "utf8mb4_0900_ai_ci",
        "HTTP2SettingsFrame",
    ),
)


def test_most_names_with_numbers_have_a_grain() -> None:
    """Not all: 3 in 100 names of programs look as random as a short key."""
    assert sum(has_grain(name.encode()) for name in _NAMES) >= len(_NAMES) - 2


def test_random_values_have_none() -> None:
    dice = random.Random(4)
    drawn = ["".join(dice.choices(string.ascii_letters + string.digits, k=24)).encode() for _ in range(300)]
    assert sum(surprise(value) < LEAST_SURPRISE_OF_BARE_TOKEN for value in drawn) <= 1
    assert not any(has_grain(b"my-project-prod-" + value[:12]) for value in drawn[:50])


@pytest.mark.parametrize(
    ("program", "line"),
    [
        (_PYTHON, "    codes = {\n        'pass_statement': nodes.KeywordNode,\n    }"),
        (_PYTHON, "    errors = {\n        'WRONG_PASSWORD': LoginRefused,\n    }"),
        (_SCRIPT, "  const pass = !!ownPass;"),
        (_SCRIPT, "  const flag = user.secret ? '--secret' : '--cleartext';"),
        (_SCRIPT, "  describe('password', accessor('getPassword', 'setPassword'));"),
        (_SCRIPT, "  // a key of Base64urlBigInt, token: Base64urlBigInt"),
        (_SCRIPT, f"  open('invoice_{_RANDOM}');"),
        (_SCRIPT, "  const KEY_SQL = '-- Adds the first rows (see \"init\").\\nINSERT INTO moons (name) VALUES (1);';"),
        (_SCRIPT, "  draw({ d: 'M7 19h10V4H7v15zm-5-2h4V6H2v11zM18 6v11h4V6h-4z' });"),
        (_SCRIPT, "  const token = 'H{1,2}|m{1,2}|ss?|YYYY|D{1,4}';"),
        (_PYTHON, "    #: The key must be base64 encoded, the password to be base64 encoded."),
        (_PYTHON, "    url = '/login?lang=en&passwd=%s&kind=1&from=none' % name"),
    ],
)
def test_a_bare_word_of_a_program_is_no_secret(redactor: Redactor, program: str, line: str) -> None:
    text = program.format(line)
    assert redactor.redact(text).text == text


@pytest.mark.parametrize(
    ("program", "line", "secret"),
    [
        (_PYTHON, "    errors = {\n        'password': 'LoginRefused7',\n    }", "LoginRefused7"),
        (_PYTHON, '    """Logs in.\n\n    password: q8Lw3zRt\n    """', "q8Lw3zRt"),
        (
            _SCRIPT,
            "  const flag = user.pass ? null : 'x7--cleartext';\n  const pass = 'x7--cleartext';",
            "x7--cleartext",
        ),
        (_SCRIPT, "  const config = `\npassword: q8Lw3zRt\n`;", "q8Lw3zRt"),
        (_SCRIPT, f"  open('{_RANDOM}');", _RANDOM),
        (_SCRIPT, f"  open('apikey_{_RANDOM}');", _RANDOM),
        (_SCRIPT, "  run(`\nexport DB_PASSWORD=q8Lw3zRt\n`);", "q8Lw3zRt"),
    ],
)
def test_a_written_one_is(redactor: Redactor, program: str, line: str, secret: str) -> None:
    assert secret not in redactor.redact(program.format(line)).text


@pytest.mark.parametrize("kind", ["&str", "&'static str", "*string", "[]byte"])
def test_a_type_stands_between_a_name_and_its_value(redactor: Redactor, kind: str) -> None:
    text = f'const DB_PASSWORD: {kind} = "swordfish-77";\n'
    assert "swordfish" not in redactor.redact(text).text


@pytest.mark.parametrize(
    ("text", "stays"),
    [
        ("const page = Shop('pk_live_51H8xYzKq2mLpR9sTvWxYz01');\n", True),
        ("SHOP_SECRET=pk_live_51H8xYzKq2mLpR9sTvWxYz01\n", False),
        ("account_sid = 'AC0f5e6e2fd5f2c1b0e9d8c7b6a5f4e3d2'\n", True),
        (
            "  onRetryAttempt?: (err: GazelleError) => Promise<void> | void;\n  /** Asks. */\n  ask?: () => void;\n",
            True,
        ),
        ("WRONG_PASSWORD = 1132\nHOST_GONE = 1133\nNO_TABLE = 1146\nTOO_LONG = 1162\n", True),
        ('let key = "9f4e11d0a1c27b3e55aa0c9d8e7f6a5b";\nlet pt = "0011223344556677";\n', True),
        ('let key = "9f4e11d0a1c27b3e55aa0c9d8e7f6a5b";\nlet user = "ann";\n', False),
        ("options:\n  password:\n    description:\n      - What it is.\n    type: str\n", True),
        ('get(mistralClient, "50c05bc8-1e2f-4a3b-9c4d-7e8f90a1b2c3")\n', True),
        ('  readonly PostChangePassword: "post-change-password";\n  readonly Other: "other";\n', True),
        ("<ann> hi\n<bob> the password is swordfish\n<ann> thanks\n", False),
    ],
)
def test_public_ids_and_numbers_stay(redactor: Redactor, text: str, stays: bool) -> None:
    assert (redactor.redact(text).text == text) is stays
