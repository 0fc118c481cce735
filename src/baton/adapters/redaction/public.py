"""What looks random and is public: hashes, certificates and public keys, host keys, ARNs, pictures.

Asked only about spans that a rule wants to cut, so that ordinary text pays nothing. A known value is cut even here.
"""

from __future__ import annotations

import re

from baton.adapters.redaction.names import says_not_to_commit
from baton.adapters.redaction.thresholds import (
    FEWEST_ESCAPED_BYTES,
    LONGEST_ARMOUR,
    LONGEST_ARN,
    PUBLIC_AHEAD,
    PUBLIC_BACK,
    SHORTEST_PUBLIC,
)

_BREAKS = bytes(0x20 if byte in b" \t\n\r\x0b\x0c\"'`<>,;(){}[]" else byte for byte in range(256))
_HASH_MARK = re.compile(rb"h1|sha|md5|blake|ripemd|://")
_HASH = re.compile(
    rb"(?:^|[^A-Za-z0-9])(?:h1:|sha-?(?:1|224|256|384|512)|md5|blake2[bs]|blake3|ripemd160|(?:containerd|docker|cri-o)://)"
    rb"[:=-]{0,2}[A-Za-z0-9+/=_:-]{0,172}\Z",
    re.I,
)
_ARN = re.compile(rb"(?:^|[=:@/])arn:[a-z-]+:", re.I)
_HOST_KEY = re.compile(
    rb"AAAA(?:B3NzaC1|C3NzaC1|E2VjZHNh|G3NrLWVj|InNrLWVj|Gm5pc3R)|AAAASUVORK5CYII|AAABJRU5ErkJggg|AAAAElFTkSuQmCC|\AiVBORw0KGgo|\AH4sIA|\A(?:eJ[w-z]|eA[EF]|eN[op])(?=[A-Za-z0-9+/]*[+/=])|LS0tLS1CRUdJTi(?:BDRVJU|BQVUJM|BUUlVT|BYNTA5)"
    rb"|\A(?:MFkwEwYHKoZIzj0|MHYwEAYHKoZIzj0|MIGfMA0GCSqGSIb3DQEBAQUAA|MII[BC]IjANBgkqhkiG9w0BAQE|MCowBQYDK2V[uw]AyEA)"
)
_GPG = re.compile(rb"(?:^|\n)gpg: [^\n]*\Z")
_EMBEDDED = re.compile(rb"data:[\w.+/-]*;(?:charset=[\w-]*;)?base64,\Z|data:[\w.+/-]*;base64,[A-Za-z0-9+/=_-]*\Z")
_NAMES = (
    *(
        b"fingerprint",
        b"thumbprint",
        b"integrity",
        b"checksum",
        b"digest",
        b"etag",
        b"public_key",
        b"public_keys",
        b"publickey",
        b"publickeys",
        b"public_token",
        b"publictoken",
        b"pubkey",
    ),
    *(
        b"node_id",
        b"nodeid",
        b"request_id",
        b"requestid",
        b"cf_ray",
        b"websocket_accept",
        b"authority_data",
        b"pin_sha256",
    ),
    *(b"commit_id", b"blob_id", b"tree_id", b"websocket_key", b"site_verification", b"domain_verification"),
    *(b"certificate_data", b"tree", b"blob", b"parent", b"commit", b"sha", b"oid", b"cursor", b"peer"),
)
"""How a name ends whose value everybody may see; `-` and `_` are the same there."""
_NO_NAME = bytes(
    byte if chr(byte).isascii() and (chr(byte).isalnum() or byte in b"_.-") else 0x20 for byte in range(256)
)
_BASE64_LINE = re.compile(rb"[A-Za-z0-9+/=\r\n]++")
_BEGIN, _END = b"-----BEGIN ", b"-----END "
_SUM = rb"%b(?<![A-Za-z0-9]%b)%b(?![A-Za-z0-9+/=])"
"""Begins with plain letters, which the library finds as fast as any."""
_SUMS = tuple(
    (name, re.compile(_SUM % (name, name, form)), b"*" * (len(name) + 1 + size))
    for name, form, size in (
        (b"sha256", rb"[:-][0-9a-f]{64}", 64),
        (b"sha256", rb"[:-][A-Za-z0-9+/]{43}=", 44),
        (b"sha384", rb"[:-][0-9a-f]{96}", 96),
        (b"sha384", rb"[:-][A-Za-z0-9+/]{64}", 64),
        (b"sha512", rb"[:-][0-9a-f]{128}", 128),
        (b"sha512", rb"[:-][A-Za-z0-9+/]{86}==", 88),
    )
)
"""Hashes as lock files write them, whole, and what takes their place. Their names go too, with the sign behind them:
it would ask for a look at a value that is not there. The stars are more than any anchor can pass.
"""
_MODULE_SUM, _BLANK_SUM = re.compile(rb"h1:(?<![A-Za-z0-9]h1:)[A-Za-z0-9+/]{43}=(?![A-Za-z0-9+/=])"), b"*" * 47
_NAMED_SUM = re.compile(rb"sha(?:1|256|384|512)[:-][A-Za-z0-9+/]{27}")
_SHORT_SUM = re.compile(_SUM % (b"sha1", b"sha1", rb"[:-](?:[0-9a-f]{40}|[A-Za-z0-9+/]{27}=)"))


