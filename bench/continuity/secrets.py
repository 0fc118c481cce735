"""Secrets a transcript holds, by a few well-known forms. Independent of the product's redactor, which it judges."""

from __future__ import annotations

import re
from collections.abc import Iterable

_FORMS = re.compile(
    r"gh[pousr]_[A-Za-z0-9]{36}"
    r"|github_pat_[A-Za-z0-9_]{60,90}"
    r"|\b(?:AKIA|ASIA)[A-Z0-9]{16}\b"
    r"|\b[sr]k_(?:live|test)_[A-Za-z0-9]{20,60}"
    r"|\bsk-(?:ant-|proj-)?[A-Za-z0-9_-]{32,120}"
    r"|\bxox[abprs]-[A-Za-z0-9-]{20,80}"
    r"|\bglpat-[A-Za-z0-9_-]{20,40}"
    r"|\bnpm_[A-Za-z0-9]{36}\b"
    r"|\bAIza[A-Za-z0-9_-]{35}\b"
    r"|\beyJ[A-Za-z0-9_-]{15,400}\.[A-Za-z0-9_-]{15,400}\.[A-Za-z0-9_-]{15,400}"
    r"|-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----[A-Za-z0-9+/=\s\\n]{40,4000}"
)
_IN_URL = re.compile(r"\b[a-z][a-z0-9+]{2,12}://[^\s:/@]{1,64}:([^\s:/@]{6,100})@")


def secrets(texts: Iterable[str]) -> tuple[str, ...]:
    """The values, in order, each once; the longest first where one holds another."""
    found: dict[str, None] = {}
    for text in texts:
        found.update(dict.fromkeys(_FORMS.findall(text)))
        found.update(dict.fromkeys(_IN_URL.findall(text)))
    return tuple(sorted(found, key=len, reverse=True))
