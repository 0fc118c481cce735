"""Passwords of several words in files and terminals go whole; notes, commands, accounts and ids beside them stay."""

from __future__ import annotations

import re

import pytest

from baton.ports.redactor import Redactor

MARKED = re.compile(r"«(.*?)»", re.S)
TAKEN = (
    "HOST=mx1\nMAIL_PASSWORD=«brown jug on shelf 4»\nMAIL_PORT=587\n",
    'export VAULT_PASSWORD="«tall grey heron 77»"\n',
    "a.password=«woollen sock»\nb.password = «pearpearpear»\n",
    "New password: «slow train at dawn»\nRetype new password: «slow train at dawn»\n",
    '{"session": {"name": "sid", "secret": "«silver fern under glass»", "ttl": 60}}',
    'Environment="BACKUP_PASSPHRASE=«two otters in a pond»"\n',
    "mail:\n  secret: >-\n    «muddy lane to the farm»\n  port: 25\n",
    "db:\n  password: |\n    «old oak 9 crows»\n  host: x\n",
    'name,login,password,note\nAnn,ann,"«one, two, nine»",x\nBob,bob,"«loose floor board»",y\n',
    "Driver={SQL};UID=ann;PWD={«half;moon 5»};Encrypt=yes",
    "Mot de passe : «lampe bleue sous escalier»\n",
    " id | name |             api_key\n----+------+----------------------------------\n"
    "  1 | ann  | «9b74c9897bac770ffc029102a200c5de»\n",
    "mot_de_passe = «mesange-12»\n",
    "lozinka=«vrabac»\n",
    "aws_secret_access_key = «f3rn-very-long-secret»\n",
    "git+https://deploy:«heron-tok-12»@git.example.com/shop/lib.git@v2.1.0",
    "Set-Cookie: sid=«q8W7e6R5t4Y3u2I1»; Max-Age=3600; Path=/",
    "Login: C5530127\nPassword: «harvest-heron»\n",
    "密码：«heron77fern»；用户：dev01",
    "pw=«heron-fern» for s3 browser",
)
LEFT = (
    "password: ask Ann on Tuesday\n",
    "Passwort: kommt per Brief\n",
    "Mot de passe : à renouveler avant mardi\n",
    "Пароль: уточнить у Веры. Порт: 22\n",
    "Hasło: takie jak zawsze\n",
    "Contraseña: pedir a Lucía\n",
    "密码：问王芳；账号：dev02；版本：1.2.0-beta\n",
    "비밀번호: 관리자에게 문의\n",
    "login.password=Your password\nforgot.password=Forgot it again?\n",
    "password = not set yet\n",
    "secret: >-\n  Signs cookies; see the manual.\n",
    "user.password = await scrypt.hash(body.password);\n",
    ".field--secret:focus { color: red }\n",
    "-    if token == None:\n+    if token is None:\n",
    '$Password = Read-Host -AsSecureString "Password"\n',
    "we crossed the mountain pass: Susten, 2224 m",
    "stash@{2}: WIP on fix/password-page: 8c1d2e3 add tests\n",
    '1) "password_reset:attempts:10.7.8.9"\n',
    "ii  passwd  1:4.8.1-2ubuntu1  amd64  change passwords\n",
    "bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi",
    "[user]\n\tsigningkey = 5BB6D45482678CE3\n",
    "BitLocker recovery key ID: 2B3C4D5E-6F70-4B1C-9D2E-4F5A6B7C8D9E\n",
    "gcloud secrets versions access latest --secret=mail-password",
    "env:\n  - name: TOKEN_AUDIENCE\n    value: billing-api\n",
    "$ wg set wg0 peer xTIBA5rboUvnH4htodjb6e697QjLERt1NAB4mZqp8Dg= allowed-ips 10.0.0.2/32",
    "openvpn --config /etc/openvpn/a.conf --auth-user-pass /etc/openvpn/b.txt",
)


@pytest.mark.parametrize("marked", TAKEN)
def test_the_whole_value_goes_and_nothing_else(redactor: Redactor, marked: str) -> None:
    shown = redactor.redact(MARKED.sub(r"\1", marked)).text
    assert re.fullmatch(re.escape(MARKED.sub("\0", marked)).replace("\0", r"\[redacted: [a-z-]+\]"), shown), shown


@pytest.mark.parametrize("text", LEFT)
def test_notes_commands_accounts_and_ids_stay(redactor: Redactor, text: str) -> None:
    assert redactor.redact(text).text == text


def test_a_user_of_a_cluster_s_secret_is_looked_for_nowhere_else(redactor: Redactor) -> None:
    text = (
        "kind: Secret\ndata:\n  username: YmlsbGluZw==\n  password: aGVyb243MzAy\n---\nhost: billing-db\npw heron7302\n"
    )
    shown = redactor.redact(text).text
    assert "host: billing-db" in shown
    assert "YmlsbGluZw" not in shown
    assert "heron7302" not in shown


def test_a_sentence_below_a_key_that_was_cut_off_stays(redactor: Redactor) -> None:
    key = "MIIEowIBAAKCAQEA3k9Zr0wXyPq8LmN2vT5bU7cJ1dF4gH6sA3eQiOtRpAAAAJgxK2"
    shown = redactor.redact(f"-----BEGIN RSA PRIVATE KEY-----\n{key}\n{key[::-1]}\nwhy does it fail here\n").text
    assert shown == "[redacted: private-key]\nwhy does it fail here\n"
