"""What a value looks like, whatever stands beside it: code, a word about it, noise."""

from __future__ import annotations

from baton.adapters.redaction.expression import finder
from baton.adapters.redaction.worth import classes, entropy, is_hex, mixed, wordlike

_CODE = finder(
    r"(?i)[a-z_][\w.]*(?:\(|\[|->|::).*|[a-z_][\w]*(?:\.[a-z_]\w*)+|!?[a-z_]\w*[?;]?|[a-z_]+!|&[a-z_]\w*|\w+\|\w+.*|[a-z]+<.*"
)
_CODE_BITS = finder(r"[)\]]\.|\(\)|\[[0-9:-]|^[(\[{]|\]$")
_CALL = finder(r"[A-Za-z_][\w.]*[(\[]")
_DOTTED = finder(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+")
_KIND_WORDS = finder(
    r"(?i)(?:str|string|int|integer|bool|boolean|float|double|number|bytes?|char|object|any|void|null|nil|none|undefined"
    r"|true|false|text|varchar|secretstr|optional|required|typing|self|this|new|await|async|function|return|type|var|let"
    r"|const|not|and|the|is|are|was|for|with|from|must|should|may|can|will|that|which|expired?|invalid|missing|hidden|field"
    r"|input|reset|prompt|empty|unset|blank|weak|strong|wrong|correct|incorrect|same|hashed|encrypted|default|disabled?|enabled?|ok|error|failed|success|yes|no|on|off|todo|n/a|tbd)"
    r"(?:\W.*)?"
)


def is_identifier(held: bytes) -> bool:
    """A bare name of a variable or function, or what may be one."""
    return _CODE.fullmatch(held) is not None


def has_code(held: bytes) -> bool:
    """An expression, or signs of one."""
    return is_expression(held) or _CODE_BITS.search(held) is not None


def is_expression(held: bytes) -> bool:
    """A call, an element, or a short dotted name."""
    return _CALL.match(held) is not None or (len(held) < 20 and _DOTTED.fullmatch(held) is not None)


def is_kind(held: bytes) -> bool:
    """A word about the value in its place, such as `string` or `no, never`; not a random value that begins like one."""
    return _KIND_WORDS.fullmatch(held) is not None and (b" " in held or len(held) < 16 or not is_random(held))


def is_noise(held: bytes) -> bool:
    """Blanks and all: a key drawn from every sign on the keyboard."""
    signs = sum(not (0x30 <= byte <= 0x39 or 0x41 <= byte <= 0x5A or 0x61 <= byte <= 0x7A) for byte in held)
    return len(held) >= 32 and classes(held) == 4 and signs >= len(held) * 0.15 and entropy(held) >= 4.5


def is_random(held: bytes) -> bool:
    if not mixed(held):
        return False
    if is_hex(held):
        return len(held) >= 16
    return entropy(held) >= 3.0 and not wordlike(held)
