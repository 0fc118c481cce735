# ruff: noqa: E501 (a pattern is easier to read in one line)
"""What stands beside a secret or a word for one and is none: keywords, commands, accounts, paths, versions, key ids.

Asked only about spans that a rule wants to cut, so that ordinary text pays nothing. A known value is cut even here.
"""

from __future__ import annotations

import re
from functools import lru_cache

from baton.adapters.redaction.entropy import is_random
from baton.adapters.redaction.span import CONTEXT, Span
from baton.adapters.redaction.thresholds import LABEL_AHEAD, LABEL_BACK, SHORTEST_LONG

_KEYWORD = re.compile(rb"(?:await|async|yield|typeof|lambda|None|NULL|nil|undefined|nullptr)[:;,)]*")
_GOES_ON = re.compile(rb"[ \t]+[\w($\[{]|[ \t]*\r?(?:\n|\Z)")
_PSEUDO = re.compile(
    rb":?(?:hover|focus|focus-(?:within|visible)|before|after|active|visited|disabled|enabled|checked|required|optional|invalid|valid|empty|placeholder"
    rb"|placeholder-shown|read-only|first-child|last-child|only-child|autofill|target|(?:not|is|where|has|nth-[a-z-]+)\(.*|-[a-z-]+)[,{]?(?:\\n)?"
)
_SELECTOR = re.compile(
    rb"(?:^|[\s,>+~}])[\w-]*[.#\]][\w.#-]*:{1,2}\Z|\[[\w-]+[~|^$*]?=[\"']?[\w-]+[\"']?\](?:[^\s,]{0,60}|[^,;\n]{0,40})?:{1,2}\Z"
)
_CMDLET = re.compile(
    rb"(?:Get|Read|Convert(?:To|From)?|Invoke|New|Import|Export|Set|Select|Out|Test|Join|Add|Resolve|Start|Write|Format|Where)-[A-Z][A-Za-z]+"
)
_OPERAND = re.compile(rb"[A-Z][A-Z0-9]*+(?:_[A-Z0-9]++)++")
_COUNTED_ON = re.compile(
    rb"[ \t]+(?:[-+*/|&^]|<<|>>)[ \t]+(?:0x[0-9A-Fa-f]+|[0-9]+|[A-Z][A-Z0-9_]*)[ \t]*(?:[;,)#]|//|/\*|\r?\n|\Z)"
)
"""`CKA_NSS + 6`: a number that is counted from another."""
_OF_PATTERN = re.compile(rb"\(\?[:imsxP<=!]|[)][|][(]")
_IN_PATTERN = re.compile(rb"(?i)(?:regexp?|pattern|\bre\.\w+\()[^\n]*\Z|[\"'/][^\n]*\(\?[:imsxP<=!][^\n]*\Z")
_MEMBER = re.compile(rb"[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)*\??\.([A-Za-z_$][\w$]*)")
_NAMED = re.compile(rb"([A-Za-z_$][\w$]*)[ \t]*[:=][ \t]*\Z")
_JOINED_TO_FOLDER = re.compile(
    rb"=[ \t]*[\w.()\[\]]*(?i:dir|folder|path|root|base|home|here|parent|parents\[[0-9]\]|__file__\))[ \t]*/[ \t]*[rbf]?[\"']\Z"
)
"""`STATIC_DIR / "x"`: so Python joins the parts of a path."""
_ASSIGNED = re.compile(rb"=[ \t]*\(?[ \t]*\Z")
_ASSIGNED_IN_POWERSHELL = re.compile(rb"\$[\w:.]+[ \t]*=[ \t]*\(?[ \t]*\Z|=[ \t]*\([ \t]*\Z")
_OTHER_PASS = re.compile(
    rb"(?i)\b(?:mountain|alpine|boarding|parking|season|ski|bus|lift|day|rail|train|travel|hall|press|backstage|monthly|annual|weekly|park|museum|hunting|fishing|event|festival|city|tourist)\s+pass:\s*\Z"
)
_BRANCH = re.compile(
    rb"(?i)(?:^|[\s*(])[\w.-]+(?:/[\w.-]+)+(?<!password)(?<!passwort)(?<!passwd)(?<!secret)(?<!token)(?<!_key)(?<!-key):\s\Z"
)
_COMMIT = re.compile(rb"(?=[0-9]*[a-f])(?=[a-f]*[0-9])[0-9a-f]{7,12}(?: .*)?")
_KEY_OF_STORE = re.compile(
    rb"(?:[a-z][a-z_-]*+|[0-9][0-9.]*+|\*)(?::(?:[a-z][a-z_-]*+|[0-9][0-9.]*+|\*|\{[\w.-]*+\}))++"
)
_JOINED = re.compile(rb"[A-Za-z0-9_-]:\Z")
_PACKAGE = re.compile(
    rb"[0-9]{1,2}:[0-9]+[.+~-][\w.+~-]*+|[0-9]+(?:\.[0-9]+)+[+~-][\w.+~-]*(?:ubuntu|deb|dfsg|el[0-9]|fc[0-9]|alpine|r[0-9])[\w.+~-]*"
)
_CONTENT = re.compile(rb"baf[ky][a-z2-7]{52,60}|Qm[1-9A-HJ-NP-Za-km-z]{44}")
"""Of IPFS: the hash of what it names."""
_SIGNING = re.compile(
    rb"(?i:\buser\.signingkey)[ \t]*[= \t][ \t]*\Z|(?:^|\s)signing[kK]ey[ \t]*=[ \t]*\Z|(?i:\bsigning key)[ \t]*:?[ \t]*(?i:id[ \t]*:?[ \t]*)?\Z"
)
"""As git's settings and people name the key with which commits are signed; a server's is a secret."""
_KEY_ID = re.compile(rb"(?i)(?:0x)?(?:[0-9a-f]{8}|[0-9a-f]{16}|[0-9a-f]{40})!?")
_CALLED_ID = re.compile(
    rb"(?i)\b(?:key|recovery key|identifier)[ _-]?(?:id|identifier)\s*[:=]\s*\{?\Z|\bid\s*:\s*\{?\Z"
)
_UUID = re.compile(rb"(?i)\{?[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\}?")
_ACCOUNT = re.compile(
    rb"(?i)(?:^|[^A-Za-z])(?:login|log-?in|user(?:[_ -]?(?:name|id))?|client[_ -]?id|app[_ -]?id|account(?:[_ -]?id)?)[\"']?\s*[:=]\s*[\"']?\Z"
)
_ACCOUNT_KINDS = ("credential", "secret")
_NAMES_ONE = re.compile(
    rb"--(?:secrets|set-secrets|update-secrets|token-name|password-name)[= ][\"']?\Z"
    rb"|\b(?:docker|podman|buildah|nerdctl|kubectl|fly|gcloud|modal|az|heroku)\b[^\n]*--secret[= ][\"']?\Z"
)
_NAME = re.compile(rb"[a-z][a-z0-9]*+(?:[-_/.][a-z0-9]++)++(?::[\w.-]+)?")
_PEER = re.compile(rb"(?i)\bpeer:?\s+\Z")
_WIREGUARD = re.compile(rb"[A-Za-z0-9+/]{43}=")
_PUBLISHABLE = re.compile(rb"pk_(?:test|live)_\w++")
_PATH = re.compile(rb"(?:~|\.{1,2}|[A-Za-z]:)?(?:[/\\][a-z0-9_.@%+,-]+){2,}[/\\]?")
_STANDARD = re.compile(rb"PKCS ?#[0-9]{1,2}")
_ENCODING = re.compile(
    rb"(?i)(?:base(?:16|32|58|64|64url)|hex|utf-?(?:8|16)|ascii|latin-?1|json|plain ?text|clear ?text|md5|sha-?[0-9]{1,3})"
)
_ENCODED = re.compile(rb"(?i)\b(?:in|to|as|into|from|using|with|of|and)[ \t]+[\"'`(*]{0,2}\Z")
_PUBLIC_KEY = re.compile(rb"(?:ssh-(?:dss|rsa|ed25519)|ecdsa-sha2-[a-z0-9-]+)[ \t]+(?:[0-9]{3,5}[ \t]+)?\Z")
_PAGE = re.compile(
    rb"(?:\b(?:page|next|prev(?:ious)?|continuation|sync|resume|start|last)[_-]?(?:[pP]age)?[_-]?[tT]oken|[a-z](?:Page|Next|Sync|Continuation)Token)[\"']?[ \t]*[:=][ \t]*[\"']?\Z"
)
"""How far a list has been read."""
_LOOKUP = re.compile(rb"__(?:i?(?:contains|startswith|endswith|regex)|isnull|in|range|[gl]te?)[ \t]*=[ \t]*[\"']?\Z")
"""How a field is compared."""
_SITE = re.compile(rb"(?i)verification[\"'][ ]+content=[\"']\Z")
_RECORD = re.compile(
    rb"(?:\bIN|[ \t][0-9]{2,6})[ \t]+(?:DNSKEY|TLSA|SSHFP|RRSIG|DS|CAA|TXT)[ \t]+(?:[0-9A-Z]{1,12}[ \t]+)*[\"']?(?:v=DKIM1;[ \t]*(?:[a-z]=[a-z0-9]+;[ \t]*)*p=)?\Z"
)
"""What a zone tells everybody."""
_WHOSE = re.compile(rb"\bdid:[a-z0-9]{2,12}:\Z")
_SUMMED = re.compile(rb"checksum/[\w.-]{1,60}[\"']?:[ \t]*[\"']?\Z")
_TRACED = re.compile(rb"(?i)(?:build|span|trace|request|correlation|parent|zone|log)[_ -]?id[\"']?[ ]?[:=][ ]?[\"']?\Z")
_DIGITS = re.compile(rb"[0-9a-f-]{8,36}")
_SEALED = re.compile(rb"Ag[A-D][A-Za-z0-9+/]{100,}={0,2}")
"""What a cluster's public key encrypted, as SealedSecret keeps it."""
_WAY_IN = rb"(?:publickey|keyboard-interactive|hostbased|gssapi-with-mic|password)"
_WAYS_IN = re.compile(rb"publickey|keyboard-interactive|%b(?:,%b)+" % (_WAY_IN, _WAY_IN))
_MAP = re.compile(rb"(?:hash|btree|lmdb|texthash|cdb|regexp|pcre|proxy|mysql|pgsql|ldap):[/a-z].*")
"""Where a mail server looks something up."""
_ACCESSOR = re.compile(rb"\baccessor[\"']?[ \t:=]+[\"']?\Z")
_CACHE = re.compile(
    rb"(?i)\bcache (?:saved|restored|hit|miss(?:ed)?|not found|found|created|reserved)\b[^\n]{0,60}\bkeys?:[ ]*\Z"
)
_STACKED = re.compile(rb"\bpam_\w+\([\w-]+:\Z")
_LOOKED_UP = re.compile(rb"\{\{[^{}\n]*\blookup\([^)\n]*\Z")
_RECIPIENT = re.compile(rb"age1[0-9a-z]{50,70}")
_DURATION = re.compile(rb"P(?=[0-9T])(?:[0-9]+[YMWD])*(?:T(?:[0-9]+[HMS])+)?")
_REGISTRY = re.compile(rb"(?:HK[A-Z]{2,3}|HKEY_[A-Z_]+|SOFTWARE|SYSTEM)\\.*")
_RESOURCE = re.compile(rb"[A-Z]\w+::[A-Z]\w+::[A-Z]\w+[\"']?[ \t]*:[ \t]*[\"']?\Z")
"""The type of a resource, as CloudFormation names them."""
_POINT = re.compile(rb"AAAA[A-Za-z0-9+/=]+")
_FINGERPRINT = re.compile(rb"(?:SHA256:)?[A-Za-z0-9+/_-]{43}=?")
_ANYTHING = re.compile(rb"[^\n]*")
_COOKIE = re.compile(rb"(?i)(?:^|[\s\"'])(?:set-)?cookie[\"']?[ \t]*[:=,][ \t]*[\"']?\Z")
_VARIABLE_NAME = re.compile(rb"[A-Z][A-Z0-9]*+(?:_[A-Z0-9]++)++=(?=[^=])")
"""`creds: AWS_ACCESS_KEY_ID=…`: what is given there has a name of its own."""
_COOKIE_NAME = re.compile(rb"[\w.-]{1,60}=(?=.)")


