"""What PostgreSQL's limits on indexed text must not be seen to do."""

from __future__ import annotations

import psycopg
import pytest

from baton.adapters.stores.postgres import lexemes
from baton.core.log.search import INDEXED_LIMIT, Term, words
from baton.ports.store import Store
from tests.contract.store.kit import begin
from tests.contract.store.postgres_only.conftest import Opener

LONG = "x" * 5000
MANY = " ".join(f"w{number % 7}" for number in range(INDEXED_LIMIT // 3 - 20)) + " needle in hay"


@pytest.mark.parametrize(
    ("text", "found", "missed"),
    [
        (f"a {LONG}y b", [f"{LONG}y", f"a {LONG}y", f'"a {LONG}y b"', f"{LONG}*"], [LONG, f"{LONG}z", f'"{LONG}y a"']),
        (MANY, ["needle", '"needle in hay"', '"w0 w1 w2"', "in_ha*", '"needle in" hay'], ['"hay needle"', '"w0 w2"']),
        ("1e5abc 00e1f 12e3x", ["1e5abc", "00e1f", '"1e5abc 00e1f"', "12e3*"], ["1e5", "abc", "f", '"abc 00e1"']),
        ("١٢٣ ªº ß ǆ Ꭰ", ["١٢٣", "ß", "ǆ", "Ꭰ"], ["١٢"]),
        ("don't path/to/file", ["don", '"don t"', "path/to/file", "to/fi*"], ['"path file"']),
        ("x " * 40_000, ["x", '"x x x"'], ["y", '"x y"']),
        ("".join(f"{number:x}ﷺ " for number in range(20_000)), ["0*", "الله"], ["ﷺx"]),
    ],
    ids=["a long word", "many words", "numbers", "letters", "signs", "one word", "letters that grow"],
)
def test_an_entry_is_found_whatever_is_in_it(store: Store, text: str, found: list[str], missed: list[str]) -> None:
    work = begin(store)
    work.say(text)
    work.say("another entry")
    for query in found:
        assert [hit.seq for hit in store.search.find(query)] == [1], query[:50]
    for query in missed:
        assert store.search.find(query) == [], query[:50]


def test_words_that_are_unusual_fit(store: Store, raw: psycopg.Connection) -> None:
    for text in ("a" * 401, "é" * 65_536, " ".join(f"{number}word" for number in range(60_000)), "' \\ : & | ! <-> *"):
        vector = lexemes.vector(" ".join(words(text)))
        row = raw.execute("SELECT length(%s::tsvector)", [vector.text]).fetchone()
        assert row is not None
        assert row[0] > 0 or not words(text)


def test_a_vector_knows_whether_it_tells_everything() -> None:
    assert lexemes.vector("a b a") == lexemes.Vector("'a':1,3 'b':2", whole=True)
    assert lexemes.vector("a " * 256).whole is False
    assert lexemes.vector("a " * 255).whole is True
    assert lexemes.vector("x" * 401).whole is False
    assert lexemes.vector("x" * 400).whole is True
    assert lexemes.vector(" ".join(f"w{number}" for number in range(16_384))).whole is False
    assert lexemes.holds("one two three", (Term(("two", "thr"), prefix=True), Term(("one",))))
    assert not lexemes.holds("one two three", (Term(("one", "three")),))


def test_the_index_may_be_dropped_while_others_use_it(opened: Opener) -> None:
    stores = [opened() for _ in range(2)]
    work = begin(stores[0])
    for number in range(5):
        work.say(f"word {number}")
        assert len(stores[1].search.find("word")) == number + 1
        stores[number % 2].search.drop()
        assert len(stores[0].search.find("word")) == number + 1


def test_a_search_does_not_depend_on_the_order_in_which_processes_index(opened: Opener) -> None:
    stores = [opened() for _ in range(3)]
    work = begin(stores[0])
    for number in range(30):
        work.say(f"word {number}")
        assert stores[number % 3].search.catch_up() in (0, 1)
    assert [hit.seq for hit in stores[1].search.find("word", limit=50)] == list(range(30, 0, -1))


def test_tables_of_the_index_that_vanished_are_made_again(store: Store, raw: psycopg.Connection) -> None:
    begin(store).say("word")
    assert len(store.search.find("word")) == 1
    raw.execute("DROP TABLE search_words, search_mark")
    assert len(store.search.find("word")) == 1
