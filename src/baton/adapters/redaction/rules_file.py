"""Reads the rule tables in `rules/`: vendors' tokens, vendors' names and shapes, common and ordinary words."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from baton.core.value import value

TOKENS, VENDORS, COMMON, ORDINARY = "tokens.txt", "vendors.txt", "common.txt", "ordinary.txt"
SENTENCES, SPEECH, CODES, RECOVERY, NOUNS = "sentences.txt", "speech.txt", "codes.txt", "bip39.txt", "nouns.txt"
CLAUSES, LISTS, CUES, HEALTH = "clauses.txt", "lists.txt", "cues.txt", "health.txt"
NOTES, NOTES_WITHIN, PUBLISHED = "notes.txt", "notes_within.txt", "published.txt"
_ALPHABETS = {
    "hex": "[A-Fa-f0-9]",
    "digits": "[0-9]",
    "word": "[A-Za-z0-9_-]",
    "text": "[A-Za-z0-9_.~+/=!:-]",
}
_RULES = Path(__file__).with_name("rules")
"""Not by `importlib.resources`, which takes longer to import than the tables take to read."""
_UUID = "[A-Fa-f0-9]{8}-[A-Fa-f0-9]{4}-[A-Fa-f0-9]{4}-[A-Fa-f0-9]{4}-[A-Fa-f0-9]{12}"


@value
class TokenRule:
    """A token known by its form: `pattern` without flags, its secret in group 1 if there is one."""

    kind: str
    entropy: float
    pattern: str
    caseless: bool
    digits: bool = True


@value
class VendorRule:
    """A vendor whose keys are known only beside its name; `shape` fits the whole value."""

    kind: str
    names: tuple[str, ...]
    shape: str


@value
class Speech:
    """How one language says a password: the fields of `rules/speech.txt`."""

    name: str
    nouns: tuple[str, ...] = ()
    copulas: tuple[str, ...] = ()
    as_words: tuple[str, ...] = ()
    verbs: tuple[str, ...] = ()
    moves: tuple[tuple[str, str], ...] = ()
    more: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()


def token_rules() -> tuple[TokenRule, ...]:
    return tuple(_token(line) for line in _lines(TOKENS))


def vendor_rules() -> tuple[VendorRule, ...]:
    return tuple(_vendor(line) for line in _lines(VENDORS))


@cache
def common_words() -> frozenset[str]:
    return frozenset(word for line in _lines(COMMON) for word in line.split())


@cache
def ordinary_words() -> frozenset[str]:
    """Words of everyday technical text."""
    return frozenset(word for line in _lines(ORDINARY) for word in line.split())


@cache
def further_nouns() -> frozenset[str]:
    """Words for a password in languages whose sentences are not read."""
    return frozenset(word.strip() for line in _lines(NOUNS) for word in line.split(","))


@cache
def speech() -> tuple[Speech, ...]:
    """The languages in the order of the file."""
    held: dict[str, dict[str, tuple[str, ...]]] = {}
    for line in _lines(SPEECH):
        language, field, words = line.split(maxsplit=2)
        held.setdefault(language, {})[field] = tuple(word.strip() for word in words.split(","))
    return tuple(
        Speech(
            name,
            fields.get("noun", ()),
            fields.get("is", ()),
            fields.get("as", ()),
            fields.get("use", ()),
            tuple((one, two) for one, _, two in (word.partition("/") for word in fields.get("from", ()))),
            fields.get("more", ()),
            fields.get("key", ()),
        )
        for name, fields in held.items()
    )


@cache
def table(name: str, what: str) -> frozenset[str]:
    """All languages' words of one kind, of a table whose lines are: language, kind, words."""
    rows = (line.split(maxsplit=2) for line in _lines(name))
    return frozenset(word.strip() for _, kind, words in rows if kind == what for word in words.split(","))


@cache
def cue_words() -> dict[str, str]:
    """Words beside which a secret may stand in prose, each with its kind."""
    return {word: kind for kind, word in _cues() if kind != _OTHER}


@cache
def other_words() -> frozenset[str]:
    """Words beside which something stands that is no secret."""
    return frozenset(word for kind, word in _cues() if kind == _OTHER)


_OTHER = "other"


def _cues() -> Iterator[tuple[str, str]]:
    for line in _lines(CUES):
        kind, words = line.split(maxsplit=1)
        yield from ((kind, word.strip()) for word in words.split(","))


@cache
def sentence_words() -> frozenset[bytes]:
    """What is said about a password, and what holds sentences together; small and as bytes."""
    about = (word.strip("()").encode() for each in speech() for said in each.more for word in said.split())
    return frozenset(word.encode() for line in _lines(SENTENCES) for word in line.split()).union(about)


@cache
def note_words() -> frozenset[str]:
    """How notes begin that stand where a password could."""
    return frozenset(word for line in _lines(NOTES) for word in line.split())


@cache
def note_parts() -> tuple[bytes, ...]:
    """What such notes contain in scripts that part no words."""
    return tuple(word.encode() for line in _lines(NOTES_WITHIN) for word in line.split())


@cache
def published_values() -> frozenset[bytes]:
    """What standards and vendors print as examples, without padding."""
    return frozenset(word.rstrip("=").encode() for line in _lines(PUBLISHED) for word in line.split())


@cache
def recovery_words() -> frozenset[bytes]:
    return frozenset(word.encode() for line in _lines(RECOVERY) for word in line.split())


def _lines(name: str) -> Iterator[str]:
    table = _RULES.joinpath(name).read_text(encoding="utf-8")
    return (line for line in table.splitlines() if line and not line.startswith("#"))


def _token(line: str) -> TokenRule:
    kind, entropy, pattern = line.split(maxsplit=2)
    caseless = pattern.startswith("(?i)")
    least = 0.0 if entropy == "-" else float(entropy.rstrip("!"))
    return TokenRule(kind, least, pattern.removeprefix("(?i)"), caseless, not entropy.endswith("!"))


def _vendor(line: str) -> VendorRule:
    kind, names, shapes = line.split(maxsplit=2)
    return VendorRule(f"{kind}-key", tuple(names.split("|")), "|".join(map(_shape, shapes.split("|"))))


def _shape(words: str) -> str:
    """`hex 32-40` as a pattern."""
    if words.strip() == "uuid":
        return _UUID
    alphabet, lengths = words.split()
    return f"{_ALPHABETS[alphabet]}{{{lengths.replace('-', ',')}}}"