_LOOSE = "azure-storage-key"
"""The form of any 64 bytes in base64."""


def without_cookie_name(data: bytes, span: Span) -> Span:
    """A cookie's value, or a variable's: its name says which one it is."""
    if span.layer != CONTEXT or b"=" not in data[span.start : span.start + LABEL_AHEAD]:
        return span
    if said := _VARIABLE_NAME.match(data, span.start, span.end):
        return span._replace(start=said.end())
    named = _COOKIE_NAME.match(data, span.start, span.end)
    if named is None or _COOKIE.search(data, max(0, span.start - LABEL_AHEAD), span.start) is None:
        return span
    return span._replace(start=named.end())


def is_bystander(data: bytes, span: Span) -> bool:
    value = data[span.start : span.end]
    if span.kind == "stripe-key" and _PUBLISHABLE.fullmatch(value):
        return True
    if span.layer != CONTEXT and span.kind != _LOOSE:
        return False
    before = data[max(0, span.start - LABEL_BACK) : span.start]
    before = before[before.rfind(b"\n") + 1 :]
    return _stands_beside(span.kind, value, before, data[span.end : span.end + LABEL_AHEAD])


@lru_cache(maxsize=1024)
def _stands_beside(kind: str, value: bytes, before: bytes, after: bytes) -> bool:
    return (
        _is_code(value, before, after)
        or _is_number_or_name(value, before)
        or _is_account(kind, value, before)
        or (_OTHER_PASS.search(before) is not None)
    )


