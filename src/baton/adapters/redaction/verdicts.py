"""`PASS: ld-elf/eh-frame4`, `--- PASS: TestCart/two_items`: what tests say of themselves is no password.

The same word stands before passwords in lists of accounts. What tells them apart are the lines around: other verdicts,
and nobody's name, host or address.
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


def is_verdict(data: bytes, span: Span) -> bool:
    """Whether the value is the name of a test that passed."""
    if span.layer != CONTEXT or not _OWN.search(data, max(0, span.start - 160), span.start):
        return False
    line = data.rfind(b"\n", 0, span.start) + 1
    end = data.find(b"\n", span.end, span.end + _AROUND)
    before = data[max(0, line - _AROUND) : line]
    after = data[end + 1 : end + 1 + _AROUND] if end >= 0 else b""
    own = data[line : line + 4] == b"--- "
    return (own or any(map(_OTHER.search, (before, after)))) and not any(map(_ACCOUNT.search, (before, after)))
