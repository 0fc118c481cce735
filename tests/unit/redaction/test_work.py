"""How much is read of a text that was made to be slow: counted, for a clock on a busy machine tells nothing.

Each byte is scanned a few times, whatever it says, and all layers together spend only so much. What that takes is
measured by `python -m bench --only redaction`.
"""

from __future__ import annotations

import base64
import random
import re
from collections.abc import Callable, Mapping, Sequence

import pytest

from baton.adapters.redaction import carriers, prose, tokens, work
from baton.adapters.redaction.expression import Expression, Match
from baton.adapters.redaction.known_values import KnownValues
from baton.adapters.redaction.layer import Anchor
from baton.adapters.redaction.passages import Passage
from baton.adapters.redaction.prefilter import Cache, Prefilter, open_prefilter
from baton.adapters.redaction.redactor import LayeredRedactor, layers
from baton.adapters.redaction.scanner import Scanner
from baton.adapters.redaction.span import Span
from baton.adapters.redaction.talk_rules import TALK
from baton.adapters.redaction.thresholds import MEGABYTE, MOST_WORK
from baton.adapters.redaction.value_reader import WrittenValue
from baton.adapters.redaction.vendors import VendorLayer

SIZE = 80_000
MOST_SCANS = 6
"""Of a byte: as it is, decoded, across line breaks, and all of that once more around a cut."""


class Counted:
    """Makes prefilters that count the bytes they are given, and counts what layers spend on what they find."""

    def __init__(self, cache: Cache) -> None:
        self._cache = cache
        self._made: dict[int, Prefilter] = {}
        self.scanned = 0
        self.spent = 0

    def prefilter(self, anchors: Sequence[Anchor]) -> Prefilter:
        """Compiled once for all tests: every scanner asks for the same anchors."""
        if len(anchors) not in self._made:
            self._made[len(anchors)] = open_prefilter(anchors, self._cache)
        return CountingPrefilter(self._made[len(anchors)], self)


class CountingPrefilter:
    def __init__(self, inner: Prefilter, counted: Counted) -> None:
        self._inner = inner
        self._counted = counted

    def ends(self, data: bytes) -> Mapping[int, Sequence[int]]:
        self._counted.scanned += len(data)
        return self._inner.ends(data)


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> Counted:
    return Counted(Cache(str(tmp_path_factory.mktemp("rules"))))


@pytest.fixture
def counted(rules: Counted, monkeypatch: pytest.MonkeyPatch) -> Counted:
    rules.scanned = rules.spent = 0
    takes = work.Budget.takes

    def counting(self: work.Budget, price: int) -> bool:
        allowed = takes(self, price)
        rules.spent += price if allowed else 0
        return allowed

    monkeypatch.setattr(work.Budget, "takes", counting)
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
    "lists": lambda word: f"passwords: {word[:3]}9, ",
    "questions": lambda word: f"ann: the password?\njoe: {word}9032\n",
    "blanks of HTML": lambda word: f"password:&nbsp;{word}9&nbsp;",
    "arguments": lambda word: f'"--password", "{word}9", ',
    "clauses": lambda word: f"the password changed, it's now {word}9032 ",
    "codes": lambda word: f"the pin is {int(word, 36) % 10_000:04d} ",
    "below": lambda word: f"password:\n  {word}9032\n",
    "columns": lambda word: f"user  password\nann  {word}9032\n",
    "wrapped": lambda word: f"ghp_{word * 3}\n{word * 3}\n",
    "again": lambda word: f"password={word}9032 {word}9032\n",
}


def redactor_of(rules: Counted) -> LayeredRedactor:
    known = {f"SECRET_{number}": random.Random(number).randbytes(12).hex() for number in range(20)}
    return LayeredRedactor(Scanner(layers(), rules.prefilter), KnownValues(known))


def read(rules: Counted, text: str) -> None:
    redactor_of(rules).redact(text)


