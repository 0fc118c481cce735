# ruff: noqa: E501 (a pattern is easier to read in one line)
"""What the text around a value makes of it: a header, a package, a port, a folder, part of an address, a label.

Asked only about spans that a rule wants to cut, so that ordinary text pays nothing. A known value is cut even here.
"""

from __future__ import annotations

import re

from baton.adapters.redaction.bare_labels import is_noun
from baton.adapters.redaction.entropy import is_random
from baton.adapters.redaction.names import FOREIGN
from baton.adapters.redaction.span import CONTEXT, Span
from baton.adapters.redaction.thresholds import LABEL_AHEAD, LABEL_BACK

_LINK = "url-password"
"""It is cut out of an address, by a layer that reads them."""
_WORD_KIND = "password"
_HEADER = rb"[A-Z][A-Za-z]*+(?:-[A-Z][A-Za-z]*+)++"
_IS_HEADER = re.compile(_HEADER)
_HEADER_BEFORE = re.compile(rb"(?:\A|[\s,:])(" + _HEADER + rb"),\s+\Z")
_HEADER_AFTER = re.compile(rb",\s+(" + _HEADER + rb")(?![\w-])")
_NO_STANDARD = b"X-"
"""So headers begin that a site made up; a list of them has one of these near by."""
_PORT = re.compile(
    rb"(?i)(?:\blocalhost|\b[0-9]{1,3}(?:\.[0-9]{1,3}){3}|\[[0-9a-f:]{2,39}\]|(?:^|\n)host:[ \t]*[\w.-]{1,80}"
    rb"|[a-z0-9-]\.(?:com|net|org|io|dev|app|local|internal|test|example|lan|corp|localdomain)):\Z"
)
_LONGEST_PORT = 5
_INSTALLS = re.compile(
    rb"(?:\b(?:apt|apt-get|aptitude|dnf|yum|microdnf|zypper|apk|brew|pip[0-9.]*|pipx|npm|pnpm|yarn|gem|cargo|snap|flatpak|choco|conda|mamba|port|pkg|opkg)"
    rb"(?:[ \t]+-[\w=-]++)*+[ \t]+(?:install|add|get|i|reinstall|upgrade|remove|download)|\bpacman[ \t]+-[A-Z]\w*+)(?:[ \t]+[\w.+:@/~=-]++)*+[ \t]+\Z"
)
"""Nothing but options and packages stands between the command and the value."""
_SAYS_PASS = re.compile(
    rb"(?i)passw|passwd|pwd|token|secret|(?:\b|[-_])(?:pass|pw)\b|--?[\w-]*(?:key|auth|cred\w*)[ \t=]+\Z"
)
_ADDRESS = re.compile(
    rb"(?:sftp|scp|ssh|rsync|git|svn|sips?|xmpp|mailto|imaps?|smtps?|ftps?|smb|nfs|ldaps?)(?:\+[a-z]+)?:(?://)?[\w.+%-]+@[\w-]+(?:\.[\w-]+)*(?![\w@])"
    rb"|[a-z][\w.+-]*@(?:[a-z0-9-]+\.)+[a-z]{2,}(?=:[~/])"
)
"""With a user and no password: `sftp:joe@box.example`, and as `scp` writes it, `joe@box.example:/srv`."""
_BREAK = re.compile(rb"[\s\"'`<>(){}\[\]|=,]")
_LONGEST_ADDRESS = 160
_OF_DIRECTORY = re.compile(rb"(?i)(?:^|[^a-z])[pc]wd[\"'`*\])]{0,4}[ \t]*[:=-]{1,2}[ \t]*\Z")
_DIRECTORY = re.compile(
    rb"(?i)(?:(?:the|a|relative|absolute|full|base|current|present|working|starting|initial|process|path|of|to|str|string)[ ,]{1,2}){1,6}(?:director(?:y|ies)|folders?|paths?)\b"
)
_ACTION = re.compile(
    rb"(?i)(?:^|[\s\"'{,_.-])(?:change|confirm|reset|forgot(?:ten)?|edit|update|lost|show|hide|choose|create|request|recover|remember)"
    rb"[._-](?:(?:my|your|the|new|old|current)[_-])?(?:passw(?:or)?d|passphrase)s?(?:[_-]again)?[\"']?[ \t]*[:=][ \t]*[\"']?\Z"
)
_WHICH = re.compile(
    rb"(?i)(?:^|[\s\"'{,_.-])(?:new|old|current|your|my|invalid|wrong|temporary|same|different|change|confirm|reset|forgot(?:ten)?|repeat|retype|re-?enter|enter|update|lost|show|hide|choose)[_ -]?(?:passw(?:or)?d|passphrase)s?(?:[_-]again)?[\"']?[ \t]*[:=][ \t]*[\"']?\Z"
    rb"|(?:passw(?:or)?d|passphrase)[_-](?:confirmation|confirm|again|repeat|new|old)[\"']?[ \t]*[:=][ \t]*[\"']?\Z"
)
_TEXT_WORD = re.compile(rb"[A-Za-z\x80-\xff'-]++[?!:.]?|[?!]")
_DENSE_NOUN = re.compile(FOREIGN.encode().decode("unicode_escape").encode("latin-1"))
_CAPITAL = re.compile(rb"(?:\xc2\xbf)?(?:[A-Z]|[\xc3-\xd0])")
_LONGEST_NOUN = 4
"""Words in one: `mot de passe`, in Vietnamese more."""
_INTERFACE = re.compile(rb"(?:^|[^\w.])[A-Za-z]\w*(?:\.[A-Za-z]\w*){2,}:\Z")
_MEMBER = re.compile(rb"[A-Z]\w*")
_OF_PKCS11 = re.compile(rb"(?i)(?:\bpkcs11:[^\s\"']*|[\"'\s;]|\A)token=\Z")
_PKCS11 = re.compile(
    rb"(?i)[^\s\"';]{0,80};(?:serial|slot-id|slot-description|slot-manufacturer|manufacturer|model|object|module-name|module-path|pin-value|pin-source|library-\w+)="
)
_NAMED_SO = re.compile(rb"(?i)pkcs11:[^\s\"']*token=\Z")
_DENSE = re.compile(rb"(?:[\xe3-\xed][\x80-\xbf]{2}){5}")
"""Letters of scripts without blanks, in a row."""
_MIX = re.compile(rb"(?=[A-Za-z_.-]*[0-9])[\w.-]{6}|[\w.-]{16}")
"""What may be a token among them."""


