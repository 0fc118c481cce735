# ruff: noqa: E501 (an example is easier to read in one line)
"""Data that programs carry stays: public structures, tables, templates, links, series, published values."""

from __future__ import annotations

import base64
import random
import string

import pytest

from baton.ports.redactor import Redactor

DICE = random.Random(23)
LETTERS = string.ascii_letters + string.digits
TOKEN = "kP3x9QzT1mV8b2Nc5Jd7Lf4H"
PYTHON = "def connect(host):\n    if not host:\n        return None\n    {}\n"
JS = "const a = require('a');\nfunction open(host) {{\n  if (!host) {{\n    return null;\n  }}\n  {}\n}}\n"


def drawn(size: int) -> str:
    return "".join(DICE.choices(LETTERS, k=size))


def der(*parts: bytes) -> bytes:
    body = b"".join(parts)
    return bytes((0x30, len(body))) + body


OID = bytes.fromhex("06072a8648ce3d0201")
PUBLIC = base64.b64encode(der(der(OID), b"\x03\x22\x00\x04" + DICE.randbytes(32))).decode()
PRIVATE = base64.b64encode(der(b"\x02\x01\x00", der(OID), b"\x04\x20" + DICE.randbytes(32))).decode()
TABLE = "".join(DICE.choices("~^}{|!#$@*;<>?" + LETTERS, k=400)).replace("--", "ab")
LINES = [drawn(80) for _ in range(5)]
QUOTED_LINES = "".join(f'        "{drawn(64)}\\n"\n' for _ in range(4))
SERIES = "".join(f'const KIND_{name}_TOKEN = "cl_B7d4PD{name * 3}AAA";\n' for name in "123")
IDS = "".join(f" *     '{drawn(27)}',\n" for _ in range(3))
BYTES = "".join(f"\\x{byte:02x}" for byte in DICE.randbytes(300))