@pytest.mark.parametrize("piece", SAME)
def test_the_same_piece_again_and_again_is_scanned_a_few_times(counted: Counted, piece: str) -> None:
    read(counted, piece * (SIZE // len(piece.encode())))
    assert counted.scanned <= MOST_SCANS * SIZE


@pytest.mark.parametrize("form", DIFFERENT.values(), ids=DIFFERENT)
def test_text_in_which_every_part_is_another_costs_only_so_much(
    counted: Counted, form: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever it consists of; and a second call, which has as much to spend again, finds nothing more."""
    monkeypatch.setattr(work, "MOST_WORK", SIZE // 20)
    dice, parts, length = random.Random(1), ["| user | password |\n|---|---|\n"], 0
    while length < SIZE:
        parts.append(form("".join(dice.choices("abcdefghijklmnopqrstuvwxyz", k=6))))
        length += len(parts[-1].encode())
    redactor = redactor_of(counted)
    once = redactor.redact("".join(parts)).text
    assert counted.scanned <= MOST_SCANS * length
    assert counted.spent <= SIZE // 20
    assert redactor.leaks(once) == ()
    assert redactor.redact(once).text == once


ROWS = [(row.name, example) for row in (*carriers._RULES, *TALK) for example in row.examples]


def test_with_nothing_to_spend_the_value_of_every_row_goes_unread(
    counted: Counted, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever it stands, also below its place; and nothing of it comes to light when there is time again."""
    redactor = redactor_of(counted)
    for name, example in ROWS:
        values = re.findall("«([^»]*)»", example)
        text = "x\n\n" + re.sub("[«»]", "", example) + "\n\n\nThe tide is low.\n"
        monkeypatch.setattr(work, "MOST_WORK", -1)
        unread = redactor.redact(text).text
        monkeypatch.undo()
        assert [value for value in values if value in unread] == [], (name, unread)
        assert redactor.leaks(unread) == (), (name, unread)


ORDINARY: dict[str, Callable[[str, int], str]] = {
    "settings": lambda word, n: f"{word}_HOST={word}.internal\n{word}_PASSWORD=${{{word}}}\n{word}_TOKEN_TTL={n}\n\n",
    "logs": lambda word, n: f'{{"level":"info","msg":"the key of {word}","token_count":{n},"auth":"oidc","ms":{n}}}\n',
    "chat": lambda word, n: (
        f"ann: did you reset the password of {word}?\njoe: yes, the {word} team asked for {n} characters\n"
        f"ann: good, then we can look at the pictures of the harbour before lunch\n"
    ),
}


@pytest.mark.parametrize("form", ORDINARY.values(), ids=ORDINARY)
def test_ordinary_text_needs_less_than_there_is(counted: Counted, form: Callable[[str, int], str]) -> None:
    """However dense: counted for a megabyte, of which so much is read here."""
    dice, parts, length = random.Random(1), list[str](), 0
    while length < SIZE:
        parts.append(form("".join(dice.choices("abcdefghijklmnopqrstuvwxyz", k=6)), dice.randrange(1_000, 9_999)))
        length += len(parts[-1])
    read(counted, "".join(parts))
    assert counted.spent * MEGABYTE // length < MOST_WORK


def test_lines_of_base64_end_with_no_name(counted: Counted) -> None:
    """However much the letters before the sign that fills a line up look like one."""
    dice = random.Random(1)
    lines = (f"{base64_of(dice.randbytes(20).hex()[1:])}Ypwd{dice.randrange(100, 999)}w=\n" for _ in range(SIZE // 70))
    read(counted, "".join(lines))
    assert counted.spent < SIZE // 70


def test_where_every_fifth_line_is_a_secret_the_others_stay(counted: Counted, monkeypatch: pytest.MonkeyPatch) -> None:
    """That is more than there is time for: behind it secrets go unread, and nothing else goes with them."""
    monkeypatch.setattr(work, "MOST_WORK", MOST_WORK * SIZE // MEGABYTE)
    dice = random.Random(1)
    words = ["".join(dice.choices("bdfghlmnrv", k=6)) for _ in range(SIZE // 90)]
    form = "# {0} of the shop\n{0}_HOST=db7.internal\n{0}_PORT=5432\n{0}_PASSWORD={1}\n{0}_LEVEL=info\n\n"
    redacted = redactor_of(counted).redact("".join(form.format(word, f"{word}4821xQ") for word in words)).text
    shown = re.sub(r"\[redacted: \w+\]", "*", redacted)
    assert shown == "".join(form.format(word, "*") for word in words)
    assert "[redacted: value]" in redacted


def test_sentences_that_name_a_vendor_are_judged_only_so_often(
    counted: Counted, monkeypatch: pytest.MonkeyPatch
) -> None:
    judged: list[int] = []
    judge = VendorLayer._judge

    def counting(self: VendorLayer, data: bytes, place: WrittenValue, end: int, strict: bool = False) -> Span | None:
        judged.append(end)
        return judge(self, data, place, end, strict)

    monkeypatch.setattr(VendorLayer, "_judge", counting)
    read(counted, "".join(f"stripe key x{number:06d}ya{number:06d}Xb7 " for number in range(MOST_WORK // 8)))
    assert len(judged) <= MOST_WORK // 8


def test_eight_times_the_text_is_eight_times_the_scan(counted: Counted) -> None:
    text = "".join(f"password={random.Random(number).randbytes(10).hex()}\n" for number in range(300))
    read(counted, text)
    once = counted.scanned
    counted.scanned = 0
    read(counted, text * 8)
    assert counted.scanned <= 8 * once + len(text)


def test_a_key_that_begins_again_and_again_is_read_up_to_the_next(
    counted: Counted, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However close they stand: a prefilter reports each of them several times."""
    read_of: list[int] = []

    class CountingBody(Expression):
        def match(self, data: bytes, start: int = 0, end: int | None = None) -> Match | None:
            read_of.append((len(data) if end is None else end) - start)
            return super().match(data, start, end)

    monkeypatch.setattr(tokens, "_BODY", CountingBody(tokens._BODY.pattern))
    read(counted, "-----BEGIN RSA PRIVATE KEY-----\n" * (SIZE // 32))
    assert sum(read_of) <= 2 * SIZE


def test_only_so_many_words_near_cues_are_weighed(counted: Counted, monkeypatch: pytest.MonkeyPatch) -> None:
    most = 200
    asked: list[int] = []
    parts = Passage.parts

    def counting(self: Passage, at: int, last: int) -> list[tuple[str, ...]]:
        asked.append(at)
        return parts(self, at, last)

    monkeypatch.setattr(Passage, "parts", counting)
    monkeypatch.setattr(prose, "MOST_ASKED", most)
    read(counted, "".join(f'"--password", "heron{number}x9", ' for number in range(2_000)))
    assert len(asked) <= 2 * most
