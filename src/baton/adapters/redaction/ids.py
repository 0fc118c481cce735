"""Ids that everybody may see: addresses of coins, commits, ids of clients, pages of a site.

Asked only about spans that a rule wants to cut, so that ordinary text pays nothing. A known value is cut even here.
"""

from __future__ import annotations

import re
from hashlib import sha256

from baton.adapters.redaction.entropy import is_hex
from baton.adapters.redaction.lookalikes import is_uuid
from baton.adapters.redaction.span import CONTEXT, Span
from baton.adapters.redaction.thresholds import ADDRESS_AROUND, LABEL_BACK, PAGE_AROUND

_ACCOUNT = re.compile(rb"0x[0-9A-Fa-f]{40}")
"""Of Ethereum: half of a hash of a public key. A private key has 64 digits."""
_NUMBERED_TOKEN = re.compile(rb"0x[0-9A-Fa-f]{16,64}")
_NAMED_ID = re.compile(rb"(?i)token_?ids?[\"']?\s*[:=]\s*[\"']?\Z")
_PUBLISHABLE = re.compile(rb"pk_(?:live|test)_[A-Za-z0-9+/]{10,}\$?|AC[a-f0-9]{32}")
"""Keys of Stripe and Clerk for pages, and accounts of Twilio: everybody may see them."""
_PUBLISHABLE_BEGINS = (b"pk_live_", b"pk_test_")
_IS_GIVEN_TO_RESOURCE = re.compile(
    rb"(?i)\b(?!\w*(?:key|token|secret|cred|pass|auth|jw))\w{3,}s\.(?!auth|login|sign|verify|de|set|use|conn|init|conf)\w+\(\s*(?:[*/#]+\s*)?[\"']\Z"
)
"""`client.messages.archive('…'`: which one of them."""
_PAIRS = re.compile(rb"(?:[0-9A-F]{2} ){15,}[0-9A-F]{2}")
_ADDRESS = re.compile(rb"(?i)address|pub_?key|public|program|\bmint|solana|base58|account")
_CLIENT_ID = re.compile(rb"(?i)client[_-]?id[\"'\])]{0,2}\s*[:=,]\s*(?:str(?:ing)?[ \t]*=[ \t]*)?[\"']?\Z")
_KEY_ID = re.compile(rb"(?i)(?:\b|local_?)key[ _-]?id[\"']?[ \t]*[:=][ \t]*[\"']?\Z")
"""What a key is called: `Recovery key ID: …`."""
_OF_PGP = re.compile(rb"(?i)(?:0x)?(?:[0-9a-f]{8}|[0-9a-f]{16}|[0-9a-f]{40})")
_HEX_ID = re.compile(
    rb"(?i)(?:credential|rule|user|zone|account|organi[sz]ation|org|team|subscription|distribution|project|tenant|domain|role|image|server|volume|network|resource|trust|endpoint|service|region|flavor|router|subnet|stack)_?id"
    rb"[\"']?[ \t]*:?[:=][ \t]*[\"']\Z"
)
_LINK_TO = re.compile(rb"[\"'](?:self|href|[a-z_]*url)[\"'][ \t]*:[ \t]*[\"']https?://[^\s\"'?@]*/\Z")
"""Where something is found: `"self": "http://identity/v3/credentials/…"`."""
_PAGE_ID = re.compile(rb"[\"'\s({]id[\"']?[ \t]*[:=][ \t]*[\"']\Z")
_ID_IN_LINK = re.compile(rb"(?i)://[^\s\"'<>]*[?&](?!client|app|key|access|secret|token|session|sess)(?:[a-z]+_)?id=\Z")
_NO_SECRET = re.compile(rb"(?i)idempoten\w*[\"']?\s*[:=]\s*[\"']?\Z|[a-z0-9_]ids[\"']?\s*[:=]\s*\[[^\]]*[\"']\Z")
"""A key that lets a request count once, and lists of ids."""
_REQUEST = re.compile(rb"(?i)client(?:_?request)?_?token[\"']?\s*[:=]\s*[\"']?\Z")
"""The same, as AWS calls it."""
_ID_OF_LIST = re.compile(rb"(?i)[a-z0-9_]ids[\"']?\s*[:=]\s*\[(?:[\s/*#,]|[\"'][\w.-]{1,80}[\"'])*[\"']\Z")
"""On lines of their own."""
_OF_KIND = re.compile(
    rb"(?i)(?:[a-z-]+/|(?:id|uuid|urn:uuid|volume|snapshot)[:_-])[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|S-1-[0-9]+(?:-[0-9]+)+(?:-%[du])?|1:[0-9]{6,14}:(?:web|ios|android):[0-9a-f]{16,40}"
)
"""A resource by its kind, a user or a group of Windows, an app of Firebase."""
_STANDARD = re.compile(
    rb"(?:keyid:)?(?:[0-9A-F]{2}:){15,31}[0-9A-F]{2}|"
    rb"(?i:CVE-[0-9]{4}-[0-9]{4,7}|GHSA(?:-[a-z0-9]{4}){3})|[a-z]{2,3}[_-][A-Z]{2}(?:\.[A-Za-z0-9-]+)?|--[a-z][a-z0-9-]*+"
)
"""A fingerprint, an advisory, a locale, an option."""
_ISSUE = re.compile(rb"\(#[0-9]{1,6}\)")
"""`username/password access (#928)`, as changelogs write it."""
_OF_KEY = re.compile(rb"(?:0x)?(?:[0-9A-F]{8}|[0-9A-F]{16}|[0-9A-F]{40})|(?:[0-9A-F]{4} ?){10}")
_KEY = re.compile(
    rb"(?i)(?:^|[^\w-])(?!(?:api|access|secret|private|licen[cs]e|product|account|master|storage|encryption)\b)"
    rb"[\w'.>-]*[ \t]*key(?:[ \t]+id)?[ \t:]+\Z"
)
"""`signing key 19882D92…`: so OpenPGP names a key, in capitals. Keys of services say whose they are."""
_PUBLIC_PART = re.compile(rb"(?i)publickeytoken[\"']?\s*[:=]\s*[\"']?\Z")
"""The hash of an assembly's key."""
_COORDINATE = re.compile(rb"\"[xyne]\"\s*:\s*\"\Z")
_SUM_GOES_ON = re.compile(rb"(?:^|[;\s])bh?=\s*(?:[A-Za-z0-9+/]+=*[ \t]+)*\Z")
_SIGNED_MAIL = re.compile(rb"(?i)(?:(?:dkim|domainkey|arc-message)-signature|arc-seal)[\"']?[ \t]*[:,]")
_SIGNATURE_OF_MAIL = re.compile(rb"(?:v=[0-9]; ?)?(?:i=[0-9]+; ?)?a=(?:rsa|ed25519)-sha(?:1|256); ?[a-z]{1,2}=.*", re.S)
"""The whole header as a program or a file of JSON holds it."""
_KEY_AROUND, _MAIL_BACK = 700, 2_000
_SECRET = re.compile(rb"(?i)priv|secret|pass|mnemonic|seed")
_CACHE_TAG = b"8a477f597d28d172789f06886806bc55"
"""How every CACHEDIR.TAG begins, as its specification says."""
_BRANCH = b"z9hG4bK"
"""How the id of a request in SIP begins."""
_CHECKED = re.compile(rb"[1-9A-HJ-NP-Za-km-z]{26,35}")
_ALPHABETS = (
    b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz",
    b"rpshnaf39wBUDNEGHJKLM4PQRST7VWXYZ2bcdeCg65jkm8oFqi1tuvAxyz",
)
_CONTENT = re.compile(rb"Qm[1-9A-HJ-NP-Za-km-z]{44}")
"""Of IPFS: the hash of what it names."""
_EXTENDED = re.compile(rb"[tuxyz]pub[1-9A-HJ-NP-Za-km-z]{107}")
_SEGWIT = re.compile(rb"(bc|tb|bcrt|ltc|tltc|age)1([02-9ac-hj-np-z]{38,62})")
_SEGWIT_LETTERS = b"qpzry9x8gf2tvdw0s3jn54khce6mua7l"
_GENERATORS = (0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)
_SUMS = (1, 0x2BC830A3)
"""Of bech32 and of bech32m."""
_SIZE_OF_ADDRESS = 25
"""A version, a hash of 20 bytes and a sum of four; a private key in the same form is longer."""


