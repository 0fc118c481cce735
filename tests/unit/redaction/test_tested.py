# ruff: noqa: E501 (an example is easier to read in one line)
"""What a test made up and what is public by its name stay in programs; the same value elsewhere goes."""

from __future__ import annotations

import base64
import json

import pytest

from baton.ports.redactor import Redactor

PYTHON = "import pytest\n\n\ndef test_open(client):\n    if not client:\n        return None\n    {}\n    assert client.ping()\n\n\ndef test_close(client):\n    assert client.close()\n"
GO = "func TestOpen(t *testing.T) {{\n\tif c == nil {{\n\t\tt.Fatal(err)\n\t}}\n\t{}\n\tif err != nil {{\n\t\tt.Fatal(err)\n\t}}\n}}\n"
RUST = "#[test]\nfn opens() {{\n    let user = open();\n    {}\n    assert_eq!(user.name(), name);\n    assert!(user.is_known());\n}}\n"
RANDOM = "Hq7Lp2xT9wZkB4mNs8vR"
MODULUS = "tGx8Qv2LmZ0aKd7PbWn4RfYc1HsJ9uEo5TiXg3VqMk6BzNyA"
LINES = '"{}"\n        "{}"\n        "{}"\n        "{}"'.format(
    "q8Zt3LmV0aKd7PbWn4RfYc1HsJ9uEo5TiXg3VqMk6BzNyAhD",
    "Wn4RfYc1HsJ9uEo5TiXg3VqMk6BzNyAhDq8Zt3LmV0aKd7Pb",
    "uEo5TiXg3VqMk6BzNyAhDq8Zt3LmV0aKd7PbWn4RfYc1HsJ9",
    "3VqMk6BzNyAhDq8Zt3LmV0aKd7PbWn4RfYc1HsJ9uEo5TiXg",
)


def token(claims: object) -> str:
    parts = ({"alg": "HS256", "typ": "JWT"}, claims)
    coded = (base64.urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=") for part in parts)
    return ".".join((*coded, "q8Zt3LmV0aKd7PbWn4RfYc1HsJ9uEo5TiXg3VqMk6Bz"))


STAY = (
    PYTHON.format("client.login('heron', password='mossfern82')\n    assert client.sent == {'password': 'mossfern82'}"),
    PYTHON.format(f"expected_token = '{RANDOM}'"),
    PYTHON.format("fakePassword = 'mossfern82'"),
    PYTHON.format("testPassword = 'mossfern'"),
    PYTHON.format(f"assert client.session_key == '{RANDOM}'"),
    PYTHON.format(f"key = {{'kty': 'RSA', \"n\": \"{MODULUS}\", 'e': 'AQAB'}}"),
    PYTHON.format(f'answer = {{"ciphertext": "{MODULUS}", "nonce": "{RANDOM}"}}'),
    PYTHON.format(f"picture = ({LINES})"),
    PYTHON.format(f"token = '{token({'a': 'b'})}'"),
    PYTHON.format(f"token = '{token({'sub': '1234567890', 'name': 'John Doe'})}'"),
    GO.format(f'if got.Token != "{RANDOM}" {{\n\t\tt.Errorf("got %v", got)\n\t}}'),
    GO.format('c := Config{Password: "wolf-bad"}\n\tassert.Equal(t, "wolf-bad", c.Password)'),
    GO.format(f'sig := "{RANDOM}{RANDOM}{RANDOM}{RANDOM}"'),
    RUST.format('/// let enc = Vault::new("mossfern82", password = "mossfern82");'),
    'class Session:\n    """A session.\n\n    >>> Session(user="heron", password="mossfern82")\n    <Session>\n    """\n\n    def open(self):\n        return self.path\n',
    '    id = "vcr_keeps_what_it_was_given_before"\n\n\ndef vcr_keeps_what_it_was_given_before(client):\n    return client\n',
    "url = 'postgresql://scott:tiger@localhost/moss'\n",
    "suites = ['ChaCha20-Poly1305', 'ECDHE-PSK-AES256-CCM8']  # psk: ChaCha20-Poly1305\n",
    '"correlation_id": "01HAH3BEP8ZZA0KXYKCXAYQV4N", "gitlab": true\n',
    "exports.USE_CERTIFICATE = '@otter/reeds-route53-nests:useCertificate';\n",
    "FpElement{12045962426129658825, 10308865601077037991, 36275384951485}\n",
    "- fix: forgot password form (#2091) and login (#1746)\n",
)
GO_AWAY = (
    (PYTHON.format("client.login('heron', password='mossfern82')"), "mossfern82"),
    (PYTHON.format(f"token = '{RANDOM}'"), RANDOM),
    (PYTHON.format(f"testToken = '{RANDOM}'"), RANDOM),
    (PYTHON.format(f"token = '{token({'sub': 'heron', 'exp': 1799999999})}'"), "q8Zt3LmV0aKd7PbWn4RfYc1HsJ9"),
    (PYTHON.format(f"private_key = ({LINES})"), "q8Zt3LmV0aKd7PbWn4RfYc1HsJ9"),
    (GO.format('c := Config{Password: "mossfern82"}'), "mossfern82"),
    (RUST.format('// password = "mossfern82"'), "mossfern82"),
    ('>>> Session(user="heron", password="mossfern82")\n<Session>\n', "mossfern82"),
    ("assert the password is mossfern82, the test expects mossfern82\n", "mossfern82"),
    (f"EXPECTED_TOKEN={RANDOM}\n", RANDOM),
    ("db:\n  user: heron\n  password: mossfern82\n  expected: mossfern82\n", "mossfern82"),
    ("fake_password: mossfern82\nuser: heron\n", "mossfern82"),
    ("ssh-keygen -t rsa -N 'mossfern82' -f k\n", "mossfern82"),
    ("url = 'postgresql://heron:tiger77@localhost/moss'\n", "tiger77"),
    ("password: kestrel#1108\n", "kestrel#1108"),
    ("4111 1111 1111 1111\n", "4111 1111 1111 1111"),
)


@pytest.mark.parametrize("text", STAY)
def test_what_a_test_or_a_document_made_up_stays(redactor: Redactor, text: str) -> None:
    assert redactor.redact(text).text == text


@pytest.mark.parametrize(("text", "secret"), GO_AWAY)
def test_what_could_be_real_goes(redactor: Redactor, text: str, secret: str) -> None:
    assert secret not in redactor.redact(text).text


def test_a_key_over_several_lines_is_one_cut(redactor: Redactor) -> None:
    body = "\n".join(
        base64.b64encode(bytes((at * at * 7 + at) % 251 for at in range(48 * n, 48 * n + 48))).decode()
        for n in range(1, 9)
    )
    pem = f"-----BEGIN RSA PRIVATE KEY-----\n{body}\n-----END RSA PRIVATE KEY-----\n"
    shown = redactor.redact(f'pem = """{pem}"""\n\nder = decode("""\n{body}\n""")\n')
    assert [(found.kind, found.count) for found in shown.found] == [("private-key", 2)]
    assert redactor.redact(shown.text).text == shown.text
