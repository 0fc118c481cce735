"""How random a value looks: entropy, mixed classes, pronounceable words."""

from __future__ import annotations

from math import log2

from baton.adapters.redaction.expression import finder

_UPPER = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ")
_LOWER = frozenset(b"abcdefghijklmnopqrstuvwxyz")
_DIGITS = frozenset(b"0123456789")
_HEX = frozenset(b"0123456789abcdefABCDEF")
_VOWELS = frozenset(b"aeiouyAEIOUY")
_LONGEST_LOOKED_AT = 256
_LONG_HEX = 16
_PAIRS = frozenset(
    b"ab ac ad ag ai al am an ap ar as at au av ay ba be bi bl bo bs bu ca cc ce ch ci ck cl co cr ct cu da de"
    b" di do ds du ea ec ed ee ef eg el em en ep er es et ev ex fa fe ff fi fo fu ge gh gi gn gr gu ha he hi ho"
    b" ia ib ic id ie if ig il im in io ip ir is it iv iz ke la ld le li ll lo ls lt lu ly ma mb me mi mm mo mp"
    b" na nc nd ne nf ng ni nn no ns nt nu ob oc od og oi ol om on oo op or os ot ou ov ow pa pe ph pi pl po pp"
    b" pr pt qu ra rc rd re rg ri rm rn ro rr rs rt ru ry sa sc se sh si sl so sp ss st su ta te th ti tl to tr"
    b" ts tt tu ty ua ub uc ue ui ul um un up ur us ut va ve vi wa wi xp xt yp ze".split()
)
"""The commonest pairs of letters: of nineteen words in twenty they are at least 60 %, of one in ten random ones."""


def entropy(value: bytes) -> float:
    """Bits per byte, by the value's own frequencies."""
    if not value:
        return 0.0
    value = value[:_LONGEST_LOOKED_AT]
    size = len(value)
    return -sum((count := value.count(byte)) / size * log2(count / size) for byte in set(value))


def classes(value: bytes) -> int:
    """How many of upper case, lower case, digits and other characters there are."""
    held = set(value)
    return sum((bool(held & _UPPER), bool(held & _LOWER), bool(held & _DIGITS), bool(held - _UPPER - _LOWER - _DIGITS)))


def has_digit(value: bytes) -> bool:
    return not _DIGITS.isdisjoint(value)


def has_letter(value: bytes) -> bool:
    return not (_UPPER.isdisjoint(value) and _LOWER.isdisjoint(value))


def is_hex(value: bytes) -> bool:
    return _HEX.issuperset(value)


def mixed(value: bytes) -> bool:
    """Letters and digits."""
    return has_digit(value) and has_letter(value)


def wordlike(value: bytes) -> bool:
    """Made of words a person could say: identifiers, sentences, file names with a number at their end."""
    looked = value[:_LONGEST_LOOKED_AT]
    if len(looked) >= _LONG_HEX and has_digit(looked) and is_hex(looked):
        return False
    words = _words(looked)
    letters = sum(map(len, words))
    if not letters or letters < len(looked) * 0.4 or len(words) > 1 + letters / 4 or _numbers_within(looked) > 1:
        return False
    spoken = sum(len(word) for word in words if _spoken(word))
    return spoken >= letters * (0.75 if has_digit(looked) else 0.6)


def _numbers_within(value: bytes) -> int:
    """Numbers with a letter right before and after them."""
    count, letter_before = 0, False
    for at, byte in enumerate(value[1:-1], 1):
        if byte in _DIGITS:
            letter_before = letter_before or value[at - 1] in _UPPER or value[at - 1] in _LOWER
            count += letter_before and (value[at + 1] in _UPPER or value[at + 1] in _LOWER)
        else:
            letter_before = False
    return count


def _words(value: bytes) -> list[bytes]:
    """Runs of letters, parted where a capital begins a word."""
    words: list[bytes] = []
    start = -1
    for at, byte in enumerate(value):
        letter = byte in _LOWER or byte in _UPPER
        if start >= 0 and (not letter or (byte in _UPPER and value[at - 1] in _LOWER)):
            words.append(value[start:at])
            start = -1
        elif start >= 0 and at - start >= 2 and byte in _LOWER and value[at - 2] in _UPPER and value[at - 1] in _UPPER:
            words.append(value[start : at - 1])
            start = at - 1
        if letter and start < 0:
            start = at
    return [*words, value[start:]] if start >= 0 else words


def _spoken(word: bytes) -> bool:
    """In one case after its first letter, with the pairs of letters that words have."""
    if len(word) <= 2:
        return len(word) == 1 or word.isupper() or not _VOWELS.isdisjoint(word)
    if not (word.islower() or word.isupper() or word[1:].islower()):
        return False
    small = word.lower()
    pairs = sum(small[at : at + 2] in _PAIRS for at in range(len(small) - 1))
    return pairs >= min(0.6 * (len(small) - 1), len(small) - 2) or (len(word) <= 4 and word.isupper())


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
