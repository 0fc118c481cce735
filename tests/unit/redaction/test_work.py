"""How much is read of a text that was made to be slow: counted, for a clock on a busy machine tells nothing.

Each byte is scanned a few times, whatever it says, and each layer takes only so many looks. What that takes is measured
by `python -m bench --only redaction`.
"""

from __future__ import annotations

import base64
import random
from collections.abc import Callable, Sequence

import pytest

from baton.adapters.redaction import work
from baton.adapters.redaction.known_values import KnownValues
from baton.adapters.redaction.layer import Anchor, Hit
from baton.adapters.redaction.prefilter import Cache, Prefilter, open_prefilter
from baton.adapters.redaction.redactor import LayeredRedactor, layers
from baton.adapters.redaction.scanner import Scanner
from baton.adapters.redaction.span import Span
from baton.adapters.redaction.thresholds import LOOKS_ALIKE, MOST_LOOKS
from baton.adapters.redaction.value_reader import WrittenValue
from baton.adapters.redaction.vendors import VendorLayer

SIZE = 80_000
MOST_SCANS = 6
"""Of a byte: as it is, decoded, across line breaks, and all of that once more around a cut."""


class Counted:
    """Makes prefilters that count the bytes they are given, and counts the looks that layers take at what they find."""

    def __init__(self, cache: Cache) -> None:
        self._cache = cache
        self._made: dict[int, Prefilter] = {}
        self.scanned = 0
        self.looks = 0

    def prefilter(self, anchors: Sequence[Anchor]) -> Prefilter:
        """Compiled once for all tests: every scanner asks for the same anchors."""
        if len(anchors) not in self._made:
            self._made[len(anchors)] = open_prefilter(anchors, self._cache)
        return CountingPrefilter(self._made[len(anchors)], self)


class CountingPrefilter:
    def __init__(self, inner: Prefilter, counted: Counted) -> None:
        self._inner = inner
        self._counted = counted

    def hits(self, data: bytes) -> list[Hit]:
        self._counted.scanned += len(data)
        return self._inner.hits(data)


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> Counted:
    return Counted(Cache(str(tmp_path_factory.mktemp("rules"))))


@pytest.fixture
def counted(rules: Counted, monkeypatch: pytest.MonkeyPatch) -> Counted:
    rules.scanned = rules.looks = 0
    allows = work.Work.allows

    def counting(self: work.Work, end: int) -> bool:
        allowed = allows(self, end)
        rules.looks += allowed
        return allowed

    monkeypatch.setattr(work.Work, "allows", counting)
    return rules


def base64_of(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


SAME = (
    *("a", "password=", "-----BEGIN RSA PRIVATE KEY-----\n", "eyJ", "a://", " ", '"', ".", "[redacted: ", "ghp_", "-"),
    *('password="', "password: x\n", "a://b:c@", "a0A", "github=", "4111 ", "ghp_" + "a" * 36 + " ", "\x1b[", "AKIA"),
    *("key is a1b2c3d4 ", "<token>", "bearer ", "$1$", "password is x9 ", "\u200b", "\uff41", "\\n", "=", "%3D"),
    *("abcdefghijklmnop\nabcdefg", "password%3Dabcdef12 ", "password,"),
)
DIFFERENT: dict[str, Callable[[str], str]] = {
    "lines": lambda word: f"password={word}\n",
    "one line": lambda word: f";pwd={word}",
    "quotes": lambda word: f'password="{word}" ',
    "tokens": lambda word: f"ghp_{word * 6} ",
    "names": lambda word: f"user={word} password={word}\n",
    "flags": lambda word: f" --password {word}",
    "escapes": lambda word: f"\x1b[31mpassword\x1b[0m={word}\n",
    "tags": lambda word: f"<password>{word}</password>",
    "calls": lambda word: f'login("x","{word}")',
    "headers": lambda word: f"Bearer {word}X1{word}\n",
    "JWTs": lambda word: f"eyJhbGciOiJI{word}.eyJ{word * 4}.{word * 6}\n",
    "percent signs": lambda word: f"password%3D{word}7x ",
    "percent signs, dense": lambda word: f"%3D{word[:3]}",
    "base64": lambda word: base64_of(f"the settings: password={word}{word}9X\n") + " ",
    "entities": lambda word: "".join(f"&#{ord(each)};" for each in f"password={word}") + " ",
    "spaced": lambda word: f"password={word}".encode().hex(" ") + "\n",
    "pieces": lambda word: f'"{word}" + "{word}9x" , ',
    "diff": lambda word: f"{word}{word}Xa\n+{word}9{word}\n",
    "sentences": lambda word: f"the password is {word}9. ",
    "rows": lambda word: f"| {word} | Sun{word}x9 |\n",
    "invisible": lambda word: f"pass\u200bword={word}9\n",
    "UTF-16": lambda word: "".join(f"{each}\0" for each in f"password={word}9X\n"),
}


def read(rules: Counted, text: str) -> None:
    scanner = Scanner(layers(), rules.prefilter)
    known = {f"SECRET_{number}": random.Random(number).randbytes(12).hex() for number in range(20)}
    LayeredRedactor(scanner, KnownValues(known)).redact(text)


@pytest.mark.parametrize("piece", SAME)
def test_the_same_piece_again_and_again_is_scanned_a_few_times(counted: Counted, piece: str) -> None:
    read(counted, piece * (SIZE // len(piece.encode())))
    assert counted.scanned <= MOST_SCANS * SIZE


@pytest.mark.parametrize("form", DIFFERENT.values(), ids=DIFFERENT)
def test_text_in_which_every_part_is_another_takes_only_so_many_looks(
    counted: Counted, form: Callable[[str], str]
) -> None:
    dice, parts, length = random.Random(1), ["| user | password |\n|---|---|\n"], 0
    while length < SIZE:
        parts.append(form("".join(dice.choices("abcdefghijklmnopqrstuvwxyz", k=6))))
        length += len(parts[-1].encode())
    read(counted, "".join(parts))
    assert counted.scanned <= MOST_SCANS * length
    assert counted.looks <= 2 * MOST_LOOKS * LOOKS_ALIKE


def test_sentences_that_name_a_vendor_are_judged_only_so_often(
    counted: Counted, monkeypatch: pytest.MonkeyPatch
) -> None:
    judged: list[int] = []
    judge = VendorLayer._judge

    def counting(self: VendorLayer, data: bytes, place: WrittenValue, end: int, strict: bool = False) -> Span | None:
        judged.append(end)
        return judge(self, data, place, end, strict)

    monkeypatch.setattr(VendorLayer, "_judge", counting)
    read(counted, "".join(f"stripe key x{number:06d}ya{number:06d}Xb7 " for number in range(3 * MOST_LOOKS)))
    assert len(judged) <= 2 * MOST_LOOKS


def test_eight_times_the_text_is_eight_times_the_scan(counted: Counted) -> None:
    text = "".join(f"password={random.Random(number).randbytes(10).hex()}\n" for number in range(300))
    read(counted, text)
    once = counted.scanned
    counted.scanned = 0
    read(counted, text * 8)
    assert counted.scanned <= 8 * once + len(text)
