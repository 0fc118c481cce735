"""Files, commands and sentences made to carry credentials: there a plain word is a password too."""

from __future__ import annotations

import random

import pytest

from baton.ports.redactor import Redactor
from tests.support.secrets import secret

_SYLLABLES = ("ba", "do", "ke", "lu", "mi", "no", "ra", "sto", "tre", "vi", "wen", "zu")


def word(dice: random.Random) -> str:
    """Something a person could say, and take for a password."""
    return "".join(dice.choice(_SYLLABLES) for _ in range(4))


WORDS = {
    "link": "postgres://bob:{0}@db.example.net:5432/shop",
    "second link of a list": "http://es1:9200/,http://elastic:{0}@es2:9200",
    "links of a list": "redis://:{0}@10.0.0.1:6379,redis://:{0}@10.0.0.2:6379",
    "link with a mail address": "https://bob@example.org:{0}@git.example.net",
    "link with an at sign in the password": "amqp://bob:{0}@{0}@queue.example.net/",
    ".pgpass": "db.example.net:5432:shop:bob:{0}",
    ".netrc": "machine example.net\n  login bob\n  password {0}\n",
    "psexec": r"psexec \\10.1.2.3 -u bob -p {0} cmd /c dir",
    "plink": "plink -ssh bob@example.net -pw {0} uptime",
    "ODBC": "Driver=x;Server=db.example.net;Uid=bob;Pwd={0};",
    "ADO": '<add name="shop" value="Data Source=db;User ID=bob;Password={0};Encrypt=true" />',
    "JDBC": "jdbc:sqlserver://db.example.net:1433;databaseName=shop;user=bob;password={0};encrypt=true",
    "libpq query": "postgresql:///shop?host=db&user=bob&password={0}&sslmode=require",
    "login call": 'client.login("bob@example.net", "{0}")',
    "requests": "requests.get(url, auth=('bob', '{0}'))",
    ".NET credential": 'new NetworkCredential("bob", "{0}");',
    "directory entry": 'new DirectoryEntry("LDAP://example.net",\n    "bob@example.net",\n    "{0}")',
    "directive": 'hostname smtp.example.net\npassword "{0}"\n',
    "directive with a semicolon": "    api_key '{0}7x';",
    "attribute beside a server": '<connection host="db.example.net" user="bob" password="{0}"/>',
    "object beside a user": '{{"username": "bob", "password": "{0}"}}',
    "lines beside a user": "user = bob\n# a remark\npassword = {0}\n",
    "quoted phrase beside a user": "user = 'bob'\npassword = '{0} {0}'\n",
    "define beside a user": "define( 'DB_USER', 'bob' );\ndefine( 'DB_PASSWORD',   '{0}' );",
    "user after": '<ftp password="{0}" username="bob"/>',
    "shell": "export SHOP_PASSWORD={0}\n",
    ".env, commented out": "# SHOP_PASS={0}\n",
    ".ini": "[Server]\nAdminPassword={0}\nPort=1\n",
    "named after itself": "SMTP_PASSWORD={0}_password\n",
    "sentence": "Log in: the default password is '{0}'.",
    "sentence about a user": 'The password for the user "bob" is "{0}".',
    "compound": '"shopPassword": "{0}password"',
}
RANDOM = {
    "Jenkins": "<id>shop</id>\n<secret>{{AQAAABAAAA{0}}}</secret>",
    "both at once": "ID/PW: bob/{0}",
    "both at once, in words": "username/password: bob/{0}",
    "host and both": "10.20.30.40 (bob/{0})",
    "flag": "vault unlock --passphrase {0} --now",
    "PowerShell": "Connect-Shop -Server 10.1.2.3 -User bob@example.net -Password {0}",
    "said": "log in with password {0} then",
    "said of a place": "the password for bob is {0}",
    "query after another": "https://example.net/access_tokens/now?access_token={0}",
    "short name": "shop_pw = '{0}'",
    "Korean": "비밀번호: {0}",
    "Chinese": "密码: {0}",
    "build file": "buildConfigField 'String', 'API_KEY', '\"{0}\"'",
    "npm": "//npm.example.net/:_authToken={0}",
    "npm, old": "_auth = {0}=",
    "array": 'apikey[] = "{0}"',
    "scheme after a vendor": "statuspage_api: OAuth {0}a1b2c3d4e5f6a7b8c9",
}


@pytest.mark.parametrize("carrier", WORDS)
def test_a_word_is_taken_where_only_a_password_can_stand(redactor: Redactor, carrier: str) -> None:
    dice = random.Random(carrier)
    for _ in range(4):
        held = word(dice)
        text = WORDS[carrier].format(held)
        assert held not in redactor.redact(text).text, text


