"""Context in files and commands made to carry credentials: `.pgpass`, `.netrc`, a login call, a flag of a client."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from baton.adapters.redaction.anchor import Anchor, Hit
from baton.adapters.redaction.claim import Claim
from baton.adapters.redaction.expression import Expression, Match, finder
from baton.adapters.redaction.judge import is_secret
from baton.adapters.redaction.names import PASSWORD
from baton.adapters.redaction.span import CONTEXT, Span

KIND = "password"
_BEHIND = 420
_CLIENT = r"(?:mysql\w{0,10}|mongo\w{0,10}|sshpass|psql|redis-cli|docker login|ldap\w{1,10}|mariadb)"
_REMOTE = r"(?:psexec|paexec|winexe|plink|pscp|psftp|sqlcmd|osql|xfreerdp|rdesktop|wmic|evil-winrm)"
_CALL = (
    r"(?:login|log_in|authenticate|sign_?in|basic_?auth|http(?:basic|digest)auth|auth[ \t]{0,2}=[ \t]{0,2}"
    r"|(?:network|password|basic|plain|static)?credentials?|passwordauthentication|usernamepasswordtoken)"
)
_QUOTED = r"""["'][^"'\n]{1,64}["']"""
_NAME = (
    r"[\w.-]{0,40}(?:passw(?:or)?d|passwd|passphrase|passcode|pass|secret|private_?key|api_?key|auth_?token)\w{0,20}"
)
_BOTH = (
    r"\b(?:user(?:name)?|id|login|account)[ ]?[/:&][ ]?(?:passw(?:or)?d|passwd|pass|pwd?)[)]?[ ]{0,2}"
    r"(?:->|[:=(-]|are|is)?[ ]{0,2}[\w.@-]{1,40}[ ]?[/:(,][ ]?"
)


class _Carrier(NamedTuple):
    """Where to look, what to take; `words` if a plain word is a password there too."""

    anchor: str
    taken: Expression
    words: bool = True
    ahead: int = 520


_CARRIERS = (
    _Carrier(
        r"(?:\s-u|--user|--proxy-user|--creds|--http-auth|--auth)(?:[ \t]{1,4}|=)[\"']?[\w.@+-]{1,64}:[^\s]{3}",
        finder(
            r"""(?i)(?:\s-u|--user|--proxy-user|--creds|--http-auth|--auth)(?:[ \t]+|=)["']?"""
            r"""[\w.@+-]{1,64}:([^\s"'\x60]{3,256})"""
        ),
        words=False,
    ),
    _Carrier(
        r"(?:^|\n)[\w.*-]{1,64}:(?:[0-9]{2,5}|\*):[\w.*-]{1,64}:[\w.@*-]{1,64}:[^\s:]{4}",
        finder(r"(?m)^(?:[\w.*-]+):(?:[0-9]{2,5}|\*):(?:[\w.*-]+):(?:[\w.@*-]+):([^\s:]{4,128})$"),
    ),
    _Carrier(
        rf"\b{_CLIENT}[^\n|;]{{0,120}}\s-[paw][ =]?[\"']?[^\s-]",
        finder(rf"""(?i)\b{_CLIENT}[^\n|;]{{0,120}}?\s-(?:p|a|w)[ =]?["']?([^\s"'\x60-][^\s"'\x60]{{3,128}})"""),
        words=False,
    ),
    _Carrier(
        rf"\b{_REMOTE}[^\n|;]{{0,120}}\s[-/](?:pw?|password)[ :=]{{1,3}}[\"']?[^\s-]",
        finder(
            rf"""(?i)\b{_REMOTE}[^\n|;]{{0,120}}?\s[-/](?:pw?|password)[ :=]{{1,3}}["']?"""
            r"""([^\s"'\x60-][^\s"'\x60]{3,128})"""
        ),
    ),
    _Carrier(
        r"\blogin\s{1,8}\S{1,64}\s{1,8}password\s{1,8}\S{4}",
        finder(r"(?i)\blogin\s+\S{1,64}\s+password\s+(\S{4,128})"),
    ),
    _Carrier(
        rf"""\b{_CALL}\(\s{{0,40}}{_QUOTED}\s{{0,4}},\s{{0,40}}["'][^"'\n]{{4}}""",
        finder(rf"""(?i)\b{_CALL}\(\s*{_QUOTED}\s*,\s*["']([^"'\n\s]{{4,128}})["']\s*[,)]"""),
    ),
    _Carrier(
        rf"""\bdirectoryentry\(\s{{0,40}}{_QUOTED}\s{{0,4}},\s{{0,40}}{_QUOTED}\s{{0,4}},\s{{0,40}}["'][^"'\n]{{4}}""",
        finder(rf"""(?i)\bdirectoryentry\(\s*{_QUOTED}\s*,\s*{_QUOTED}\s*,\s*["']([^"'\n\s]{{4,128}})["']"""),
    ),
    _Carrier(
        rf"""(?:^|\n)[ \t]{{0,40}}{_NAME}[ \t]{{0,8}}(?:"[^"\s]{{4,200}}"|'[^'\s]{{4,200}}')"""
        r"[ \t]{0,8};?[ \t]{0,8}(?:\r?\n|$|[#/])",
        finder(rf"""(?im)^[ \t]*{_NAME}[ \t]*(?:"([^"\s]{{4,200}})"|'([^'\s]{{4,200}})')[ \t]*;?[ \t]*(?:\r?$|[#/])"""),
    ),
    _Carrier(
        r"<(?:secret\w{0,10}|password|passphrase|api_?token|token|private_?key)>\{[^<>{}\n]{10}",
        finder(r"(?i)<(?:secret\w*|password|passphrase|api_?token|token|private_?key)>\{([^<>{}\n]{10,})"),
        ahead=8192,
    ),
    _Carrier(
        rf"{_BOTH}[^\s/]{{4}}",
        finder(rf"(?i){_BOTH}([^\s/,;)\"']{{4,128}})"),
        words=False,
    ),
    _Carrier(
        r"[0-9]{1,3}(?:\.[0-9]{1,3}){3}[ ]?\([\w.@-]{1,40}/[^\s/()]{4}",
        finder(r"[0-9]{1,3}(?:\.[0-9]{1,3}){3}[ ]?\([\w.@-]{1,40}/([^\s/(),]{4,128})[),]"),
        words=False,
    ),
)


class CarrierLayer:
    def anchors(self) -> Sequence[Anchor]:
        return [Anchor(each.anchor, caseless=True) for each in _CARRIERS]

    def kinds(self) -> Iterable[str]:
        return (KIND,)

    def spans(self, data: bytes, hits: Sequence[Hit]) -> Iterator[Span]:
        done = [0] * len(_CARRIERS)
        for number, end in sorted(hits, key=lambda hit: hit[1]):
            if end <= done[number]:
                continue
            carrier = _CARRIERS[number]
            start = max(done[number], end - _BEHIND, 0)
            found = carrier.taken.search(data, start, min(len(data), end + carrier.ahead))
            if found is None:
                continue
            first, last = _held(found)
            done[number] = max(last, end)
            claim = Claim(
                PASSWORD, b"password", data[first:last], quoted=True, adjacent=True, accompanied=carrier.words
            )
            if is_secret(claim):
                yield Span(first, last, CONTEXT, KIND)


def _held(found: Match) -> tuple[int, int]:
    """The group that took part."""
    first = found.span(1)
    return first if first[0] >= 0 else found.span(2)