def blank_hashes(data: bytes) -> bytes:
    """The same length, with a star for each byte of a hash that says what it is: lock files have them by the thousand,
    and everything that looks random asks for a look.
    """
    data = _MODULE_SUM.sub(_BLANK_SUM, data)
    if _NAMED_SUM.search(data) is None:
        return data
    for name, form, blank in _SUMS:
        if name in data:
            data = form.sub(blank, data)
    return _SHORT_SUM.sub(_blank_sum, data) if b"sha1" in data else data


def _blank_sum(found: re.Match[bytes]) -> bytes:
    whole = found.group()
    return whole[:7] + b"*" * (len(whole) - 7)


_FILE = re.compile(
    rb"(?:sourceMappingURL=data:[\w.+/-]*+|data:(?:image|font|audio|video|application/(?:x-|vnd\.ms-)?(?:font|wasm|octet)[\w.+-]*+)[\w.+/-]*+)"
    rb"(?:;[\w=-]*+)*+,[A-Za-z0-9+/=_-]++(?:(?:[ \n]|\\n)[A-Za-z0-9+/=_-]{60,}+)*+(?:[ \n][A-Za-z0-9+/=_-]++(?=[\"']))?"
)
"""A source map, a picture, a font or a module that a program carries with it."""
_BYTES = re.compile(rb"(?:\\x[0-9A-Fa-f]{2}){%d,}+" % FEWEST_ESCAPED_BYTES)
_BEYOND_ASCII = re.compile(rb"\\x[89A-Fa-f]")


def embedded_files(data: bytes) -> list[tuple[int, int]]:
    """Where files are that a program carries in base64 or byte by byte. What they hold is another program: there only
    what its own form gives away is a secret.
    """
    files = [found.span() for found in _FILE.finditer(data)] if b";base64," in data else []
    escaped = (found for found in _BYTES.finditer(data)) if b"\\x" in data else ()
    binary = [each.span() for each in escaped if len(_BEYOND_ASCII.findall(each[0])) * 12 > len(each[0])]
    return sorted([*files, *binary])


