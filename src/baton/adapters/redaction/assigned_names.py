"""Names before an operator: which of several is meant, and where the sign after one gives it no value."""

from __future__ import annotations

import re

from baton.adapters.redaction.chosen_tokens import MAY_NAME_ONE
from baton.adapters.redaction.expression import Expression
from baton.adapters.redaction.names import STEMS, strength_of
from baton.adapters.redaction.programs import is_head_in_program
from baton.adapters.redaction.thresholds import (
    FLAG_BACK,
    NAME_BACK,
    TAG_AHEAD,
)
from baton.adapters.redaction.value_reader import SCHEMES

OPERATORS = b"=:>,|"
_CLOSING_TAG = re.compile(rb"</[\w:.-]+[ \t]*>\Z")
_PLACEHOLDER = re.compile(rb"[=:][ \t]*[\"']?<([\w .-]+)>\Z")
_IN_TWO_WORDS = (
    r"(?:\b(?:api|access|app|account|auth|client|deploy|encryption|license|master|private|secret|service|signing) )?"
)
"""`Acme API key: …` says as much as `acme_api_key`."""
_NAME_BEFORE = Expression(rf"(?i)({_IN_TWO_WORDS}[\w.$-]*(?:{'|'.join(STEMS)})[\w.-]*)([^=:>,|]*)\|?[=:>,|]$")
_FIRST_ARGUMENT = Expression(
    r"""(?:\(|\bbuildConfigField|\bresValue)\s*(?:["']String["']\s*,\s*)?[a-z]?["'\x60][\w.$ -]*["'\x60]\s*,$"""
)
_OWN_NAME = re.compile(rb"[ \t]([A-Za-z_][\w.-]*+)=\Z")
_RESOURCE = Expression(r"[A-Z]\w+::[A-Z]\w+::[A-Z]\w+[\"']?[ \t]*:$")
"""The type of a resource, as CloudFormation names them."""
_REST_OF_MAKE = (b"=", b":=", b"::=")
"""What follows a colon where make assigns at once: `NAME ::= x`, `NAME :::= x`."""
_BAR, COMMA = 0x7C, 0x2C
_ELSEWHERE = Expression(r"[?&\n]| --?[A-Za-z]|/[\w-]+[ \t]|[.!;] ")
_NO_NAME = b" \t\"'])"
_ATTRIBUTE = re.compile(rb"[a-z]+(?:-[a-z]+)*=")
"""`yubikey:slot-id=9c`: the first attribute of a link that is called after the device, and judged by its own name."""


def says_what_is_done(data: bytes, name: bytes, first: int) -> bool:
    """Whether a part of a program is named and then what it does: `FdoSecrets: Display existing services`,
    `secrets:decrypt-to-local`.
    """
    if name == b"secrets":
        return data[first - 1 : first] == b":" and _COMMAND.match(data, first) is not None
    return _COMPONENT.fullmatch(name) is not None and _DOES.match(data, first) is not None


_COMMAND = re.compile(rb"[a-z]+(?:-[a-z]+){2,}\b")
_COMPONENT = re.compile(rb"[A-Z][a-z]+(?:[A-Z][a-z]+)+s")
_DOES = re.compile(rb"[A-Z][a-z]+ [a-z]{2,} [a-z]{2,}")
_MAY_SAY_PASSWORD = re.compile(
    rb"(?i)pass|pw|ps[wk]|secret|contrase|senha|kennwort|mnemonic|seed|wachtw|heslo|haslo|lozin|losen|salas|jelsz|mdp|sifre|[\x80-\xff]"
)
"""What every name has that says password."""
_PARTED = bytes(0x3D if byte in OPERATORS else byte for byte in range(256))
_VERSION = rb"[~^<>=v]{0,2}+[0-9]++(?:\.[0-9]++)++"
_ENDS_THERE = rb"""(?=\s)(?![ \t]*+[="'`&\\(\[])"""
"""Behind a word that neither is a type nor opens a string."""
_IDLE = re.compile(
    rb"""[=:>~|?+]*+[ \t]{0,64}+(?:"(?:[^"\\\n]{1,3}+|%b)"|'(?:[^'\\\n]{1,3}+|%b)'|""(?!")|''(?!')"""
    rb"""|[0-9][^\s"'`<>]{0,2}+[\s"'`<>]|"(?P<quoted>[A-Za-z._-]{4,11}+|[\w.-]{4,7}+)"|(?:\r?\n[ \t]{0,63}+)?+"""
    rb"""(?!new )(?:[^\s"'`<>|]{1,3}+%b|(?P<bare>[A-Za-z._-]{1,11}+|[\w.-]{1,7}+)[,;)}\]]{0,3}+%b))"""
    % (_VERSION, _VERSION, _ENDS_THERE, _ENDS_THERE)
)
_LONGEST_END = 40
"""Of a name, with what may stand between it and its value."""


def closes_tag(data: bytes, end: int) -> bool:
    """Whether `</password>` ends there, or the placeholder `=<password>` that no tag closes: the rest is another's."""
    if data[end - 1 : end] != b">":
        return False
    if _CLOSING_TAG.search(data, max(0, end - FLAG_BACK), end):
        return True
    held = _PLACEHOLDER.search(data, max(0, end - FLAG_BACK), end)
    return held is not None and data.find(b"</" + held[1] + b">", end, end + TAG_AHEAD) < 0