def is_of_surroundings(data: bytes, span: Span) -> bool:
    start, end, layer, kind = span
    if layer != CONTEXT or kind == _LINK:
        return False
    value, before = data[start:end], data[max(0, start - LABEL_BACK) : start]
    line = before[before.rfind(b"\n") + 1 :]
    after = data[end : end + LABEL_AHEAD]
    if _is_port(value, before) or _is_package(value, line) or _is_header(value, before, after):
        return True
    if (_MEMBER.fullmatch(value) and _INTERFACE.search(line)) or _is_part_of_uri(data, span, line):
        return True
    if kind == _WORD_KIND:
        rest = data[start : end + LABEL_BACK].partition(b"\n")[0]
        if _is_directory(line, rest) or _is_label(line, rest):
            return True
    elif _DENSE.search(value) and not _MIX.search(value):
        return True
    return is_in_address(data, start, end)


def _is_port(value: bytes, before: bytes) -> bool:
    return value.isdigit() and len(value) <= _LONGEST_PORT and _PORT.search(before) is not None


def _is_package(value: bytes, line: bytes) -> bool:
    """Whether it is installed; what follows an option for a password or a token is none."""
    if b" " in value or _INSTALLS.search(line) is None:
        return False
    return _SAYS_PASS.search(line) is None


def _is_header(value: bytes, before: bytes, after: bytes) -> bool:
    """Whether it is one of a list of names of HTTP headers, as CORS and caches have them."""
    if _IS_HEADER.fullmatch(value) is None:
        return False
    near = [found[1] for found in (_HEADER_BEFORE.search(before), _HEADER_AFTER.match(after)) if found]
    return any(name.startswith(_NO_STANDARD) for name in (*near, value)) and bool(near)


def _is_part_of_uri(data: bytes, span: Span, line: bytes) -> bool:
    """The label of a token in a link of PKCS #11, and no token itself."""
    if not line.endswith(b"=") or _OF_PKCS11.search(line) is None:
        return False
    named = _NAMED_SO.search(line) is not None or _PKCS11.match(data, span.start, span.end + LABEL_AHEAD) is not None
    return named and not is_random(data[span.start : span.end].partition(b";")[0])


def _is_directory(line: bytes, rest: bytes) -> bool:
    """Whether `pwd` is said to be the working directory."""
    return _OF_DIRECTORY.search(line) is not None and _DIRECTORY.match(rest) is not None


def _is_label(line: bytes, rest: bytes) -> bool:
    """Whether it is a text on a screen, in a table of translations: words with the word for a password, and behind a
    key that says what is done with one any sentence that begins with a capital.
    """
    action = _ACTION.search(line) is not None
    if not action and _WHICH.search(line) is None:
        return False
    words = rest.rstrip(b" \t\r,;\"'").split()
    if not words or not all(map(_TEXT_WORD.fullmatch, words)):
        return False
    spoken = any(word[:1].islower() for word in words[1:])
    if (action and spoken and _CAPITAL.match(rest)) or (rest[:1] >= b"\xe3" and _DENSE_NOUN.search(rest)):
        return True
    return any(
        is_noun(b" ".join(words[first:last]).strip(b"?!:."))
        for first in range(len(words))
        for last in range(first + 1, min(len(words), first + _LONGEST_NOUN) + 1)
    )


def is_in_address(data: bytes, start: int, end: int) -> bool:
    """Whether it is the user, the host or the scheme of an address without a password, or a part of one of them: what
    is left of an address that was cut in its middle tells neither what it was nor that it was no secret.
    """
    before = data[max(0, start - _LONGEST_ADDRESS) : start]
    first = start - len(before)
    for found in _BREAK.finditer(before):
        first = start - len(before) + found.end()
    address = _ADDRESS.match(data, first, min(len(data), end + _LONGEST_ADDRESS))
    return address is not None and start < address.end()
