"""Values beside a telling name: found in every notation, and told from placeholders, code and prose."""

from __future__ import annotations

import random

import pytest

from baton.ports.redactor import Redactor
from tests.support.secrets import CARRIERS, NEEDS_NO_NAME, SHAPES, carried, secret

NAMES = ("acme_token", "acme_api_key", "db_password", "client_secret", "acme_secret_key", "auth_token", "private_key")


@pytest.mark.parametrize("carrier", sorted(set(CARRIERS) - set(NEEDS_NO_NAME)))
@pytest.mark.parametrize("name", NAMES)
def test_a_random_value_beside_a_telling_name_is_taken_out(redactor: Redactor, name: str, carrier: str) -> None:
    dice = random.Random(f"{name} {carrier}")
    for shape in SHAPES:
        held = secret(shape, dice)
        text = carried(carrier, held, name)
        assert held not in redactor.redact(text).text, text


VENDORS = ("datadog", "twilio", "algolia", "cloudflare", "newrelic", "mixpanel", "sendbird", "okta", "plaid", "trello")


@pytest.mark.parametrize("vendor", VENDORS)
def test_a_key_beside_a_vendor_s_name_is_taken_out(redactor: Redactor, vendor: str) -> None:
    dice = random.Random(vendor)
    for name in (f"{vendor}_app", f"{vendor}_access", f"{vendor}_api"):
        for shape in ("<h32>", "<A32>", "<a40>"):
            for carrier in ("env", "yaml", "json", "toml", "xml"):
                held = secret(shape, dice)
                text = carried(carrier, held, name)
                assert held not in redactor.redact(text).text, text


@pytest.mark.parametrize("sign", ["=", ":=", "::=", ":::=", "?=", "+="])
def test_every_way_in_which_make_assigns_is_read(redactor: Redactor, sign: str) -> None:
    held = secret("<A32>", random.Random(sign))
    assert redactor.redact(f'ACME_TOKEN {sign} "{held}"').text == f'ACME_TOKEN {sign} "[redacted: secret]"'


IN_ORDER = "0123456789abcdef" * 2


@pytest.mark.parametrize("text", ["DATADOG_API_KEY={}", "acme_token={}", "api_key: {}\n", "acme SECRET {}"])
def test_a_value_in_order_goes_beside_a_name_for_a_key(redactor: Redactor, text: str) -> None:
    assert IN_ORDER not in redactor.redact(text.format(IN_ORDER)).text


@pytest.mark.parametrize(
    "text",
    [
        f"DATADOG_SITE={IN_ORDER}",
        "DATADOG_API_KEY=xxxxxxxxxxxxxxxx0123",
        f"HEX_DIGITS={IN_ORDER}",
        f'def connect():\n    if not url:\n        return None\n    api_key = "{IN_ORDER}"\n    return open(url)\n',
    ],
)
def test_a_value_in_order_stays_in_a_program_and_beside_other_names(redactor: Redactor, text: str) -> None:
    assert redactor.redact(text).text == text