@pytest.mark.parametrize("carrier", [*WORDS, *RANDOM])
def test_a_random_value_is_taken_there_too(redactor: Redactor, carrier: str) -> None:
    dice = random.Random(f"random {carrier}")
    for _ in range(4):
        held = secret("<A11>", dice) + "3xQ"
        text = {**WORDS, **RANDOM}[carrier].format(held)
        assert held not in redactor.redact(text).text, text


def test_keys_of_every_sign_on_the_keyboard_are_taken_blanks_and_all(redactor: Redactor) -> None:
    signs = "abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789!#%^*()-_ []{}<>~`+=,.;:/?|&"
    for seed in range(12):
        dice = random.Random(seed)
        held = "".join(dice.choice(signs) for _ in range(64))
        for name in ("AUTH_KEY", "SECURE_AUTH_SALT", "NONCE_KEY"):
            text = f"define('{name}',         '{held}');"
            assert held not in redactor.redact(text).text, text


@pytest.mark.parametrize("form", ['apikey := "{0}"', "password: '{0}'", "my_password = {0}", "secret={0}"])
def test_brackets_that_do_not_match_are_no_template(redactor: Redactor, form: str) -> None:
    for seed in range(6):
        dice = random.Random(seed)
        held = f"{{{{{word(dice)}}}{dice.choice(')]')}{word(dice)}${{x]{word(dice)}#1}}}}"
        text = form.format(held)
        assert held not in redactor.redact(text).text, text


@pytest.mark.parametrize(
    ("vendor", "shape"), [("pipedrive", "<h40>"), ("packagecloud", "<h48>"), ("eventbrite", "<A20>")]
)
@pytest.mark.parametrize("form", ["a {0} secret {1} within", "{0} token {1}", "{0}_key {1}"])
def test_a_vendor_s_key_needs_no_operator(redactor: Redactor, vendor: str, shape: str, form: str) -> None:
    held = secret(shape, random.Random(f"{vendor} {form}"))
    text = form.format(vendor, held)
    assert held not in redactor.redact(text).text, text


LEFT = (
    "postgres://bob:${DB_PASSWORD}@db.example.net/shop",
    "mongodb+srv://<user>:<password>@cluster.example.net",
    "http://localhost:8080/users/me@example.net",
    "Allowed: postgresql://user:password@host:port/database",
    "jdbc:postgresql://localhost:5432/shop",
    "Server=db;Uid=bob;Pwd={1};",
    'connect(user="$user", password="$password")',
    "login(username=username, password=password)",
    "client.login(name, password)",
    'form.login("Enter a name", "Enter a password")',
    'def login(self, user="", password=""):',
    '{"username": "Username", "password": "Password"}',
    '{"username": "string", "password": "string"}',
    "username = request_user\npassword = request_password\n",
    "username = found\npassword = wanted\ncheck(found, wanted)\n",
    "    password=password,\n    user=user,\n",
    "PASSWORD=$(pass show shop)\n",
    "PASSWORD=getpass.getpass()\n",
    "SHOP_PASSWORD=changeme\n",
    'this.addPassword = "#add-password";',
    "get '/forgot-password' => \"shop/passwords#update\"",
    'passwordLabel:"Password:",rememberMeLabel:"Remember me:"',
    'docker run --volume "$PWD:/work" shop',
    "if len(secret) >= SHORTEST_UPPER:",
    "RegOpenKeyEx = win32api.RegOpenKeyEx",
    "self._auth = ShopAuth(self._config)",
    "echo 'password = '.$p['config']['daemon_password'].\"\\n\";",
    "The password is 'required' and the token is 'expired'.",
    "ssh -p 2222 example.net",
    "report = colour('PASS', 'green')",
    "gitlab token rotation and the pipedrive secret store",
    "user/password authentication is not supported",
    "<secret>{{ shop.secret }}</secret>",
)


@pytest.mark.parametrize("text", LEFT)
def test_variables_labels_and_code_stay_in_the_same_places(redactor: Redactor, text: str) -> None:
    assert redactor.redact(text).text == text


@pytest.mark.parametrize("text", [*WORDS.values(), *RANDOM.values(), *LEFT])
def test_carriers_are_found_without_hyperscan(redactor: Redactor, without_hyperscan: Redactor, text: str) -> None:
    made = text.format("stobakelu7Xq") if text not in LEFT else text
    assert without_hyperscan.redact(made) == redactor.redact(made), made
