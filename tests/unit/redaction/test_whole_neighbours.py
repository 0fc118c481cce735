"""A cut takes the password and leaves what stands beside it: options, hosts, accounts, labels, public ids."""

from __future__ import annotations

import pytest

from baton.ports.redactor import Redactor

HELD = ("heron7302", "Heron!7302", "q7Lp2xT9wZkB")
FORMS = (
    "mount -t cifs //nas/x /mnt -o user=ann,password={0},vers=2.1,gid=100",
    "options: password={0},timeout=30,tls=on",
    "password:{0},login:ann",
    "mongodb+srv://shop:{0}@cluster1.k3j4.mongodb.net/orders?w=majority",
    "Password | {0}\nServer | web2\n",
    "Changing password for ann.\nNew password: {0}\npasswd: password changed.\n",
    '{{"log": "password={0}\\nnext line\\n", "n": 3}}',
    '{{"msg": "login failed, password: {0}\\nretrying in 5 s\\n", "level": 3}}',
    "PW={0} ./run.sh --all\n",
    "DB_PASS={0} bin/rails db:migrate\n",
    "APP_SECRET={0} python3 manage.py runserver\n",
)
LEFT = (
    "serializing the key: PKCS#1 or PKCS#8.\n",
    '"""Encode username and password to base64."""\n',
    "the username and password in base64 format, as the header has them\n",
    "rows = [\n    {'price_key': 'cache_write_1h_mtok', 'x': 1},\n]\n",
    "platform: 'Linux-5.10.81-droid12-9-00001-gfba40aecb3b8-ab8534903-arm64-with-libc'\n",
    '{\n  "AWS::Gateway::ApiKey": "48205d4ffd7feba4",\n}\n',
    "a URL in the form (http|https)://[user[:pass]]@host.domain[:port]/path\n",
    "- ssh-dss AAAAB3NzaCL0sQ9fJ5bYTEyY== user@domain\n",
    "config: {'page_size': 5, 'page_token': 'AMEw9yO5jnsGnZJLHSKDFHJKu'}\n",
    'url + "?password__startswith=sha1$"\n',
    'delete_key(hive="HKLM", key="SOFTWARE\\\\MyKey1")\n',
    "passwd: password updated successfully\n",
    "passwd: password unchanged\n",
    "password=Kennwort\nsecret=Geheimnis\n",
    "fr:\n  password: Wachtwoord\n  secret: Segreto\n",
    '<input v-model="password" :type="visible ? \'text\' : \'password\'" label="x">',
    "mscorlib, Version=2.0.0.0, Culture=neutral, PublicKeyToken=b77a5c561934e089",
    '{"kty":"OKP","crv":"Ed25519","x":"HwNNx75F70zsQ4DQpRSjMWk2koYoz3pc1eH2WLgTXmo"}',
    "DKIM-Signature: v=1; a=rsa-sha256; d=x.example; s=a; bh=idlf4ywKJ1UbjMHzXxuluWQ/5d0BUpmzSSnjiVnq204=; b=1CxDLhy1",
    'appId: "1:210987654321:android:a1b2c3d4e5f6a7b8c9d0e1"',
)


@pytest.mark.parametrize("held", HELD)
@pytest.mark.parametrize("form", FORMS)
def test_only_the_password_goes(redactor: Redactor, form: str, held: str) -> None:
    shown = redactor.redact(form.format(held)).text
    assert shown in {form.format("[redacted: password]"), form.format("[redacted: url-password]")}


def test_the_account_of_a_one_time_code_stays(redactor: Redactor) -> None:
    shown = redactor.redact("otpauth://totp/Shop:ann@example.net?secret=KRSXG5CTMVRXEZLUJBSWY3DP&issuer=Shop").text
    assert "Shop:ann@example.net?secret=[redacted: " in shown
    assert "KRSXG5CT" not in shown


@pytest.mark.parametrize("text", LEFT)
def test_labels_and_public_ids_stay(redactor: Redactor, text: str) -> None:
    assert redactor.redact(text).text == text


def test_a_link_beside_a_telling_name_loses_its_password_only(redactor: Redactor) -> None:
    text = 'level=info dsn="postgres://metrics:{}@tsdb-0.tsdb:5432/metrics?sslmode=disable" attempt=3\n'
    assert redactor.redact(text.format("q7Lp2xT9wZkB")).text == text.format("[redacted: url-password]")


def test_a_public_key_that_a_command_made_stays(redactor: Redactor) -> None:
    text = "$ wg genkey | tee a.txt | wg pubkey\nYw+jVOKQfanSVz9/qIYfRaZuK8ANTpeuKzB7cFDf3k+=\n"
    assert redactor.redact(text).text == text


def test_a_call_that_goes_on_behind_its_argument_is_no_password(redactor: Redactor) -> None:
    text = "Account.where(reset_password_token: digest).find_each { |a| a.touch }\n"
    assert redactor.redact(text).text == text
    assert "hunter2x" not in redactor.redact("account.update(password: hunter2x).save\n").text


MORE_LEFT = (
    "password requisite  pam_pwquality.so retry=4 minlen=10 difok=3\npassword required pam_unix.so use_authtok\n",
    "passwordLabel: 'パスワード',\npasswordAgain: 'パスワード(再入力)',\n",
    "untrusted comment: minisign public key B4754087400449C1\n"
    "RWQ6vSPtfl6hlMEXkuNR+iZN91XDpbk6OzKIMVNM9bOuCz8hGD/zYGnd\n",
)


@pytest.mark.parametrize("text", MORE_LEFT)
def test_modules_labels_and_public_keys_stay(redactor: Redactor, text: str) -> None:
    assert redactor.redact(text).text == text


MORE_GONE = (
    ("I wrote it down: {} (laptop LT-0917)", "357485-804697-663859-487710-344330-514221-124149-558051"),
    ('{{"patient": {{"id": "p-3", "nhs_number": "{}"}}}}', "943 476 5919"),
    ("карта {} банк", "2200 1523 4567 8901"),
    ("ciao, ho resettato la pwd di l.bianchi a {}, diglielo", "Etna91kd"),
    ("hasełko: {}, strona dziennik.example.pl", "kotekplotek"),
)


@pytest.mark.parametrize(("form", "held"), MORE_GONE, ids=[held for _, held in MORE_GONE])
def test_numbers_and_passwords_in_more_words_go(redactor: Redactor, form: str, held: str) -> None:
    assert held not in redactor.redact(form.format(held)).text