FOUND = (
    ("the password is hunter2!", "hunter2"),
    ("My password was set to Tr0ub4dor&3 last week", "Tr0ub4dor&3"),
    ("postgres://bob:s3cr3t@db.example.com/app", "s3cr3t"),
    ("https://user:p%40ss@example.com/", "p%40ss"),
    ("mongodb+srv://app:q9-Zx81kk@cluster0.example.net/?retryWrites=true", "q9-Zx81kk"),
    ("curl -u admin:s3cr3tpw https://example.com", "s3cr3tpw"),
    ("mysql -u root -phunter22 shop", "hunter22"),
    ("sshpass -p 'hunter22' ssh me@host", "hunter22"),
    ("machine example.com login me password hunter22", "hunter22"),
    ("db.example.com:5432:shop:bob:s3cr3tpw", "s3cr3tpw"),
    ("Cookie: sessionid=8f3k2j5h9d7s6a4q; theme=dark", "8f3k2j5h9d7s6a4q"),
    ("Authorization: Basic dXNlcjpodW50ZXIy", "dXNlcjpodW50ZXIy"),
    ("X-Auth-Token: 9b1c8f27e4d3", "9b1c8f27e4d3"),
    ("<key>api_token</key>\n<string>k3j4h5g6f7d8</string>", "k3j4h5g6f7d8"),
    ('<Pass encoding="base64">aHVudGVyMg==</Pass>', "aHVudGVyMg=="),
    ('{\\"password\\": \\"hunter22x\\"}', "hunter22x"),
    ("password: 'correct horse'\npassphrase: 'four quite ordinary words'", "four quite ordinary words"),
    ("spring.datasource.password=Adm1n!pw", "Adm1n!pw"),
    ("aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYzzzzzzzKEY", "wJalrXUtnFEMI"),
    ("DefaultEndpointsProtocol=https;AccountName=x;AccountKey=Zm9vYmFyYmF6cXV4cXV1eA12345678==;", "Zm9vYmFyYmF6"),
    ("-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA7bq+xyz\nabcdef==\n-----END RSA PRIVATE KEY-----", "MIIEpAIB"),
    ("-----BEGIN PRIVATE KEY-----\\nMIIEvQIBADANBgkq\\n-----END PRIVATE KEY-----\\n", "MIIEvQIB"),
    ("-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEA\nAAAABG5vbmUAAAAEbm9u", "AAAABG5vbm"),
    (
        "-----BEGIN PGP PRIVATE KEY BLOCK-----\n\nlQPGBF0abcdefg123\n=abcd\n-----END PGP PRIVATE KEY BLOCK-----",
        "lQPGBF0",
    ),
    ("<Pass>QUBIDAMORETI</Pass>", "QUBIDAMORETI"),
    ('asana_token = "1201938475610293"', "1201938475610293"),
    ("conn.login('me@example.com', 'Pa55w0rd1', done)", "Pa55w0rd1"),
    ("process.env.API_TOKEN || 'k12ab34cd56ef78'", "k12ab34cd56ef78"),
    ("Server=tcp:db.example.net;Pwd=Qwerty!23;", "Qwerty!23"),
    ("- name: DB_PASS\n  value: s3cr3tpw", "s3cr3tpw"),
    ("kind: Secret\nmetadata:\n  name: mine\ndata:\n  colour: Ymx1ZS1ncmVlbg==\n", "Ymx1ZS1ncmVlbg"),
    ("ENV SECRET_TOKEN 8f3k2j5h9d7s6a4q", "8f3k2j5h9d7s6a4q"),
    ("apikey: q{{w}r)t${y]uio(pas[dfgh-_$#jkl1}}", "q{{w}r)t"),
    ("https://username:alongpasswordofmanywordsinalink@example.com", "alongpasswordof"),
    ("token aB3dE5fG7hJ9kL2mN4pQ6rS8 stands alone", "aB3dE5fG7hJ9kL2mN4pQ6rS8"),
)


@pytest.mark.parametrize(("text", "held"), FOUND)
def test_secrets_in_notations_people_use(redactor: Redactor, text: str, held: str) -> None:
    assert held in text
    assert held not in redactor.redact(text).text


LEFT = (
    'password = os.environ["DB_PASSWORD"]',
    "password: ${DB_PASSWORD}",
    "password: {{ .Values.password }}",
    "password = getpass.getpass()",
    "self.password = password",
    "token: string",
    "token: Optional[str] = None",
    "api_key = config.api_key",
    "api_key=YOUR_API_KEY",
    "api_key: <your key here>",
    "password=********",
    'password: "changeme"',
    "secret_name: database-credentials",
    "The password is required.",
    "password reset flow for new users",
    "Token expired: please log in again",
    "max_tokens: 4096, used tokens: 812",
    "token_count = 123456",
    "cache_key: 3f2a9c7d3f2a9c7d3f2a9c7d3f2a9c7d3f2a9c7d",
    "primary_key: 123e4567-e89b-42d3-a456-426614174000",
    "key = lambda pair: pair[1]",
    "for key, value in items: print(key)",
    "keyboard: us, monkey: see, author: somebody",
    "auth: httpx.Auth | None = None",
    "https://example.com/reset-password?step=2",
    "git clone https://github.com/acme/thing.git",
    "see https://user@example.com/path",
    "--password options are documented below",
    "SELECT password FROM users WHERE id = 1",
    "if token == other_token: return",
    "password_file: /run/secrets/db_password",
    "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
    "ssh-rsa keys are public; BEGIN PRIVATE KEY is not",
    "kind: ConfigMap\nmetadata:\n  name: mine\ndata:\n  colour: Ymx1ZS1ncmVlbg==\n",
    "kind: Secret\nmetadata:\n  name: a-plain-name-for-it\ntype: Opaque\n",
    'credentials: "AsyncCredentials"',
    '"minipass": "^7.0.3",',
    "import X448PrivateKey as X448PrivateKey2",
    "TOKENS = /^[\\u0009\\u0020-\\u007E]+$/",
    "passed: 12, bypass: none, compass: north",
    "Left out because they are secret: password.",
    "Left out because they are secret: card-code, github-token, password, payment-card, pin, url-password.",
    'OPENAI_MODELS = {"key": "openai-chat:gpt-4o-mini"}',
    "passwords, tokens, keys: what the redactor looks for",
)