STAYS = (
    PYTHON.format(f'spki = "{PUBLIC}"'),
    JS.format(f'parser.deserialize({{ tokenData: "{TABLE}" }});'),
    JS.format(f'xlinkHref: "data:image/png;base64,{" ".join(LINES)}",'),
    PYTHON.format(f"params = (\n{QUOTED_LINES}    )"),
    JS.format(SERIES),
    f"/**\n * const list = await client.messages.batch.archive({{\n *   message_ids: [\n{IDS} *   ],\n * }});\n */\nfunction f() {{}}\n",
    f"/**\n * const one = await client.messages.archive(\n *   '{drawn(27)}',\n * );\n */\nfunction f() {{}}\n",
    PYTHON.format(f'box = b"{BYTES}"'),
    PYTHON.format("key = f'jinja2_{str(bucket.key)}'"),
    JS.format("const css = 'button:focus, input[type=\"password\"]:focus,\\n textarea:focus';"),
    JS.format("s.replace(/(a)(b)/g, '$1$2target_name$2: $4');"),
    JS.format('url: "https://fonts.googleapis.com/css?family=Montserrat:300,400,700|Roboto:300,400",'),
    JS.format(
        'want: "https://github.com/authorize?client_id=CLIENT&redirect_uri=http%3A%2F%2F127.0.0.1%3A12345%2Fcb",'
    ),
    JS.format('hdrUserAgentKey: "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_10_5) go v0.1",'),
    JS.format("var pw = 'rrweb/console@1';"),
    JS.format(
        'var key = "-----BEGIN RSA PRIVATE KEY-----\\n";\n  key += wordwrap(this.getPrivateBaseKeyB64()) + "\\n";'
    ),
    PYTHON.format('WS_KEY = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"'),
    PYTHON.format("parser.add(help='Authentication region name (Env: OS_REGION_NAME)')"),
    '\tBasicAuth *BasicAuth `protobuf:"bytes,7,opt,name=basic_auth,json=basicAuth,proto3,oneof"`\nfunc (x *A) B() {}\n',
    'xmlns:saml="x" Name="Login" NameFormat="urn:oasis:names:tc:SAML:2.0:attrname-format:basic">\n',
    JS.format(f"hashMap.set('darwin_arm64', '{base64.b64encode(DICE.randbytes(32)).decode()}');"),
    JS.format(f'["{drawn(30)}", "{DICE.randbytes(20).hex()}"],'),
    JS.format(f'"{DICE.randbytes(16).hex()}",\n  "{base64.b64encode(DICE.randbytes(16)).decode()}",'),
    JS.format("export { mw as Ticket, Ew as ToiletPaper, Hw as Tools };"),
    PYTHON.format("password_regex=r'(?i)(?:password:)|(?:passphrase for key)',"),
    PYTHON.format("passwordSymbols = 'qwerty!@#$%^123456'"),
    PYTHON.format('"""connection string: \'TCPIP::xxx.xxx.xxx.xxx::2268::SOCKET\'"""'),
    "Authentication-Results: lists.example.org;\n    spf=pass smtp.mfrom=jqd@d1.example; dkim=pass header.i=@d1.example\n",
    'func TestKey(t *testing.T) {\n\tif k != x {\n\t\tt.Fatalf("Expected Partition Key to be `partition1` but got %q", k)\n\t}\n}\n',
    "retry:{[o.LICENSE_CERTIFICATE]:1e3,[o.OTHER_TYPE]:1e3,[o.AUTH_KEY]:1e3,[o.X.Y]:5},x=function(){return a&&b};var c=1;\n",
    PYTHON.format('"""uri of the form ``redis://[:password]@host:port/db``"""'),
    JS.format('Key: "key-vim.host.ScsiLun-0005000000766d686261313a303a30",'),
    'match self {\n    en_PR => "\\u{221e}",\n    en_PW => "\\u{221e}",\n}\nfn f() {}\nfn g() {}\n',
)
GOES = (
    (PYTHON.format(f'api_key = "{PRIVATE}"'), PRIVATE[20:]),
    (JS.format(f'parser.open({{ token: "{TOKEN}" }});'), TOKEN),
    (JS.format(f'headers: "{TOKEN} {drawn(22)}",'), TOKEN),
    (JS.format(f'const A_TOKEN = "cl_{drawn(20)}";\nconst B_TOKEN = "cl_{TOKEN[:20]}";'), TOKEN[:20]),
    (f"await client.auth.login(\n  '{TOKEN}',\n);\nfunction f() {{}}\n", TOKEN),
    (PYTHON.format(f"key = f'jinja2_{{x}}' + 'secret={TOKEN}'"), TOKEN),
    (JS.format(f'url: "https://maps.googleapis.com/js?family=Roboto&key={TOKEN}",'), TOKEN),
    (JS.format(f'url: "https://api.acme.dev/v1?session_token={TOKEN}",'), TOKEN),
    (
        'var key = "-----BEGIN RSA PRIVATE KEY-----\\n" +\n  "' + drawn(64) + '\\n" +\n  "' + LINES[0][:64] + '\\n";\n',
        LINES[0][:64],
    ),
    (JS.format(f"hashMap.set('token', '{TOKEN}');"), TOKEN),
    (JS.format("var pw = 'rrwebconsole1';"), "rrwebconsole1"),
    (JS.format(f'["{TOKEN}", "{drawn(40)}"],'), TOKEN),
    ("redis://:mossfern82@cache.internal:6379/0\n", "mossfern82"),
    (JS.format('apiKey: "key-3ax6xnjp29jd6fds4gc373sgvjxteol0",'), "3ax6xnjp29jd6fds4gc373sgvjxteol0"),
    ("login pass: smtp.mossfern82\n", "smtp.mossfern82"),
    (PYTHON.format("password = 'moss(?fern82'"), "moss(?fern82"),
)


@pytest.mark.parametrize("text", STAYS)
def test_data_that_a_program_carries_stays(redactor: Redactor, text: str) -> None:
    assert redactor.redact(text).text == text


@pytest.mark.parametrize(("text", "secret"), GOES)
def test_a_secret_in_the_same_place_goes(redactor: Redactor, text: str, secret: str) -> None:
    assert secret not in redactor.redact(text).text
