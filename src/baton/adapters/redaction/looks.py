"""What says by its own look that it is no secret, wherever it stands: versions, algorithms, paths in XML, packages."""

from __future__ import annotations

import re

_REQUIREMENT = re.compile(rb"[A-Za-z][\w.-]*+(?:\[[\w,-]*+\])?(?:,?(?:[<>=!~]=|[<>])[0-9]++(?:\.[\w*]++)++)++")
"""`tokenizers>=0.23.1,<0.24.0`."""
_VERSION = re.compile(rb"v?[0-9]++\.[0-9]++\.[0-9]++-(?:[a-z0-9]+\.)*[0-9]{14}-[0-9a-f]{12}(?:\+[a-z]++)?")
"""As Go calls a commit: `0.0.0-20170929234023-d6e3b3328b78`."""
_NUMBER = re.compile(rb"-?[0-9][0-9_]*+(?:[iu](?:8|16|32|64|128|size)|f(?:32|64))|-[0-9]{1,10}+")
_PUBLISHED = re.compile(rb"[A-Z][\w ]++; [A-Z][a-z]++ 20[0-9]{2}")
"""How Stellar calls a network: `Public Global Stellar Network ; September 2015`."""
_FILTER = re.compile(rb"(?:band|low|high|all)pass", re.I)
_DIRECTIVE_FIRST = re.compile(rb"(?:\\[tnr])*+%[sdvq](?:[&;,/(].*)?")
"""Where a program puts a value in: `passwd=%s&page=1`."""
_ALGORITHM = re.compile(
    rb"(?i)(?=.*(?:chacha|poly1305|aes|hmac|sha[0-9]|rsa|pkcs|ecdsa|eddsa|25519|camellia|aria))"
    rb"(?:(?:x?chacha20|poly1305|aes|gcm|cbc|ctr|ccm|siv|hmac|sha[0-9]?|rsa(?:es|ssa)?|pkcs|oaep|pss|psk|ecdsa|eddsa|ed|x|ecdhe?|dhe?|md5|aria|camellia"
    rb"|3?des|ede|kw|hs|rs|es|ps|v|p|with|and|tls|mgf1?|[0-9]{1,5})[-_/.]?){2,}"
)
"""`ChaCha20-Poly1305`, `RSAPKCS1v15`."""
_MASKED = re.compile(rb"\w+\([bru]?[\"']?\*{3,}[\"']?\)?")
HASHER = re.compile(
    rb"(?i)poly1305|x?chacha20|argon2(?:id?|d)?|bcrypt|scrypt|pbkdf2(?:[-_:]?(?:hmac[-_]?)?sha[0-9]+)?|[sy]ha[0-9]*_?crypt"
)
_URN = re.compile(rb"(?i)urn:[a-z0-9-]+:[\w.:/-]+")
_XPATH = re.compile(rb"(?:\.{0,2}//?)?(?:[\w*-]+:)?[\w*-]+(?:\[[^\]\n]*\]+)?(?://?@?\w+:\w+(?:\[[^\]\n]*\]+)?)+")
_RATE = re.compile(rb"[0-9]+/(?:[0-9]*[smhd]|sec(?:ond)?|min(?:ute)?|hour|day)(?:/[a-z]+)?(?:,.*)?")
_OF_RANGE = re.compile(rb"[0-9A-F]{35}:[0-9]+")
"""A line of what Have I Been Pwned answers."""
_SCOPED = re.compile(rb"@[a-z0-9][a-z0-9._-]*/[a-z0-9][a-z0-9._-]*(?::[A-Za-z]+)?")
"""A package of npm, perhaps with one of its settings."""
_DESCRIBED = re.compile(rb"(?i)(?:pass\w+|token|key|secret) (?:if|for|of|to|used|that|which|when) .*")
_OF_DOCUMENTS = re.compile(rb"[\w+/.-]{8,}EXAMPLE(?:KEY|TOKEN)?=*|[A-Za-z0-9+/]{8,}/{8,}wE[A-Za-z0-9+/=]+")
"""As Amazon marks what its documents show."""
_CHARACTER = re.compile(rb"U000[0-9A-Fa-f]{5}|U\+[0-9A-F]{4,6}")
_CHANGE = re.compile(rb"I[0-9a-f]{40}")
"""As Gerrit calls one."""
_MODULE = re.compile(rb"pam_\w+\.so")
_FENCE = re.compile(rb"`{3}[a-z]*+")
"""Where a block of code begins in Markdown."""
_POWER = re.compile(rb"[0-9]\^[a-z][0-9]?")
_METRIC = re.compile(rb"[0-9.]+\|[a-z]+(?:\\n)?")
_MAN_PAGE = re.compile(rb".*\\f[BIRP].*\\f[BIRP].*|\\f[BI].*|\\&.*|.*\\&")
_TYPE_OF_MARKDOWN = re.compile(rb"_?(?:string|integer|boolean|object|function|array|number|buffer|mixed|stream)_")
_ANNEXED = re.compile(rb"[A-Z][A-Z0-9_]{2,15}(?:-[sSmC][0-9]++)++--[^\s\"'<>]++")
"""As git-annex calls a file: how it is summed up, its size, the sum. `MD5E-s10000--d41d8cd9.dat`."""
_LITERAL = re.compile(
    rb"[+-]?[0-9]++\.[0-9]++[eE][+-]?[0-9]++|[+-][0-9]++[eE][+-]?[0-9]++|[+-]?0(?:[oO][0-7_]++|[bB][01_]++)"
)
"""A number with a sign, a point or a base of its own."""
_FUNCTION_HEAD = re.compile(
    rb"(?:pub(?:lic)? |static |async |export |default )*(?:func|fn|def|function) [\w(*$][^\n]*\)[^\n()]*[{:;]?"
)
"""A whole statement of a program, in quotes."""
_LENGTH = re.compile(rb"(?<![0-9])[1-9][0-9]?")
_PART = re.compile(rb"[A-Za-z][a-z_]*")
_MANGLED = re.compile(rb"(?:_Z|I[0-9A-Z]|N[0-9KS]|St|S_)\w*E\w{0,4}|I0E\w*")
_LEAST_OF_NAMES, _SHARE_OF_NAMES = 6, 5
"""Letters in names behind their length, and of how many bytes one is such a letter. By hand: of random values that
begin and end so one in 300 has them."""

