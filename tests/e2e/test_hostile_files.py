"""Files that somebody made or damaged: refused with line and reason, or imported exactly; never anything in between."""

from __future__ import annotations

import json
import random
import unicodedata
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from baton.core.errors import BadLine
from baton.core.log.session import HANDOFF
from baton.engine.archive import Imported, export_lines, import_lines
from baton.ports.store import Store
from tests.support.backends import BACKENDS
from tests.support.exports import (
    CONVERSATION,
    DRAFT,
    GOLDEN,
    HEAD,
    PACKET,
    PLACE,
    ROOT,
    TRANSFER,
    Lines,
    dump,
    edited,
    record,
    renamed,
    resealed,
    with_line,
)
from tests.support.hostile import KINDS, SEED

Stores = dict[str, Store]
LONGEST_MESSAGE = 4000
MEGABYTES = 10_000_000

NUMBERS = [True, 1.5, -1, 0, 1, 2, 2**31 - 1, 2**31, 2**32, 2**53 + 1, 2**62, 2**63, 10**400]
WORDS = [
    "",
    "x",
    "open",
    "failed",
    "a\nb",
    "\0",
    "\ud800",
    "\ud83d\ude00",
    "\x1b[31m",
    "\u202e",
    "../../etc/passwd",
    "{}",
    "x" * 5000,
]
VALUES: list[Any] = [None, [], {}, *NUMBERS, *WORDS, CONVERSATION, ROOT, HEAD, PACKET, DRAFT, TRANSFER, PLACE]
FIELDS = [(line, name) for line in range(2, 12) for name in record(GOLDEN, line) if name != "type"]


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stores]:
    """One of each kind with a conversation that must not change, whatever is imported."""
    sandbox = tmp_path_factory.mktemp("sandbox")
    with ExitStack() as stack:
        backends = {name: make(sandbox) for name, make in BACKENDS.items()}
        for backend in backends.values():
            stack.enter_context(backend.stack)
        opened = {name: backend.open() for name, backend in backends.items()}
        for store in opened.values():
            import_lines(store, GOLDEN, "golden")
        yield opened
        for store in opened.values():
            assert_still_whole(store)
    assert [path for path in sandbox.iterdir() if path.name != "store"] == []


def assert_still_whole(store: Store) -> None:
    """Not only unchanged, but able to go on."""
    assert exported(store, CONVERSATION) == GOLDEN
    assert [finding.level for finding in store.upkeep.check()] == ["ok"]
    proof = store.conversations.claim(CONVERSATION, "owner", 60)
    store.sessions.advance(proof, HEAD, edge=HANDOFF, end_reason=HANDOFF)


def exported(store: Store, *ids: str) -> Lines:
    return [line.encode() for line in export_lines(store, ids)]


def outcome(store: Store, lines: Lines) -> str:
    """The refusal, or that everything was imported exactly. Nothing but a `BadLine` may be raised."""
    try:
        done = import_lines(store, iter(lines), "hostile.jsonl")
    except BadLine as refused:
        return judged(str(refused))
    assert_exact(store, done, lines)
    return f"added {len(done.added)}, knew {len(done.known)}"


