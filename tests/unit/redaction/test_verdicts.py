"""What tests and changelogs say beside `PASS`, `/etc/passwd` and versions stays; passwords in the same places go."""

from __future__ import annotations

import pytest

from baton.ports.redactor import Redactor

REPORTS = (
    "--- PASS: TestCart/two_items-3 (0.00s)\n",
    "=== RUN   TestPay\n--- PASS: TestPay/eur-2 (0.00s)\n--- FAIL: TestPay/usd-4 (0.01s)\nFAIL\n",
    "PASS: tests/run-1\nFAIL: tests/run-2\nPASS: ld-elf/eh-frame4\n# PASS:  2\n",
    "XPASS: weird2\nPASS: gdb.base/break.exp: continue to marker4\n",
    "PASS: cart-2x\nPASS: pay-3y\nPASS: ship-4z\n",
    "* It prints nothing for tail -f /etc/passwd. [bug introduced in coreutils-7.5]\n",
    "* src/passwd.c: Avoid a leak.\n* man/chpasswd.8.xml (login): Improve wording.\n",
    "lib/passwd.py: Handle the empty case\n",
    "passwd:         compat systemd\nshadow: files\n",
    "$ getent passwd web-runner-03\n",
    "Fixed a read past the end of a token (CVE-2031-40117, GHSA-x3f7-9qwm-4h2c).\n",
    '    "*test_error_in_setup_then_pass.py:*:*test_moss*ERROR*",\n',
    "build: pass --debug-http2 to configure; the compose key for de_AT.UTF-8 works.\n",
    "X509v3 Subject Key Identifier:\n    5B:0E:9D:C1:22:F8:41:7A:90:DE:36:4C:BB:07:E5:18:63:AF:29:D4\n",
    "Add a signing key 52B1C09DE44F7A1180C3D95BE77A20F4419D6E0C; gpg> key 9E10DD42B7C8A35F\n",
    "The password prompt was changed to readline-8.2 and is now glibc-2.36+dfsg.\n",
)
ACCOUNTS = (
    "USER: bob\nPASS: {}\n",
    "host: db1\nuser: bob\nPASS: {}\n\nhost: db2\nuser: eve\nPASS: {}\n",
    "PASS: {}\n",
    "passwd: {}\n",
    "see notes.txt: the password is {}\n",
    "pass.txt:*{}*\n",
    "config.py: password = '{}'\n",
    "Pass: {}\nsee you",
    "the password in /etc/app.conf changed, its now {}\n",
)


@pytest.mark.parametrize("text", REPORTS)
def test_reports_stay(redactor: Redactor, text: str) -> None:
    assert redactor.redact(text).text == text


@pytest.mark.parametrize("held", ["Walnut4471!", "moss-fern8812", "kV9x#pq27"])
@pytest.mark.parametrize("text", ACCOUNTS)
def test_accounts_lose_their_passwords(redactor: Redactor, text: str, held: str) -> None:
    assert held not in redactor.redact(text.format(held, held)).text
