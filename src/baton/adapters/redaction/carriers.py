"""Context in what is made to carry credentials: `.pgpass`, `.netrc`, login calls, clients' flags, links, manifests."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from baton.adapters.redaction.entropy import entropy, is_mixed
from baton.adapters.redaction.expression import Expression, Match
from baton.adapters.redaction.judge import Claim, is_secret
from baton.adapters.redaction.layer import Anchor, Hit
from baton.adapters.redaction.lookalikes import is_example, is_ours, is_stand_in
from baton.adapters.redaction.names import PASSWORD
from baton.adapters.redaction.span import CONTEXT, Span
from baton.adapters.redaction.thresholds import (
    CARRIER_AHEAD,
    CARRIER_BACK,
    LEAST_ENTROPY,
    MANIFEST_AHEAD,
    MANIFEST_BACK,
    TOKEN_AHEAD,
)

_KIND = "password"
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
    """Where to look and what to take. `words`: whether even a plain word is a password there."""

    anchor: str
    taken: Expression
    words: bool = True
    ahead: int = CARRIER_AHEAD


_CARRIERS = (
    _Carrier(
        r"(?:\s-u|--user|--proxy-user|--creds|--http-auth|--auth)(?:[ \t]{1,4}|=)[\"']?[\w.@+-]{1,64}:[^\s]{3}",
        Expression(
            r"""(?i)(?:\s-u|--user|--proxy-user|--creds|--http-auth|--auth)(?:[ \t]+|=)["']?"""
            r"""[\w.@+-]{1,64}:([^\s"'\x60]{3,256})"""
        ),
        words=False,
    ),
    _Carrier(
        r"(?:^|\n)[\w.*-]{1,64}:(?:[0-9]{2,5}|\*):[\w.*-]{1,64}:[\w.@*-]{1,64}:[^\s:]{4}",
        Expression(r"(?m)^(?:[\w.*-]+):(?:[0-9]{2,5}|\*):(?:[\w.*-]+):(?:[\w.@*-]+):([^\s:]{4,128})$"),
    ),
    _Carrier(
        rf"\b{_CLIENT}[^\n|;]{{0,120}}\s-[paw][ =]?[\"']?[^\s-]",
        Expression(rf"""(?i)\b{_CLIENT}[^\n|;]{{0,120}}?\s-(?:p|a|w)[ =]?["']?([^\s"'\x60-][^\s"'\x60]{{3,128}})"""),
        words=False,
    ),
    _Carrier(
        rf"\b{_REMOTE}[^\n|;]{{0,120}}\s[-/](?:pw?|password)[ :=]{{1,3}}[\"']?[^\s-]",
        Expression(
            rf"""(?i)\b{_REMOTE}[^\n|;]{{0,120}}?\s[-/](?:pw?|password)[ :=]{{1,3}}["']?"""
            r"""([^\s"'\x60-][^\s"'\x60]{3,128})"""
        ),
    ),
    _Carrier(
        r"\blogin\s{1,8}\S{1,64}\s{1,8}password\s{1,8}\S{4}",
        Expression(r"(?i)\blogin\s+\S{1,64}\s+password\s+(\S{4,128})"),
    ),
    _Carrier(
        rf"""\b{_CALL}\(\s{{0,40}}{_QUOTED}\s{{0,4}},\s{{0,40}}["'][^"'\n]{{4}}""",
        Expression(rf"""(?i)\b{_CALL}\(\s*{_QUOTED}\s*,\s*["']([^"'\n\s]{{4,128}})["']\s*[,)]"""),
    ),
    _Carrier(
        rf"""\bdirectoryentry\(\s{{0,40}}{_QUOTED}\s{{0,4}},\s{{0,40}}{_QUOTED}\s{{0,4}},\s{{0,40}}["'][^"'\n]{{4}}""",
        Expression(rf"""(?i)\bdirectoryentry\(\s*{_QUOTED}\s*,\s*{_QUOTED}\s*,\s*["']([^"'\n\s]{{4,128}})["']"""),
    ),
    _Carrier(
        rf"""(?:^|\n)[ \t]{{0,40}}{_NAME}[ \t]{{0,8}}(?:"[^"\s]{{4,200}}"|'[^'\s]{{4,200}}')"""
        r"[ \t]{0,8};?[ \t]{0,8}(?:\r?\n|$|[#/])",
        Expression(
            rf"""(?im)^[ \t]*{_NAME}[ \t]*(?:"([^"\s]{{4,200}})"|'([^'\s]{{4,200}})')[ \t]*;?[ \t]*(?:\r?$|[#/])"""
        ),
    ),
    _Carrier(
        r"<(?:secret\w{0,10}|password|passphrase|api_?token|token|private_?key)>\{[^<>{}\n]{10}",
        Expression(r"(?i)<(?:secret\w*|password|passphrase|api_?token|token|private_?key)>\{([^<>{}\n]{10,})"),
        ahead=TOKEN_AHEAD,
    ),
    _Carrier(
        rf"{_BOTH}[^\s/]{{4}}",
        Expression(rf"(?i){_BOTH}([^\s/,;)\"']{{4,128}})"),
        words=False,
    ),
    _Carrier(
        r"[0-9]{1,3}(?:\.[0-9]{1,3}){3}[ ]?\([\w.@-]{1,40}/[^\s/()]{4}",
        Expression(r"[0-9]{1,3}(?:\.[0-9]{1,3}){3}[ ]?\([\w.@-]{1,40}/([^\s/(),]{4,128})[),]"),
        words=False,
    ),
)


