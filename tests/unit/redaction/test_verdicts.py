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
    "The password prompt was changed to readline-8.2 and is now glibc-2.36+dfsg.\n",
)
ACCOUNTS = (
    "USER: bob\nPASS: {}\n",
    "host: db1\nuser: bob\nPASS: {}\n\nhost: db2\nuser: eve\nPASS: {}\n",
    "PASS: {}\n",
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
