"""Full-text search: an index beside the log that follows it, and may be dropped at any time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from baton.adapters.stores.sql.conversations import get_session
from baton.adapters.stores.sql.database import Database, Index, Row
from baton.core.log.entry import SEQ_BITS, SEQ_LIMIT, body_text, is_copy
from baton.core.log.search import Hit, Term, parse_query, snippet_of, words
from baton.ports.store import Progress

BATCH = 2000
_SESSIONS = 200
_MUCH = 5000
_SPANS = 4
_AMONG_OTHERS = 10


class SqlSearch:
    def __init__(self, db: Database, index: Index) -> None:
        self._db = db
        self._index = index

    def find(self, query: str, limit: int = 20, progress: Progress | None = None) -> list[Hit]:
        terms, limit = parse_query(query), min(limit, SEQ_LIMIT)
        self.catch_up(progress)
        hits: list[Hit] = []
        below: int | None = None
        while len(hits) < limit:
            found = self._index.find(terms, limit, below)
            hits += self._hits(found, terms)
            if len(found) < limit:
                break
            below = found[-1]
        return hits[:limit]

    def locate(self, groups: Sequence[Sequence[Term]], session_id: str, limit: int) -> list[list[tuple[str, int]]]:
        self.catch_up()
        with self._db.read() as tx:
            get_session(tx, session_id)
            past = {number: (each, upto) for number, each, upto in tx.all("session_past", {"id": session_id})}
        wanted = [tuple(terms) for terms in groups]
        located: list[list[tuple[str, int]]] = [[] for _ in wanted]
        spans, page = _spans(sorted(past, reverse=True), limit)
        for above, below in spans:
            for each, keys in zip(located, self._index.find_each(wanted, page, below, above), strict=True):
                each += _places(keys, past)
        return [each[:limit] for each in located]

    def _hits(self, found: list[int], terms: tuple[Term, ...]) -> list[Hit]:
        """An id whose conversation was removed meanwhile gives no hit."""
        hits: list[Hit] = []
        with self._db.read() as tx:
            for key in found:
                row = tx.one("hit", {"n": key >> SEQ_BITS, "id": key})
                if row is not None:
                    conversation_id, title, session_id, kind, at, body = row
                    line, spans = snippet_of(body, terms)
                    seq = key & (SEQ_LIMIT - 1)
                    hits.append(Hit(conversation_id, title, session_id, seq, kind, at, line, spans))
        return hits

    def drop(self) -> None:
        self._index.drop()
        self._forget()

    def catch_up(self, progress: Progress | None = None) -> int:
        if not self._index.fresh():
            self._forget()
            self._index.add(0, 0, 1, [])
        with self._db.read() as tx:
            pending = tx.all("unindexed_sessions", {"limit": 1})
            row = tx.one("unindexed_count") if pending else None
        total, done = (row[0] if row else 0), 0
        while pending:
            with self._db.read() as tx:
                pending = tx.all("unindexed_sessions", {"limit": _SESSIONS})
            for session in pending:
                done += self._follow(session)
                if progress:
                    progress(min(done, total), total)
        if done >= _MUCH:
            self._index.tidy()
        return done

    def _follow(self, session: Row) -> int:
        """Brings the index up to date with one session; the mark inside the index says where it stopped."""
        number, _, count, _ = session
        base, start = number << SEQ_BITS, self._index.mark(number)
        for low in range(start, count, BATCH):
            upto = min(low + BATCH, count)
            self._index.add(number, low, upto, self._words(base + low, base + upto + 1))
        with self._db.write() as tx:
            tx.run("indexed_set", {"n": number, "indexed": max(count, start)})
        if self._index.mark(number) < count:  # dropped, or added to by somebody else: once more
            with self._db.write() as tx:
                tx.run("indexed_set", {"n": number, "indexed": 0})
        return max(0, count - start)

    def _words(self, low: int, high: int) -> list[tuple[int, str]]:
        with self._db.read() as tx:
            rows = tx.all("entry_range", {"low": low, "high": high, "limit": high - low})
        return [(row[0], "" if is_copy(row[4]) else entry_words(row[4])) for row in rows]

    def forget_conversation(self, conversation_id: str, numbers: list[int]) -> None:
        """Takes a conversation out of the index before it is removed. If it is not removed after all, the next
        catch-up puts it back: its sessions count as not indexed from the first step on.
        """
        with self._db.write() as tx:
            tx.run("indexed_forget_conversation", {"id": conversation_id})
        for number in numbers:
            base, mark = number << SEQ_BITS, self._index.mark(number)
            self._index.remove(number, self._words(base, base + mark + 1))

    def _forget(self) -> None:
        with self._db.write() as tx:
            tx.run("indexed_forget")


def entry_words(body: str) -> str:
    return " ".join(words(body_text(body)))


def _spans(numbers: Sequence[int], limit: int) -> tuple[list[tuple[int, int]], int]:
    """Where to look for the sessions of a lineage, newest first, and for how many hits: between two of them there may
    be sessions of other conversations. Where many lie between, one look takes hits of these into account.
    """
    spans: list[tuple[int, int]] = []
    for number in numbers:
        above, below = number << SEQ_BITS, (number + 1) << SEQ_BITS
        if spans and spans[-1][0] == below:
            spans[-1] = above, spans[-1][1]
        else:
            spans.append((above, below))
    if len(spans) <= _SPANS:
        return spans, limit
    return [(spans[-1][0], spans[0][1])], limit * _AMONG_OTHERS


def _places(keys: Iterable[int], past: Mapping[int, tuple[str, int]]) -> Iterator[tuple[str, int]]:
    """Those of the keys that belong to the past, as sessions and seqs."""
    for key in keys:
        session_id, upto = past.get(key >> SEQ_BITS, ("", 0))
        if (seq := key & (SEQ_LIMIT - 1)) <= upto:
            yield session_id, seq