@pytest.mark.parametrize("text", LEFT)
def test_what_names_a_secret_without_holding_one_stays(redactor: Redactor, text: str) -> None:
    assert redactor.redact(text).text == text


PERSONAL = (
    ("payment-card", "card 4111 1111 1111 1111 on file"),
    ("payment-card", "5555-5555-5555-4444"),
    ("payment-card", "amex 378282246310005."),
    ("iban", "pay to DE89 3704 0044 0532 0130 00 today"),
    ("iban", "GB29NWBK60161331926819"),
    ("us-ssn", "ssn 536-22-8726"),
    ("nhs-number", "NHS number: 943 476 5919"),
    ("us-npi", "NPI: 1245319599"),
    ("dutch-bsn", "BSN 111222333"),
    ("brazilian-cpf", "CPF: 390.533.447-05"),
    ("medical-record", "MRN: 00482913"),
    ("card-code", "CVV: 123"),
    ("us-ssn", "my SSN is 219-09-9999, thanks"),
    ("us-ssn", "social security number 536228726"),
    ("us-ein", "EIN 48-2913756 of the shop"),
    ("german-tax-number", "Steuernummer 48/291/37560"),
    ("passport-number", "Reisepassnummer C4FGH7K2P"),
    ("driving-licence", "driving licence no: ODEXX710238HA9XY ; class C"),
    ("national-id", "personnummer 811218-9876"),
)


@pytest.mark.parametrize(("kind", "text"), PERSONAL)
def test_numbers_with_a_check_digit_are_taken_out(redactor: Redactor, kind: str, text: str) -> None:
    assert kind in {found.kind for found in redactor.redact(text).found}


@pytest.mark.parametrize(
    "text",
    [
        "card 4111 1111 1111 1112",
        "order 4539578763621485 7",
        "1790000000000000",
        "at 1748349296123456 ns",
        "DE89 3704 0044 0532 0130 01",
        "call 555-22-87265",
        "ssn 000-12-3456",
        "the passport 0.6.0 module",
        "passport number validation takes 12 ms",
        "driver license check 3 of 4",
        "id card layout 2024",
        "NHS number: 943 476 5918",
        "version 20260527_123456_abcdef",
    ],
)
def test_numbers_that_fail_their_check_stay(redactor: Redactor, text: str) -> None:
    assert redactor.redact(text).text == text


PACKED = (
    'e.status=i,i&&(i.op="has",i.key=t,i.cache=this);let n=1',
    "P.Minipass=P.isWritable=P.isReadable=P.isStream=void 0;if(a===b&&c){}",
    "get isStream(){return P.isStream}};P.Minipass=qt});var rt=2",
    "i=tokenStartI=i+1;null!=(_a=value[i+1])",
    "{radio:!0,checkbox:!0,file:!0,password:!0,image:!0})b.pseudos[e]=1",
)


@pytest.mark.parametrize("text", PACKED)
def test_shortened_javascript_stays(redactor: Redactor, text: str) -> None:
    assert redactor.redact(text).text == text


def test_a_token_s_form_within_a_long_run_of_data_is_no_token(redactor: Redactor) -> None:
    dice = random.Random(3)
    data = "".join(dice.choices("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", k=600))
    token = "AKIA" + "".join(dice.choices("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", k=16))
    assert token in redactor.redact(f'module = "{data}/{token}/{data}"').text
    assert token not in redactor.redact(f"keys/{token}/x").text


@pytest.mark.parametrize("form", ["fix/password-{}", "password={}.txt", "backups/secret_{}/notes.txt"])
def test_a_random_password_in_a_name_is_taken_and_the_name_stays(redactor: Redactor, form: str) -> None:
    text = redactor.redact(form.format("jjTbvUWVggB1RR92Rb")).text
    assert "jjTbvUWVggB1RR92Rb" not in text
    assert text.startswith(form.split("{", maxsplit=1)[0])


@pytest.mark.parametrize(
    "text", ["fix/password-reset-V2-handler", "password=settings.local.json", "secret_" + "0a1b2c3d" * 4]
)
def test_words_and_hashes_in_such_a_name_stay(redactor: Redactor, text: str) -> None:
    assert redactor.redact(text).text == text


def test_a_small_word_after_the_noun_ends_the_sentence(redactor: Redactor) -> None:
    assert redactor.redact("walnutPickle82 is my password btw").text == "[redacted: password] is my password btw"
