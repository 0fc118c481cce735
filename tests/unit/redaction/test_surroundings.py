# ruff: noqa: E501 (an example is easier to read in one line)
"""Headers, packages, ports, folders, addresses and labels stay whole; a secret in the same shape goes."""

from __future__ import annotations

import pytest

from baton.ports.redactor import Redactor

PAIRS = (
    ("[user]\n\tsigningkey = 4AEE18F83AFDEB23\n", "SIGNING_KEY=3f2a9c7d8e1b4a60\n", "3f2a9c7d8e1b4a60"),
    ("* fix/login/retry: 3f2a9c7 mend it\n", "kv/prod/db-password: deadbe3f\n", "deadbe3f"),
    ("docker build --secret id-of-npm .\n", "webhook listen --secret=blue-harbor-77 --port 80\n", "blue-harbor-77"),
    ('"nextPageToken": "CAUQAA3f2a9c7d8e1b"', "SHOP_SYNC_TOKEN=Xk39sLw0Qm27Zpa8d9Xk39", "Xk39sLw0Qm27Zpa8d9Xk39"),
    ("password: 2:1.4.9-3build1\n", "API_TOKEN=4821:9f8K2mQ7xT4vB1nL6wR3\n", "9f8K2mQ7xT4vB1nL6wR3"),
    ("$password = Read-Host -Prompt x\n", "DB_PASSWORD=New-Orleans\n", "New-Orleans"),
    ("yarn add left-pad right-pad2\n", "choco install shop --apikey Xk39sLw0Qm27Zpa8d9\n", "Xk39sLw0Qm27Zpa8d9"),
    ("PASSWORD_STORE=shop.stores.Redis2\n", "DB_PASSWORD_STORE=Sunny82!xq\n", "Sunny82!xq"),
    ("login: joe.miller2\n", "login=joe:heron2002\n", "heron2002"),
    ("change_password: Verander het nu\n", "export DB_PASSWORD=Kroko\\&Dil99\n", "Dil99"),
    (
        "      - ETag, Link, X-GitHub-OTP, X-RateLimit-Limit, X-RateLimit-Remaining,\n        X-RateLimit-Used, X-RateLimit-Reset, X-OAuth-Scopes,\n",
        "passwords: X-Wing-Red5, Tie-Fighter-7\n",
        "X-Wing-Red5",
    ),
    (
        "Access-Control-Expose-Headers: ETag, Link, X-GitHub-OTP, X-RateLimit-Limit\n",
        "X-GitHub-OTP: 482913\n",
        "482913",
    ),
    (
        "POST /oauth/token?grant_type=password HTTP/1.1\nHost: localhost:8000\nAccept: */*\n",
        "the box is localhost:8443, pin 8000\n",
        "8000",
    ),
    (
        "sudo DEBIAN_FRONTEND=noninteractive apt-get install -y uidmap libfuse2 fuse2fs\n",
        "sudo apt-get install -y fuse2fs, password fuse2fs82\n",
        "fuse2fs82",
    ),
    (
        "the passphrase for the restic repository is missing\nuser: repo is sftp:u30211@box.example:/restic\n",
        "the passphrase for the restic repository is u30211@box\n",
        "u30211@box",
    ),
    (
        "the password for joe@box.example:/srv/mail is unknown",
        "the password is joe@box.4417:/srv",
        "joe@box.4417",
    ),
    ("pwd: relative path of the working directory\n", "my pwd: hunter22x, path: /srv/x\n", "hunter22x"),
    ("- ``pwd``: relative path of the working directory\n", "pwd: the9working8directory\n", "the9working8directory"),
    ("PWD is used/set only by the shell\n", "PWD is used/set82 only by Tom\n", "used/set82"),
    (
        "# Pass pwd to get_otter_root instead of os.path.curdir\n",
        "changed the pwd to get_otter_root\n",
        "get_otter_root",
    ),
    ("  change_password: Verander mijn wachtwoord\n", "  change_password: Verander82\n", "Verander82"),
    ("  confirm_password: Bevestig mijn account\n", "  confirm_password: bevestig\n", "bevestig"),
    ("  new_password: Neues Passwort\n", "  new_password: Neues82Passw0rt\n", "Neues82Passw0rt"),
    ("  reset_password: Réinitialiser le mot de passe\n", "  reset_password: Réinit7aliser\n", "Réinit7aliser"),
    (
        "  change_password: Cambiar mi contraseña\n  new_password: nueva contraseña\n",
        "  new_password: Nueva44ontraseña\n",
        "Nueva44ontraseña",
    ),
    ("Confirm password: Bevestig wachtwoord\n", "Confirm password: Purple monkey dishwasher9\n", "monkey"),
    (
        "# token 续期检查时间范围（默认30分钟，单位毫秒），在token即将过期的一段时间内用户操作了，则给用户的token续期\n",
        "# token: kP3x9QzT1mV8b2Nc（默认30分钟，单位毫秒）\n",
        "kP3x9QzT1mV8b2Nc",
    ),
    (
        '        #org.freedesktop.ModemManager1.Bearer:Ip4Config\n    <property name="Ip4Config" type="a{sv}" />\n',
        "Bearer: kP3x9QzT1mV8b2Nc5Jd7\n",
        "kP3x9QzT1mV8b2Nc5Jd7",
    ),
    (
        '    "identity:change_password": "rule:admin_or_owner"\n',
        '    "smtp_password": "rule82admin_or"\n',
        "rule82admin_or",
    ),
    ('"reset_password": "role:admin"\n', '"password": "role82admin"\n', "role82admin"),
    ('  "defaultTLSCertDuration": "2160h0m0s"\n', '  "defaultTLSCertKey": "2160h0m0sQx7kP3"\n', "2160h0m0sQx7kP3"),
    (
        '"yubikey:slot-id=9c"; mustParse("yubikey:slot-id=9a;slot-id=9b")\n',
        '"yubikey": "kP3x9QzT1mV8b2Nc5Jd7Lf4H"\n',
        "kP3x9QzT1mV8b2Nc5Jd7Lf4H",
    ),
    (
        'URI: "pkcs11:module-path=/usr/lib/softhsm2.so;token=pkcs11-test;serial=0123456789;slot-id=0",\n',
        '"token=kP3x9QzT1mV8b2Nc5Jd7;serial=0123456789"\n',
        "kP3x9QzT1mV8b2Nc5Jd7",
    ),
    (
        "    hive.py --sameuser --samepass host1 host2 host3 ... hostN\n",
        "    hive.py --userpass host1x host2\n",
        "host1x",
    ),
    ("passwd:\nredhat-rpm-config:\ngrub2:\n", "passwd:\nredhat-rpm-config82\n", "redhat-rpm-config82"),
    (
        "\tWchan        uint64\n\tLogin        [32]int8\n\tVm_rssize    int32\n\tVm_tsize     int32\n",
        "Login: joe / Vm_rs82size\n",
        "Vm_rs82size",
    ),
    (
        "the access code story is user story 3102 in sprint 18",
        "the access code for the two story house is 3102",
        "3102",
    ),
    (
        "My password?\ndont save it. username ann. ticket is INC0048213",
        "I changed the password, its now INC00pooh",
        "INC00pooh",
    ),
)


@pytest.mark.parametrize("text", [stays for stays, _, _ in PAIRS])
def test_what_its_surroundings_explain_stays(redactor: Redactor, text: str) -> None:
    assert redactor.redact(text).text == text


@pytest.mark.parametrize(("text", "secret"), [(goes, secret) for _, goes, secret in PAIRS])
def test_a_secret_in_the_same_shape_goes(redactor: Redactor, text: str, secret: str) -> None:
    assert secret not in redactor.redact(text).text