_PADDED_BACK = 28
_PADDED = re.compile(rb"(?=[A-Za-z+/]*[0-9])[A-Za-z0-9+/]{26,27}={1,2}\Z")
"""The end of a line of base64, which is no name of what stands on the next one."""


def is_idle(data: bytes, end: int) -> bool:
    """Whether it needs no look, as most values beside a name in ordinary text: nothing, a version, a line of base64, or
    a short word beside a name that says nothing of a password. What reads and judges values says the same, later.
    """
    while data[end - 1] not in OPERATORS:
        end -= 1
    idle = _IDLE.match(data, end)
    if idle is None:
        return data[end : end + 1] in b"\r\n" and _PADDED.match(data, end - _PADDED_BACK, end) is not None
    quoted, bare = idle.groups()
    if quoted is None and (bare is None or bare.lower() in SCHEMES):
        return bare is None
    return says_no_password(data[max(0, end - NAME_BACK) : end])


def says_no_password(named: bytes) -> bool:
    """The name is what follows the operator before the last one."""
    last = -2 if named.endswith(b"||") else -1
    if _MAY_SAY_PASSWORD.search(named, named[:last].translate(_PARTED).rfind(b"=") + 1):
        return False
    return MAY_NAME_ONE.search(named, max(0, len(named) - _LONGEST_END)) is None


def name_in(before: bytes) -> tuple[bytes, bytes]:
    """The name before an operator, and what is between them. Of several, the first of the last line or link part."""
    named, between = b"", b""
    is_value = False
    found = _NAME_BEFORE.search(before)
    while found is not None and (not named or is_value or named.endswith(b".") or _ELSEWHERE.search(between)):
        name = found.group(1).rstrip(_NO_NAME)
        if strength_of(name) is not None:
            named, between = name, found.group(2)
            is_value = before[max(0, found.start(1) - 1) : found.start(1)] == b"="
        found = _NAME_BEFORE.search(before, found.end(1))
    return _inner_name(named, between)


_INNER = re.compile(rb"[(\[{,][ \t]{0,4}[\"']?([A-Za-z_][\w.-]{0,60})[\"'\])]{0,4}[ \t]*\Z")


def _inner_name(named: bytes, between: bytes) -> tuple[bytes, bytes]:
    """Of an argument or an element, its own name if it says more than what it is given to: `login(password=`."""
    inner = _INNER.search(between)
    strength = strength_of(inner[1]) if inner else None
    if inner is None or strength is None or strength >= (strength_of(named) or 0):
        return named, between
    return inner[1], between[inner.end(1) :]


def is_no_assignment(data: bytes, end: int, before: bytes, name: bytes) -> bool:
    """Whether it is a later argument, one of several strings, a comparison, `Secret::new`, or a shell's variable."""
    operator = data[end - 1]
    if operator == 0x3A and b"::" in before and _RESOURCE.search(before):
        return True
    if operator == 0x3A and _is_part_of_address(data, end, before, name):
        return True
    if operator == _BAR and before.rstrip(b"| \t")[-1:] in (b"'", b'"'):
        return True
    if operator == 0x3E and data[end : end + 1] == b"@":
        return True
    if operator == COMMA:
        return _FIRST_ARGUMENT.search(before) is None
    if is_head_in_program(before, data[end : end + 1]):
        return True
    if before.endswith((b") ->", b") =>")) or (operator == 0x3D and _is_others(before, name)):
        return True
    if operator == 0x3A and b"::" in data[end - 2 : end + 1] and not data.startswith(_REST_OF_MAKE, end):
        return True
    return (operator == 0x3E and data[end : end + 1] == b"=") or (
        operator == 0x3A and name.startswith(b"$") and not _IS_GIVEN.search(before + data[end : end + 1])
    )


def _is_part_of_address(data: bytes, end: int, before: bytes, name: bytes) -> bool:
    """Of what a build makes, of a device, of a seed's link."""
    if b"//" in before and _TARGET.search(before):
        return True
    if name.lower() == b"yubikey" and _ATTRIBUTE.match(data, end):
        return True
    return b"otpauth://" in before and b" " not in before[before.rfind(b"otpauth://") :]


_TARGET = re.compile(rb"(?:\A|[\s\"'(,@])[\w-]*//(?!/)[\w./-]*:\Z")
"""`//pkg/volume/secret:go_default_library`, as Bazel calls what is built."""
_IS_GIVEN = re.compile(rb":=\Z|[\"'`]\$[\w.-]{1,60}[\"'`][ \t]?:.?\Z")
"""A variable of a template that gets a value, or a name of JSON, and no variable in a text."""


def _is_others(before: bytes, name: bytes) -> bool:
    """Whether another name stands right before the sign: `salt-cloud -f create_volume ec2 zone=…`."""
    own = _OWN_NAME.search(before)
    return own is not None and not own[1].endswith(name) and strength_of(own[1]) is None