def is_id(data: bytes, span: Span) -> bool:
    start, end, layer, _ = span
    if layer != CONTEXT:
        return False
    value = data[start:end]
    before = data[max(0, start - LABEL_BACK) : start]
    before = before[before.rfind(b"\n") + 1 :]
    if (
        value.startswith((_CACHE_TAG, _BRANCH))
        or _SIGNATURE_OF_MAIL.fullmatch(value)
        or _ID_IN_LINK.search(before)
        or _NO_SECRET.search(before)
        or (_REQUEST.search(before) and is_uuid(value))
        or _ID_OF_LIST.search(data, max(0, start - PAGE_AROUND), start)
    ):
        return True
    if _PUBLIC_PART.search(before) or _is_in_key_or_signature(data, start, before):
        return True
    if _OF_KIND.fullmatch(value) or _EXTENDED.fullmatch(value) or _STANDARD.fullmatch(value):
        return True
    if _is_of_key(data, span, value, before) or _ISSUE.fullmatch(data, start - 1, end + 1):
        return True
    if (
        _ACCOUNT.fullmatch(value)
        or _PUBLISHABLE.fullmatch(value)
        or (_NUMBERED_TOKEN.fullmatch(value) and _NAMED_ID.search(before))
    ):
        return _SECRET.search(before) is None
    if _is_named_id(value, before) or (is_hex(value) and _is_of_known_answer(data, start)):
        return True
    if _CLIENT_ID.search(before) and value.isalnum():
        return True
    if _PAGE_ID.search(before) and _is_in_path(data, start, value):
        return True
    return is_coin_address(value)