class CarrierLayer:
    """Passwords where a file, a call or a command keeps them."""

    def anchors(self) -> Sequence[Anchor]:
        return [Anchor(each.anchor, caseless=True) for each in _CARRIERS]

    def kinds(self) -> Iterable[str]:
        return (_KIND,)

    def spans(self, data: bytes, hits: Sequence[Hit]) -> Iterator[Span]:
        done = [0] * len(_CARRIERS)
        for number, end in sorted(hits, key=lambda hit: hit[1]):
            if end <= done[number]:
                continue
            carrier = _CARRIERS[number]
            start = max(done[number], end - CARRIER_BACK, 0)
            found = carrier.taken.search(data, start, min(len(data), end + carrier.ahead))
            if found is None:
                continue
            first, last = _taken_group(found)
            done[number] = max(last, end)
            claim = Claim(
                PASSWORD, b"password", data[first:last], quoted=True, adjacent=True, accompanied=carrier.words
            )
            if is_secret(claim):
                yield Span(first, last, CONTEXT, _KIND)


def _taken_group(found: Match) -> tuple[int, int]:
    """Where the value is: the one group that matched."""
    first = found.span(1)
    return first if first[0] >= 0 else found.span(2)


_WITH_PASSWORD = Expression(r"""://([^\s/?#"'<>:\x60]{0,128}):([^\s"'<>\x60]{1,512})@[\w.\[$%{-]""")
_WITH_TOKEN = Expression(r"""://([^\s/?#"'<>@:\x60]{16,256})@""")
_PORT = Expression(r"[0-9]{1,5}(?:[/?#,].*)?")
_HOST = Expression(r"(?i)@(?:host(?:name)?|server|domain|address)(?:\W|$)")
LINK = "url-password"


class LinkLayer:
    """Passwords before the host of a link, and tokens in their place."""

    def anchors(self) -> Sequence[Anchor]:
        return [
            Anchor(r"""://[^\s/?#"'<>:\x60]{0,128}:[^\s"'<>\x60@]{1,256}@"""),
            Anchor(r"""://[^\s/?#"'<>@:\x60]{16,256}@"""),
        ]

    def kinds(self) -> Iterable[str]:
        return (LINK,)

    def spans(self, data: bytes, hits: Sequence[Hit]) -> Iterator[Span]:
        done = [0, 0]
        for number, end in sorted(hits, key=lambda hit: hit[1]):
            if end <= done[number]:
                continue
            start = max(done[number], end - CARRIER_BACK, 0)
            found = (_WITH_TOKEN if number else _WITH_PASSWORD).search(data, start, min(len(data), end + CARRIER_AHEAD))
            if found is None:
                continue
            first, last = found.span(1 if number else 2)
            done[number] = max(last, end)
            value = data[first:last]
            if _is_token(value) if number else _is_password(value) and not _is_form(value, data[last : last + 12]):
                yield Span(first, last, CONTEXT, LINK)


def _is_password(value: bytes) -> bool:
    """Anything there is one, even a plain word, except examples and a port with a path that contains an `@`."""
    return not (is_example(value) or _PORT.fullmatch(value))


def _is_form(value: bytes, after: bytes) -> bool:
    """Whether it is the form of a link, spelled out: `user:password@host`."""
    return _HOST.match(after) is not None and is_stand_in(value)


def _is_token(value: bytes) -> bool:
    return is_mixed(value) and entropy(value) >= LEAST_ENTROPY and not is_ours(value)


KUBERNETES = "kubernetes-secret"
_SEPARATOR = b"\n---"
_DATA = Expression(r"""(?:^|[\n{,])([ \t]*)["']?(?:data|stringData)["']?[ \t]*:[ \t]*[{\n]""")
_ENTRY = Expression(r"""[\n{,][ \t]*["']?[\w.-]+["']?[ \t]*:[ \t]*["']?([A-Za-z0-9+/=_.!@$-]{6,})""")
_KEYS = frozenset({b"kind", b"metadata", b"apiVersion", b"type"})


class ManifestLayer:
    """Kubernetes secrets: in a manifest of that kind every value below `data` is one, whatever its name."""

    def anchors(self) -> Sequence[Anchor]:
        return [Anchor(r"""kind["']?\s{0,3}:\s{0,3}["']?secret\b""", caseless=True)]

    def kinds(self) -> Iterable[str]:
        return (KUBERNETES,)

    def spans(self, data: bytes, hits: Sequence[Hit]) -> Iterator[Span]:
        done = 0
        for _, end in sorted(hits, key=lambda hit: hit[1]):
            if end <= done:
                continue
            start = max(done, data.rfind(_SEPARATOR, max(0, end - MANIFEST_BACK), end), end - MANIFEST_BACK, 0)
            stop = data.find(_SEPARATOR, end, end + MANIFEST_AHEAD)
            done = min(len(data), end + MANIFEST_AHEAD) if stop < 0 else stop
            yield from _values(data, start, done)


def _values(data: bytes, start: int, end: int) -> Iterator[Span]:
    """The values of the data block: those more indented than its name, or in its braces."""
    block = _DATA.search(data, start, end)
    if block is None:
        return
    indent = len(block.group(1))
    for found in _ENTRY.finditer(data, block.end() - 1, end):
        line = data[found.start() + 1 : found.start(1)]
        written = len(line) - len(line.lstrip(b" \t"))
        if data[found.start()] == 0x0A and written <= indent:
            return
        if line.strip(b" \t\"':") not in _KEYS:
            yield Span(*found.span(1), CONTEXT, KUBERNETES)
