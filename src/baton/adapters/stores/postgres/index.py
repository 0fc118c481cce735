"""The full-text index in two tables of its own, made when first needed; they may be dropped at any time.

It holds words only, no text. Its writes are not synced on their own: the note in the log that a session is indexed is
committed after them, and takes them along.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from psycopg.errors import UndefinedTable

from baton.adapters.stores.postgres import lexemes
from baton.adapters.stores.postgres.database import PostgresDatabase
from baton.adapters.stores.sql.database import Tx
from baton.adapters.stores.sql.scripts import parse_blocks, to_postgres
from baton.adapters.stores.sql.search import entry_words
from baton.core.errors import StoreDamaged
from baton.core.log.entry import SEQ_BITS, SEQ_LIMIT
from baton.core.log.search import Term

T = TypeVar("T")
_TOP = 2**62
_BLOCKS = {
    name: to_postgres(sql).encode()
    for name, sql in parse_blocks("""
-- name: exists
SELECT to_regclass('search_words') IS NOT NULL AND to_regclass('search_mark') IS NOT NULL;

-- name: make_marks
CREATE TABLE IF NOT EXISTS search_mark (session bigint PRIMARY KEY, upto integer NOT NULL);

-- name: make_words
CREATE TABLE IF NOT EXISTS search_words (entry_id bigint PRIMARY KEY, words tsvector NOT NULL, whole boolean NOT NULL);

-- name: make_index
CREATE INDEX IF NOT EXISTS search_words_words ON search_words USING gin (words);

-- name: empty
TRUNCATE search_mark, search_words;

-- name: throw_away
DROP TABLE IF EXISTS search_mark, search_words;

-- name: lazily
SET LOCAL synchronous_commit = off;

-- name: plan_for_these_words
SET LOCAL plan_cache_mode = force_custom_plan;

-- name: mark
SELECT upto FROM search_mark WHERE session = :session;

-- name: lock_mark
INSERT INTO search_mark (session, upto) VALUES (:session, 0) ON CONFLICT (session) DO UPDATE SET upto = search_mark.upto
RETURNING upto;

-- name: set_mark
UPDATE search_mark SET upto = :upto WHERE session = :session;

-- name: add
INSERT INTO search_words (entry_id, words, whole) VALUES (:entry_id, CAST(:words AS tsvector), :whole)
ON CONFLICT (entry_id) DO NOTHING;

-- name: remove
DELETE FROM search_words WHERE entry_id > :low AND entry_id < :high;

-- name: remove_mark
DELETE FROM search_mark WHERE session = :session;

-- name: merge
SELECT gin_clean_pending_list(to_regclass('search_words_words'));

-- name: count_words
ANALYZE search_words;

-- name: find
SELECT entry_id, CASE WHEN NOT whole AND :phrased THEN (SELECT body FROM entry WHERE id = entry_id) END
FROM search_words
WHERE words @@ CAST(:words AS tsquery) AND (words @@ CAST(:phrases AS tsquery) OR NOT whole) AND entry_id < :below
  AND entry_id > :above
ORDER BY entry_id DESC LIMIT :limit;
""").items()
}


class TsvectorIndex:
    def __init__(self, db: PostgresDatabase) -> None:
        self._db = db

    def fresh(self) -> bool:
        return self.mark(0) > 0

    def mark(self, session: int) -> int:
        def look() -> int:
            with self._db.read(_BLOCKS) as tx:
                row = tx.one("mark", {"session": session})
            return row[0] if row else 0

        return self._use(look)

    def add(self, session: int, after: int, upto: int, rows: list[tuple[int, str]]) -> None:
        made = [(key, lexemes.vector(words)) for key, words in rows if words]
        given = [{"entry_id": key, "words": each.text, "whole": each.whole} for key, each in made]

        def change() -> None:
            with self._db.write(_BLOCKS) as tx:
                tx.run("lazily")
                row = tx.one("lock_mark", {"session": session})
                if row is not None and row[0] == after:
                    tx.many("add", given)
                    tx.run("set_mark", {"session": session, "upto": upto})

        self._use(change)

    def remove(self, session: int, rows: list[tuple[int, str]]) -> None:  # noqa: ARG002
        """`rows` serve an index that cannot find its entries by number; this one can."""
        base = session << SEQ_BITS

        def change() -> None:
            with self._db.write(_BLOCKS) as tx:
                tx.one("lock_mark", {"session": session})
                tx.run("remove", {"low": base, "high": base + SEQ_LIMIT})
                tx.run("remove_mark", {"session": session})

        self._use(change)

    def find(self, terms: tuple[Term, ...], limit: int, below: int | None, above: int = 0) -> list[int]:
        return self.find_each([terms], limit, _TOP if below is None else below, above)[0]

    def find_each(self, groups: Sequence[tuple[Term, ...]], limit: int, below: int, above: int) -> list[list[int]]:
        def look() -> list[list[int]]:
            with self._db.read(_BLOCKS) as tx:
                tx.run("plan_for_these_words")
                return [_find(tx, terms, limit, below, above) for terms in groups]

        return self._use(look)

    def tidy(self) -> None:
        """The server does both in its own time; until then it reads all that is new for each word, and guesses badly
        how common a word is.
        """

        def change() -> None:
            with self._db.write(_BLOCKS) as tx:
                tx.run("merge")
                tx.run("count_words")

        self._use(change)

    def drop(self) -> None:
        """Empties it: the tables stay, because other processes may be about to use them."""

        def change() -> None:
            with self._db.write(_BLOCKS) as tx:
                tx.run("empty")

        self._use(change)

    def close(self) -> None:
        pass

    def _use(self, act: Callable[[], T]) -> T:
        """A missing index is made, a damaged one is rebuilt, once; every other error is raised."""
        try:
            return act()
        except StoreDamaged as damage:
            if not isinstance(damage.__cause__, UndefinedTable):
                self._throw_away()
            self._require()
            return act()

    def _throw_away(self) -> None:
        with self._db.write(_BLOCKS) as tx:
            tx.run("throw_away")

    def _require(self) -> None:
        with self._db.read(_BLOCKS) as tx:
            row = tx.one("exists")
        if row is not None and row[0]:
            return
        with self._db.write(_BLOCKS) as tx:
            tx.reserve("search index")
            for statement in ("make_marks", "make_words", "make_index"):
                tx.run(statement)


def _find(tx: Tx, terms: tuple[Term, ...], limit: int, below: int, above: int) -> list[int]:
    phrased = any(len(term.words) > 1 or any(len(word) > lexemes.LONGEST for word in term.words) for term in terms)
    given = {"words": lexemes.all_words(terms), "phrases": lexemes.all_phrases(terms), "phrased": phrased}
    found: list[int] = []
    while len(found) < limit:
        rows = tx.all("find", {**given, "below": below, "above": above, "limit": limit})
        found += [key for key, body in rows if body is None or lexemes.holds(entry_words(body), terms)]
        if len(rows) < limit:
            break
        below = rows[-1][0]
    return found[:limit]
