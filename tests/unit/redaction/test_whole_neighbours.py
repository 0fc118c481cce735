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
)
LEFT = (
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