def _is_named_id(value: bytes, before: bytes) -> bool:
    """By its name, or as the last part of a link to what it names."""
    if _LINK_TO.search(before) or (is_hex(value) and _HEX_ID.search(before)):
        return True
    return _KEY_ID.search(before) is not None and (is_uuid(value) or _OF_PGP.fullmatch(value) is not None)


def _is_of_key(data: bytes, span: Span, value: bytes, before: bytes) -> bool:
    """What a key is called, a key for pages behind its beginning, the public key that is somebody's account."""
    if (_OF_KEY.fullmatch(value) and _KEY.search(before)) or (_PAIRS.match(value) and _KEY_ID.search(before)):
        return True
    if _SECRET.search(before):
        return False
    if before.endswith(_PUBLISHABLE_BEGINS) or _IS_GIVEN_TO_RESOURCE.search(
        data[max(0, span.start - LABEL_BACK) : span.start]
    ):
        return True
    return (
        _is_account(value)
        and _ADDRESS.search(data, max(0, span.start - ADDRESS_AROUND), span.end + LABEL_BACK) is not None
    )


def _is_in_key_or_signature(data: bytes, start: int, before: bytes) -> bool:
    """A coordinate or a modulus of a JSON Web Key, whose private part has other names; the sums of a signed mail."""
    if _COORDINATE.search(before):
        return b'"kty"' in data[max(0, start - _KEY_AROUND) : start + _KEY_AROUND]
    head = data[max(0, start - _MAIL_BACK) : start]
    return _SUM_GOES_ON.search(head) is not None and _SIGNED_MAIL.search(head) is not None


_ANSWER = re.compile(
    rb"(?i)\b(?:pt|ct|plain_?text|cipher_?text|expected|want|okm|prk|tag|mac|digest|msg|message|out(?:put)?)\w{0,4}[\"']?"
    rb"[ \t]*(?::=|[:=(,])[ \t]*(?:[\w:.!]{1,24}\(|\[\]byte\()?[bx]?[\"'][0-9a-f]{16}"
)


def _is_of_known_answer(data: bytes, start: int) -> bool:
    """Whether what is encrypted or its result stands beside a key: the published test of a cipher or a hash."""
    return _ANSWER.search(data, max(0, start - _ANSWER_AROUND), start + _ANSWER_AROUND) is not None


_ANSWER_AROUND = 500


def _is_in_path(data: bytes, start: int, value: bytes) -> bool:
    """Whether a link near by shows it."""
    around = data[max(0, start - PAGE_AROUND) : start + PAGE_AROUND]
    shown = (around.find(b"/" + value), around.find(b"id=" + value))
    return any(b"://" in around[max(0, at - LABEL_BACK) : at] for at in shown if at >= 0)


def _is_account(value: bytes) -> bool:
    """Whether it has the 32 bytes of a public key of Solana, in base58; a private one has 64."""
    if not 43 <= len(value) <= 44 or _IN_BASE58.fullmatch(value) is None:
        return False
    number = 0
    for byte in value:
        number = number * 58 + _ALPHABETS[0].index(byte)
    return 248 < number.bit_length() <= 256


_IN_BASE58 = re.compile(rb"[1-9A-HJ-NP-Za-km-z]++")


def is_coin_address(value: bytes) -> bool:
    """Whether it is an address of Bitcoin, Tron, Ripple or IPFS: its last bytes are the sum of the others."""
    if (segwit := _SEGWIT.fullmatch(value)) is not None:
        return _segwit_sum(segwit[1], segwit[2]) in _SUMS
    if _CONTENT.fullmatch(value):
        return True
    if _CHECKED.fullmatch(value) is None:
        return False
    return any(_is_checked(value, alphabet) for alphabet in _ALPHABETS)


def _segwit_sum(network: bytes, letters: bytes) -> int:
    values = [*(byte >> 5 for byte in network), 0, *(byte & 31 for byte in network)]
    total = 1
    for each in (*values, *map(_SEGWIT_LETTERS.index, letters)):
        top, total = total >> 25, (total & 0x1FFFFFF) << 5 ^ each
        for bit, generator in enumerate(_GENERATORS):
            total ^= generator if top >> bit & 1 else 0
    return total


def _is_checked(value: bytes, alphabet: bytes) -> bool:
    number = 0
    for byte in value:
        number = number * 58 + alphabet.index(byte)
    if number.bit_length() > _SIZE_OF_ADDRESS * 8:
        return False
    plain = number.to_bytes(_SIZE_OF_ADDRESS, "big")
    return sha256(sha256(plain[:-4]).digest()).digest()[:4] == plain[-4:]
