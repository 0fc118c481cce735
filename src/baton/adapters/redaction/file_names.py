# ruff: noqa: E501 (a pattern is easier to read in one line)
"""Passwords in names of files, folders and branches: `router-password-zxcv0987.md`, `hotfix/pw-Gorilla88`.

Most names that hold the word tell what is inside. A value has letters and digits as nobody numbers a file, and a name
of a file has an ending, a folder a slash or its word before it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from baton.adapters.redaction.codes import KIND as PIN
from baton.adapters.redaction.grain import surprise
from baton.adapters.redaction.layer import Anchor, Hit
from baton.adapters.redaction.rules_file import ordinary_words
from baton.adapters.redaction.span import CONTEXT, Span
from baton.adapters.redaction.thresholds import (
    FILE_NAME_AHEAD,
    FILE_NAME_BACK,
    LEAST_SURPRISE,
    LEAST_SURPRISE_OF_LETTERS,
    SHORTEST_TOKEN,
)
from baton.adapters.redaction.typed import in_code, is_typed
from baton.adapters.redaction.work import Work

KIND = "password"
_NOUN = r"(?:password|passwd|passwort|kennwort|passphrase|pass|pwd|pw|mdp|motdepasse|senha|contrasena|clave|wachtwoord|haslo|heslo|parola)"
_PIN = r"(?:pin|passcode|(?:door|safe|gate|alarm|garage|entry|access|locker|unlock)[-_]?code)"
_ENDS = rb"\.(?:txt|md|docx?|pdf|png|jpe?g|gif|heic|webp|zip|7z|rar|xlsx?|ods|odt|rtf|csv|kdbx|html?|log|note|one)\b"
_BEGINS = re.compile(rb"(?:^|[\s\"'`(=:\\/])(?:[\w.+-]{0,60}[-_.])?\Z")
_IS_NAMED = re.compile(
    rb"(?i)(?:[\w.-]/|\b(?:folder|directory|dir|branch|file|named|called|ordner|datei|dossier|fichier|carpeta)[ ][\"'`]?)(?:[\w.+-]{0,60}[-_.])?\Z"
)
_VALUE = re.compile(
    rb"(?:is[-_]|ist[-_])?(?P<value>[A-Za-z0-9!@#$%&+?]{4,40})(?P<file>" + _ENDS + rb")?(?![\w.-]*[-_][A-Za-z0-9])"
)
_CAPITALS = re.compile(rb"(?=.*[a-z])(?=.*[A-Z])(?=.*[0-9].*[0-9]|[A-Z]?[a-z]+[A-Z][a-z]+[0-9]).*")
_SMALL = re.compile(rb"(?![0-9a-f]+\Z)[a-z]{3,}(?!(?:19|20)[0-9]{2}\Z)[0-9]{3,}")
_DIGIT_WITHIN = re.compile(rb"(?![0-9a-f]+\Z)[a-z0-9]*[0-9][a-z][a-z0-9]*")
"""No word with a number behind it, and no hash."""
_SIGNS = re.compile(rb"(?=.*[0-9])(?=.*[A-Za-z]).*[!@#$%&+?].*")
_WORD = re.compile(rb"([A-Za-z]+?)[0-9]+")
_NUMBERED = re.compile(
    rb"(?:19|20)[0-9]{2}|1024|1080|1280|1440|1536|1920|2048|2160|2560|3840|4096|8192|(?:19|20)[0-9]{4}"
)
"""Years, months and sizes of pictures."""
_TOLD = frozenset(
    b"policy guide list reset rules form screen version release draft backup export report audit module hash history generator manager sha oauth"
    b" strength checker ticket build sprint richtlinie".split()
)


class FileNameLayer:
    """Anchored at the word and the sign after it."""

    def anchors(self) -> Sequence[Anchor]:
        return [Anchor(rf"{noun}[-_][A-Za-z0-9]", caseless=True) for noun in (_NOUN, _PIN)]

    def kinds(self) -> Iterable[str]:
        return (KIND, PIN)

    def spans(self, data: bytes, hits: Sequence[Hit], work: Work) -> Iterator[Span]:
        for number, end in sorted(hits, key=lambda hit: hit[1]):
            found = _VALUE.match(data, end - 1, end + FILE_NAME_AHEAD)
            if found is None or not (_is_chosen, _is_pin)[number](found.group("value")) or not work.allows(end):
                continue
            noun = _NOUNS[number].search(data, max(0, end - FILE_NAME_BACK), end - 1)
            if noun is None or not _is_name(data, noun.start(), is_file=found.group("file") is not None):
                continue
            if not in_code(data, end):
                yield Span(*found.span("value"), CONTEXT, (KIND, PIN)[number])


_NOUNS = [re.compile(rf"(?i){noun}[-_]\Z".encode()) for noun in (_NOUN, _PIN)]


def _is_name(data: bytes, start: int, *, is_file: bool) -> bool:
    """Whether the word that begins there stands in the name of a file, a folder or a branch."""
    first = max(0, start - FILE_NAME_BACK)
    return (_BEGINS if is_file else _IS_NAMED).search(data, first, start) is not None


def _is_chosen(value: bytes) -> bool:
    word = _WORD.fullmatch(value)
    if word and (word[1].lower() in _TOLD or word[1].decode().lower() in ordinary_words()):
        return False
    shown = _CAPITALS.fullmatch(value) or _SMALL.fullmatch(value) or _SIGNS.fullmatch(value)
    small = _DIGIT_WITHIN.fullmatch(value) is not None
    least = LEAST_SURPRISE_OF_LETTERS if small or value.isalpha() else LEAST_SURPRISE
    mixed = value.lower() != value != value.upper()
    drawn = (small or mixed) and len(value) >= SHORTEST_TOKEN and surprise(value) >= least
    return (shown is not None or drawn) and is_typed(value, plain=drawn)


def _is_pin(value: bytes) -> bool:
    return value.isdigit() and len(value) <= 8 and _NUMBERED.fullmatch(value) is None
