# ruff: noqa: E501 (an example is easier to read in one line)
"""What tests and examples write to hold a secret's place stays in programs; elsewhere, and beside it, a secret goes."""

from __future__ import annotations

import base64
import random
import string

import pytest

from baton.adapters.redaction.fixtures import counts, says_what_it_is
from baton.ports.redactor import Redactor

PYTHON = 'import os\n\n\ndef connect(host):\n    if not host:\n        return None\n    {}\n\n\ndef main():\n    return connect("a")\n'
GO = "func TestOpen(t *testing.T) {{\n\tif c == nil {{\n\t\treturn\n\t}}\n\t{}\n\tif err != nil {{\n\t\treturn\n\t}}\n}}\n"
RUST = 'pub fn open() -> Result<()> {{\n    let user = "x";\n    {}\n    if user.is_empty() {{\n        return Ok(());\n    }}\n}}\n'
HOLD_A_PLACE = (
    PYTHON.format("client = Client(user='heron', password='s3cr3t')"),
    PYTHON.format("client = Client(user='heron', password='P@ssw0rd123')"),
    PYTHON.format("client.login(username='marshmoss', password='marshmoss')"),
    PYTHON.format("marsh.set_password('marsh')"),
    PYTHON.format("assert header == 'Basic dXNlcjpwYXNzd29yZA=='"),
    PYTHON.format("token = 'ABC-123456-D'"),
    PYTHON.format("pw_hash = generate_password_hash('hunter2', 10)"),
    GO.format('c := Config{ClientSecret: "SEKRIT", Token: "abcd1234"}'),
    GO.format('req.SetBasicAuth("heron", "123456")'),
    GO.format('svc, err := NewService(ctx, option.WithAPIKey("AIza..."))'),
    GO.format('Password: "SomeKindOfPassword123!",'),
    RUST.format('let proxy = Proxy::new("http://heron:p@ssw0rd@localhost:9999").unwrap();'),
    RUST.format('let url = "https://heron:mossfern82@db.example.com/";'),
)
ARE_SECRETS = (
    (
        '{\n  "on_save": true,\n  "sync": false,\n  "keep": null,\n  "watch": true,\n  "user": "marsh",\n  "password": "hunter22"\n}\n',
        "hunter22",
    ),
    (PYTHON.format("client = Client(user='heron', password='s3cr3tFern')"), "s3cr3tFern"),
    (PYTHON.format("client = Client(user='heron', password='mossfern82')"), "mossfern82"),
    (PYTHON.format("client.login(username='marshmoss', password='marshfern')"), "marshfern"),
    (PYTHON.format("marsh.set_password('mossfern82')"), "mossfern82"),
    (PYTHON.format(f"assert header == 'Basic {base64.b64encode(b'heron:mossfern82').decode()}'"), "bW9zc2Zlcm"),
    (GO.format('req.SetBasicAuth("heron", "482915")'), "482915"),
    (GO.format('svc, err := NewService(ctx, option.WithAPIKey("mossfern82"))'), "mossfern82"),
    (RUST.format('let url = "https://heron:mossfern82@db.internal/";'), "mossfern82"),
    ("export DB_PASSWORD=s3cr3t99\n", "s3cr3t99"),
    ("db:\n  user: heron\n  password: P@ssw0rd123\n", "P@ssw0rd123"),
    ('DB_USER="heron"\nDB_PASSWORD="P@ssw0rd123"\n', "P@ssw0rd123"),
    ("the password is P@ssw0rd123\n", "P@ssw0rd123"),
)
SHELL = 'deploy() {\n  return 0\n}\nstop() {\n  return 1\n}\nPASSWORD="P@ssw0rd123"\nstart() {\n  return 2\n}\nrun() {\n  return 3\n}\n'


@pytest.mark.parametrize("text", HOLD_A_PLACE)
def test_a_place_that_is_held_stays(redactor: Redactor, text: str) -> None:
    assert redactor.redact(text).text == text


@pytest.mark.parametrize(("text", "secret"), ARE_SECRETS)
def test_what_says_no_more_than_a_secret_goes(redactor: Redactor, text: str, secret: str) -> None:
    assert secret not in redactor.redact(text).text


def test_a_setting_of_a_shell_is_no_fixture(redactor: Redactor) -> None:
    assert "P@ssw0rd123" not in redactor.redact(SHELL).text


@pytest.mark.parametrize(
    "value",
    [
        "s3cr3t",
        "evilsecret",
        "my-secret-token",
        "user:password",
        "Passw0rd1!",
        "anypass",
        "wr0ng",
        "sekret",
        "invalidjson",
        "test-heron",
    ],
)
def test_a_value_may_say_what_it_is(value: str) -> None:
    assert says_what_it_is(value.encode())


@pytest.mark.parametrize(
    "value",
    ["Heron2019secret", "xkqzsecretwvjq", "compass", "secret4711", "mossfern", "pas5", "testament", "mockingbird"],
)
def test_a_word_for_a_secret_is_not_enough(value: str) -> None:
    assert not says_what_it_is(value.encode())


def test_no_random_value_counts_or_says_what_it_is() -> None:
    dice = random.Random(15)
    for alphabet, size in ((string.digits, 6), (string.ascii_letters + string.digits, 12), ("0123456789abcdef", 32)):
        drawn = ["".join(dice.choices(alphabet, k=size)).encode() for _ in range(3_000)]
        assert sum(counts(each) or says_what_it_is(each) for each in drawn) <= 1