def judged(message: str) -> str:
    assert message.startswith("hostile.jsonl, line ")
    assert len(message) <= LONGEST_MESSAGE
    assert [c for c in message if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp")] == []
    return message


def assert_exact(store: Store, done: Imported, lines: Lines) -> None:
    """The order of lines says nothing. Bindings are left out: a place may have been bound before."""
    written = [json.loads(line) for line in exported(store, *done.added, *done.known)]
    given = [json.loads(line) for line in lines if line.strip()]
    assert content(written) == content(given)


def content(records: list[Any]) -> list[str]:
    return sorted(repr(each) for each in records if each["type"] not in ("binding", "end"))


def assert_all_alike(stores: Stores, lines: Lines, what: str) -> None:
    outcomes = {name: outcome(store, lines) for name, store in stores.items()}
    assert len(set(outcomes.values())) == 1, f"{what}: {outcomes}"


def assert_nothing_changed(stores: Stores) -> None:
    for name, store in stores.items():
        assert exported(store, CONVERSATION) == GOLDEN, name


def test_there_are_enough_of_them() -> None:
    assert len(FIELDS) * len(VALUES) >= 500
    assert sum(len(made) for made in DAMAGED.values()) >= 500


@pytest.mark.timeout(180)
@pytest.mark.parametrize(("line", "name"), FIELDS)
def test_a_field_with_any_value_is_refused_or_kept_exactly(stores: Stores, line: int, name: str) -> None:
    """The file is made on purpose: its checksum fits."""
    first = (FIELDS.index((line, name)) + 1) * 1000
    for number, value in enumerate(VALUES, first):
        lines = resealed(edited(renamed(GOLDEN, number), line, **{name: value}))
        assert_all_alike(stores, lines, f"{name} = {ascii(value)[:60]}")
    assert_nothing_changed(stores)


def cut() -> Iterator[Lines]:
    """Torn at any byte."""
    whole, places = b"\n".join(GOLDEN), random.Random(SEED)
    for _ in range(100):
        yield whole[: places.randrange(len(whole))].split(b"\n")


def flipped() -> Iterator[Lines]:
    """One byte is another one."""
    whole, places = b"\n".join(GOLDEN), random.Random(SEED)
    for _ in range(150):
        place = places.randrange(len(whole))
        yield (whole[:place] + bytes([whole[place] ^ 1 << places.randrange(8)]) + whole[place + 1 :]).split(b"\n")


def shuffled() -> Iterator[Lines]:
    """Lines lost, doubled, moved."""
    places = random.Random(SEED)
    for _ in range(40):
        lines = list(GOLDEN)
        lines.insert(places.randrange(len(lines)), lines.pop(places.randrange(len(lines))))
        yield lines
        yield resealed(lines)
        kept, doubled = list(GOLDEN), list(GOLDEN)
        del kept[places.randrange(len(kept))]
        doubled.insert(places.randrange(len(doubled)), places.choice(GOLDEN))
        yield from (kept, resealed(kept), doubled, resealed(doubled))


def mixed() -> Iterator[Lines]:
    """Two files in one, line by line or one inside the other."""
    places = random.Random(SEED)
    for number in range(20):
        one, other = renamed(GOLDEN, 10 + 2 * number), renamed(GOLDEN, 11 + 2 * number)
        yield [GOLDEN[0], *(line for pair in zip(one[1:], other[1:], strict=True) for line in pair)]
        place = places.randrange(2, len(one) - 1)
        yield one[:place] + other[1:] + one[place:]
        yield one + other


def intruders() -> Iterator[Lines]:
    """A hostile line somewhere."""
    places = random.Random(SEED)
    for text in (text for kind in KINDS.values() for text in kind if len(text) < 10_000):
        line = text.encode("utf-8", "surrogatepass").replace(b"\n", b" ")
        yield with_line(GOLDEN, places.randrange(1, 13), line)
        yield resealed(with_line(GOLDEN, places.randrange(2, 12), dump({"type": text})))


def monsters() -> Iterator[Lines]:
    """Too much of something."""
    for line in (
        b"x" * MEGABYTES,
        b'{"type":"' + b"x" * MEGABYTES + b'"}',
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b'{"type":"entry","body":' + b'{"a":' * 100_000 + b"1" + b"}" * 100_001,
        b'{"type":"entry","seq":' + b"9" * 100_000 + b"}",
        b'{"type":"entry","seq":1e999999}',
        b'{"type":"entry",' + b",".join(b'"k%d":1' % n for n in range(100_000)) + b"}",
        b"\0" * 1000,
        b"\xff\xfe" + "{}".encode("utf-16-le"),
        b"\xef\xbb\xbf{}",
        b"\xc0\x80\xed\xa0\x80\xf8\x88\x80\x80\x80",
    ):
        yield with_line(GOLDEN, 9, line)
        yield [line]
    yield [GOLDEN[0]] * 1000
    yield GOLDEN * 3


DAMAGED = {made.__name__: list(made()) for made in (cut, flipped, shuffled, mixed, intruders, monsters)}


@pytest.mark.timeout(180)
@pytest.mark.parametrize("damage", DAMAGED)
def test_a_damaged_file_is_refused_or_imported_exactly(stores: Stores, damage: str, isolated: Path) -> None:
    for number, lines in enumerate(DAMAGED[damage]):
        assert_all_alike(stores, lines, f"{damage} {number}")
    assert_nothing_changed(stores)
    assert sorted(path.name for path in isolated.parent.iterdir()) == ["home", "work"]