def _is_code(value: bytes, before: bytes, after: bytes) -> bool:
    """A keyword, a class of a style sheet, a command of PowerShell, an operand, a part of a pattern or of a path, a
    member that is called as what it is given to.
    """
    if _KEYWORD.fullmatch(value):
        return _GOES_ON.match(after) is not None
    if _OPERAND.fullmatch(value) and _COUNTED_ON.match(after) and _ASSIGNED.search(before):
        return True
    if _OF_PATTERN.search(value) and _IN_PATTERN.search(before):
        return True
    member, named = _MEMBER.fullmatch(value), _NAMED.search(before)
    if (member and named and member[1] == named[1]) or _JOINED_TO_FOLDER.search(before):
        return True
    if _PSEUDO.fullmatch(value) and _SELECTOR.search(before):
        return True
    return _CMDLET.fullmatch(value) is not None and _ASSIGNED_IN_POWERSHELL.search(before) is not None


_ANYWHERE = (_PACKAGE, _CONTENT, _STANDARD, _REGISTRY, _RECIPIENT, _DURATION, _SEALED, _WAYS_IN, _MAP)
"""What is none whatever stands before it: versions of packages, hashes that name what they are of, standards, registries."""
_BEHIND = (
    (_COMMIT, _BRANCH),
    (_KEY_OF_STORE, _JOINED),
    (_KEY_ID, _SIGNING),
    (_UUID, _CALLED_ID),
    (_WIREGUARD, _PEER),
    (_NAME, _NAMES_ONE),
    (_ENCODING, _ENCODED),
    (_POINT, _PUBLIC_KEY),
    (_FINGERPRINT, _PUBLIC_KEY),
    (_ANYTHING, _PAGE),
    (_ANYTHING, _LOOKUP),
    (_ANYTHING, _RESOURCE),
    (_ANYTHING, _SITE),
    (_ANYTHING, _ACCESSOR),
    (_ANYTHING, _CACHE),
    (_ANYTHING, _STACKED),
    (_ANYTHING, _LOOKED_UP),
    (_ANYTHING, _RECORD),
    (_ANYTHING, _WHOSE),
    (_ANYTHING, _SUMMED),
    (_DIGITS, _TRACED),
)
"""What is none behind what: the value, and what ends right before it."""


def _is_number_or_name(value: bytes, before: bytes) -> bool:
    """A commit behind its branch, a key of a store, a version, a hash, the id of a key, the name of a secret, a path."""
    if any(form.fullmatch(value) for form in _ANYWHERE):
        return True
    if any(form.fullmatch(value) and place.search(before) for form, place in _BEHIND):
        return True
    return _PATH.fullmatch(value) is not None and not is_random(value.replace(b"/", b""))


def _is_account(kind: str, value: bytes, before: bytes) -> bool:
    """Who logs in: a short name or number, behind a word that says so."""
    return (
        kind in _ACCOUNT_KINDS
        and b":" not in value
        and len(value) < SHORTEST_LONG
        and _ACCOUNT.search(before) is not None
    )
