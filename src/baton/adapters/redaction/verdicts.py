"""`--- PASS: TestCart/two_items`, `src/passwd.c: Avoid leaks`, `passwd: files`: words of tests, changelogs and systems.

The same words stand before passwords in lists of accounts. What tells a verdict apart are the lines around: other
verdicts, and nobody's name, host or address.
"""

from __future__ import annotations

import re

from baton.adapters.redaction.span import CONTEXT, Span

_AROUND = 600
_OWN = re.compile(rb"(?:^|\n)[ \t#]*(?:-{3}[ \t])?X?(?:PASS|Pass)(?:ED)?[ \t]*:[ \t]*[^\n]{0,120}\Z")
_OTHER = re.compile(
    rb"(?m)^[ \t#]*(?:-{3}[ \t]|={3}[ \t])?(?:X?(?:PASS|FAIL)(?:ED)?|SKIP(?:PED)?|UNRESOLVED|UNTESTED|UNSUPPORTED|ERROR"
    rb"|RUN|Fail|Skip|Pass)(?:[ \t]*:|[ \t]|$)|^ok[ \t]"
)
_ACCOUNT = re.compile(
    rb"(?im)^[ \t]*\W{0,3}(?:user|login|account|e-?mail|host|server|url|port|db|database|name)\w{0,12}[ \t]*[:=]"
)
_FILE = re.compile(
    rb"[\w/-]\.(?:[chly1-8]|cc|cpp|hpp|py|js|ts|go|rs|rb|java|sh|pl|xml|html|md|txt|exp|conf)"
    rb"(?:[ \t]*\([^()\n]{1,60}\))?:[ \t]*\Z"
)
"""A file of a changelog or of a search, and what was done or found there."""
_MAIL = re.compile(rb"\b(?:spf|dkim|dmarc|arc|auth|iprev)=(?:pass|none|fail|neutral|softfail)\s+\Z")
_DATABASE = re.compile(rb"(?:^|\n)[ \t]*(?:passwd|shadow):[ \t]+\Z|\bgetent[ \t]+(?:passwd|shadow)[ \t]+\Z")
_GLOB = re.compile(rb"[:?]?\*[*?:]*+(?:[A-Za-z_.]++[*?:]++)+[A-Za-z_.]++[*?:]*+")
"""What is looked for in a report: `*test_cart.py:*:*two_items*ERROR*`."""
_SERVICE = re.compile(rb"compat|files|systemd|sss|ldap|nis|nisplus|winbind|db|altfiles|extrausers")


def is_of_file(data: bytes, span: Span) -> bool:
    """Whether a file's name stands before a plain word, or it is an entry of a system's table of users."""
    if span.layer != CONTEXT:
        return False
    before, value = data[max(0, span.start - 80) : span.start], data[span.start : span.end]
    if _DATABASE.search(before):
        return b"getent" in before or _SERVICE.fullmatch(value) is not None
    return (value.isalpha() or _GLOB.fullmatch(value) is not None) and _FILE.search(before) is not None


def is_verdict(data: bytes, span: Span) -> bool:
    """Whether the value is the name of a test that passed, or what a mail was checked by."""
    if span.layer != CONTEXT:
        return False
    if _MAIL.search(data, max(0, span.start - 40), span.start):
        return True
    if not _OWN.search(data, max(0, span.start - 160), span.start):
        return False
    line = data.rfind(b"\n", 0, span.start) + 1
    end = data.find(b"\n", span.end, span.end + _AROUND)
    before = data[max(0, line - _AROUND) : line]
    after = data[end + 1 : end + 1 + _AROUND] if end >= 0 else b""
    own = data[line : line + 4] == b"--- "
    return (own or any(map(_OTHER.search, (before, after)))) and not any(map(_ACCOUNT.search, (before, after)))