def is_public(data: bytes, start: int, end: int) -> bool:
    """Whether these bytes belong to something that everybody may see."""
    if data[max(0, start - 80) : start].find(b"node_id") >= 0 and _NODE.search(data, max(0, start - 80), start):
        return True
    if data[start - 1 : start] == b":" and _is_part_of_id(data[max(0, start - 120) : start]):
        return True
    if end - start < SHORTEST_PUBLIC and data.rfind(b"arn:", max(0, start - PUBLIC_BACK), start) < 0:
        return False
    before = data[max(0, start - PUBLIC_BACK) : start]
    run = before[before.translate(_BREAKS).rfind(b" ") + 1 :]
    whole = run + data[start : min(end, start + PUBLIC_AHEAD)]
    small = whole.lower()
    if not small.startswith(b"hmac-") and _HASH_MARK.search(small) and (_HASH.search(run) or _HASH.search(whole)):
        return True
    if (b"arn:" in small and _ARN.search(whole)) or _HOST_KEY.search(whole) or b"|1|" in whole:
        return True
    if (b"base64," in before and _EMBEDDED.search(before[-120:])) or (b"gpg:" in before and _GPG.search(before)):
        return True
    return _is_named(before) or _in_public_armour(data, start, end)


def is_in_arn(data: bytes, at: int) -> bool:
    """Whether a colon that ends at `at` parts a resource's name, as `arn:aws:iam::` does."""
    begin = data.rfind(b"arn:", max(0, at - LONGEST_ARN), at)
    if begin < 0 or b" " in data[begin:at].translate(_BREAKS):
        return False
    before = data[max(0, begin - 1) : begin].translate(_BREAKS)
    return before in _BEFORE_ARN and _ARN.match(data[begin:at]) is not None


_BEFORE_ARN = (b"", b" ", b"=", b":", b"@", b"/")


_NODE = re.compile(rb"node_id\\?[\"'][ \t]*:[ \t]*\\?[\"'][A-Za-z0-9+/=_-]*\Z")
"""GitHub writes its ids in base64, a part of which may read like anything."""
_PART_OF_ID = re.compile(
    rb"""(?:request|trace|node|event|delivery)[_-]?id["'`]{0,2}[ \t]*[:=][ \t]*["'`]?"""
    rb"""[\w.-]{1,40}(?::[\w.-]{0,40})*:\Z""",
    re.I,
)


def _is_part_of_id(before: bytes) -> bool:
    """Whether it is a later part of an id with colons: `"request_id": "SeEd:aopGk:4c1e43e9"`."""
    return _PART_OF_ID.search(before) is not None


def _is_named(before: bytes) -> bool:
    if before.rstrip(b" \t\"'`W/\\")[-1:] not in (b":", b"=", b">", b","):
        return False
    if b"public key" in before[-24:].lower():
        return True
    head = before[-80:].rstrip(b" \t\"'`W/\\").rstrip(b":=>,").rstrip(b" \t\"'`])")
    name = head[head.translate(_NO_NAME).rfind(b" ") + 1 :]
    ends = len(name) > 1 and name.lower().replace(b"-", b"_").endswith(_NAMES)
    return ends and not says_not_to_commit(name)


def _in_public_armour(data: bytes, start: int, end: int) -> bool:
    """Whether it is a line between `BEGIN` and `END` of anything but a private key."""
    line = data.rfind(b"\n", max(0, start - PUBLIC_BACK), start)
    if line >= 0 and b"\\n" not in data[line:start] and not _BASE64_LINE.fullmatch(data, line, end):
        return False
    begin = data.rfind(_BEGIN, max(0, start - LONGEST_ARMOUR), start)
    if begin < 0:
        return False
    title = data[begin + len(_BEGIN) : begin + 60]
    if (
        b"PRIVATE" in title
        or b"SECRET" in title
        or b"Static key" in title
        or b"-----" not in title
        or data.find(_END, begin, start) >= 0
    ):
        return False
    first = (
        max(data.rfind(b"\n", begin, start), data.rfind(b"\\n", begin, start) + 1, begin + title.index(b"-----") + 15)
        + 1
    )
    return _BASE64_LINE.fullmatch(data, min(first, start), end) is not None
