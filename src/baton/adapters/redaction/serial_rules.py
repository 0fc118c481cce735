# ruff: noqa: E501 (a pattern is easier to read in one line)
"""Keys that people copy by hand: licences and serials in groups, seeds of authenticators; rows of `carrier_rules`."""

from __future__ import annotations

from baton.adapters.redaction.carrier_rules import ANYTHING, row

_LICENCE = (
    r"(?:licen[cs]e|lizenz|licence|licencia|licentie|licens|activation|product|registration|serial|cd|volume|upgrade)"
    r"(?:[ -]?(?:key|code|number|no\.?|nr\.?|\#|schl\xc3\xbcssel|nummer|sleutel|nyckel))?"
    r"|lizenzschl\xc3\xbcssel|seriennummer|aktivierungs(?:code|schl\xc3\xbcssel)|produktschl\xc3\xbcssel"
    r"|cl\xc3\xa9 (?:de licence|de produit|produit|d.{1,3}activation)|code d.{1,3}activation|num\xc3\xa9ro de s\xc3\xa9rie"
    r"|clave de (?:producto|licencia|activaci\xc3\xb3n)|c\xc3\xb3digo de activaci\xc3\xb3n|n\xc3\xbamero de s[e\xc3\xa9]{1,2}rie"
    r"|chave d[eo] (?:produto|licen\xc3\xa7a|ativa\xc3\xa7\xc3\xa3o)|chiave di licenza|codice di attivazione|numero di serie|licentiesleutel|activatiecode|serienummer"
    r"|klucz (?:licencyjny|produktu|aktywacyjny)|numer seryjny|licen\xc4\x8dn\xc3\xad kl\xc3\xad\xc4\x8d"
)
_GROUPS = r"(?-i:(?:[A-Z0-9]{2,8}-){0,6}(?:[A-Z]{1,7}[0-9]|[0-9])[A-Z0-9]{1,7}(?:-[A-Z0-9]{3,8}){2,7}|(?:[A-Z0-9]{2,8}-){2,6}[A-Z]{0,7}[0-9][A-Z0-9]{2,7}(?:-[A-Z0-9]{3,8}){0,6})"
"""Three or more of capitals and digits."""
_SMALL = r"(?-i:(?:[0-9a-z]{4,8}-){0,4}[a-z]{0,6}[0-9][0-9a-z]{3,7}(?:-[0-9a-z]{4,8}){2,6})"
_END = r"(?:[\s,;.)\"'\x60<]|$)"
_OPEN = r"[\"'\x60*(]{0,2}"
_SEED = (
    r"\b(?:totp|2fa|mfa|two[- ]factor|authenticator|otp|2-step)[ -](?:app )?(?:seed|secret|setup key|secret key|key)"
)
_FOUR = r"(?:[2-7][a-z2-7]{3}|[a-z][2-7][a-z2-7]{2}|[a-z]{2}[2-7][a-z2-7]|[a-z]{3}[2-7])"
_BASE32 = rf"(?-i:[A-Z2-7]{{16,64}}|[A-Z]{{0,15}}[2-7][A-Z2-7]{{1,15}}(?: [A-Z2-7]{{4,16}}){{1,15}}|(?:[a-z]{{4}} ){{0,7}}{_FOUR}(?: [a-z2-7]{{4}}){{2,15}})"

SERIALS = (
    row(
        "a licence key",
        rf"\b(?:{_LICENCE})\b[^\n]{{0,28}}[ :=(*\"'\x60][A-Z0-9]{{2,8}}-[A-Z0-9]{{2,8}}-[A-Z0-9]{{3}}",
        rf"\b(?:{_LICENCE})\b(?:[^\n0-9:=<>]{{0,24}}?[ ]?[:=]|[^\n0-9:=<>]{{0,24}}[ ])?[ ]?{_OPEN}({_GROUPS}){_END}",
        ANYTHING,
        examples=(
            "licence key «K3PX-92LM-QQ71-ZZ0V» for two seats",
            "License: «LIC-4417-AAKD-2210» until May",
            "The editor's serial is «SB-1182-7XKQ-009L», thanks",
            "clé de licence : «8F3K-22LM-9Q71» pour 5 postes",
        ),
        left=(
            "License: BSD-3-Clause",
            "the licence is CC-BY-SA-4.0 now",
            "serial port COM3-115200 opened",
            "SPDX-License-Identifier: LGPL-2.1-only",
            "serial number WD-WCC4N7 of the disk",
            "product SKU-4417-BLUE",
        ),
    ),
    row(
        "a licence key in small letters",
        r"\b(?:licen[cs]e|activation|product|registration|serial|cd)[ -](?:key|code)[ :=]",
        rf"\b(?:licen[cs]e|activation|product|registration|serial|cd)[ -](?:key|code)(?: ?[:=]| is)? ?{_OPEN}({_SMALL}){_END}",
        ANYTHING,
        examples=("registration key «5f3c9-77ab1-0d2e4» home",),
        left=("product key sku-blue-shirt-large", "activation code path relu-6-layer"),
    ),
    row(
        "a licence key of a command",
        r"\blicen[cs]\w{0,10}[^\n]{0,40}[ ]--?(?:key|code|serial|activate|license|license-key)[= ]",
        rf"\blicen[cs]\w{{0,10}}[^\n]{{0,40}} --?(?:key|code|serial|activate|license|license-key)[= ]{_OPEN}({_GROUPS}){_END}",
        ANYTHING,
        examples=("licensectl apply --key «LIC-8837-AAKD-2210-MMXZ»\n",),
        left=("licensectl apply --key FILE-NAME\n",),
    ),
    row(
        "a seed of an authenticator",
        _SEED,
        rf"{_SEED}\b(?-i:[^\n0-9A-Z:=]{{0,24}})[ ]?[:=]? ?{_OPEN}({_BASE32}){_END}",
        ANYTHING,
        examples=(
            "TOTP seed «JBSWY3DPEHPK3PXP» for bob",
            "2FA setup key: «mzxw 6ytb oi4t sntq», by hand",
            "authenticator secret is «NB2W 45DF OIZA ORSX», scan it",
        ),
        left=("the TOTP secret must have some char left", "otp key rotation", "TOTP seed: see RFC6238"),
    ),
)