_DURATION = re.compile(rb"(?:[0-9]++(?:\.[0-9]++)?(?:[hdwms]|ms|us|ns)){2,}")
"""As Go writes one: `2160h0m0s`."""
_RULE_OF_POLICY = re.compile(rb"(?:not )?(?:rule|role):[\w.-]++(?: (?:and|or|and not|or not) (?:rule|role):[\w.-]++)*")

_LOOKS = (
    *(_REQUIREMENT, _VERSION, _NUMBER, _PUBLISHED, _FILTER, _DIRECTIVE_FIRST, _ALGORITHM, _MASKED, HASHER),
    *(
        _URN,
        _XPATH,
        _RATE,
        _OF_RANGE,
        _SCOPED,
        _DESCRIBED,
        _OF_DOCUMENTS,
        _CHARACTER,
        _CHANGE,
        _MODULE,
        _FENCE,
        _POWER,
        _METRIC,
        _MAN_PAGE,
        _TYPE_OF_MARKDOWN,
        _DURATION,
        _RULE_OF_POLICY,
        _ANNEXED,
        _LITERAL,
        _FUNCTION_HEAD,
    ),
)


def has_look_of_its_own(value: bytes) -> bool:
    return any(form.fullmatch(value) for form in _LOOKS) or _is_mangled(value)


def _is_mangled(value: bytes) -> bool:
    """Whether it is a name of C++ as compilers write it: each name in it behind its length. `I000EXN3abc2ns3fooE`."""
    if _MANGLED.fullmatch(value) is None:
        return False
    told = 0
    for found in _LENGTH.finditer(value):
        size = int(found.group())
        name = value[found.end() : found.end() + size]
        if 1 < size == len(name) and _PART.fullmatch(name) and not value[found.end() + size :][:1].islower():
            told += size
    return told >= _LEAST_OF_NAMES and told * _SHARE_OF_NAMES >= len(value)
