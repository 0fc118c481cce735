"""Full-text search over lists of words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from baton.core.log.entry import Entry, body_text
from baton.core.log.pointer import reachable
from baton.core.log.search import Hit, Term, parse_query, snippet_of, words
from baton.core.log.session import lineage
from baton.ports.store import Progress
from baton.testing.memory.data import MemoryData


class MemorySearch:
    def __init__(self, data: MemoryData) -> None:
        self._data = data

    def find(self, query: str, limit: int = 20, progress: Progress | None = None) -> list[Hit]:
        terms = parse_query(query)
        self.catch_up(progress)
        hits: list[Hit] = []
        with self._data.lock():
            for entry, held in self._newest_first():
                if len(hits) >= limit:
                    break
                if all(_holds(held, term) for term in terms):
                    hits.append(self._hit(entry, terms))
        return hits

    def locate(self, groups: Sequence[Sequence[Term]], session_id: str, limit: int) -> list[list[tuple[str, int]]]:
        self.catch_up()
        with self._data.lock():
            self._data.session(session_id)
            chain = lineage(session_id, self._data.sessions.values())
            past = dict(zip((each.id for each in chain), reachable(chain), strict=True))
            return [self._locate(terms, past)[:limit] for terms in groups]

    def _locate(self, terms: Sequence[Term], past: Mapping[str, int]) -> list[tuple[str, int]]:
        return [
            (entry.session_id, entry.seq)
            for entry, held in self._newest_first()
            if entry.seq <= past.get(entry.session_id, 0) and all(_holds(held, term) for term in terms)
        ]

    def _newest_first(self) -> Iterator[tuple[Entry, list[str]]]:
        for session_id in reversed(self._data.sessions):
            entries = self._data.entries[session_id]
            yield from reversed(list(zip(entries, self._data.words.get(session_id, []), strict=False)))

    def _hit(self, entry: Entry, terms: tuple[Term, ...]) -> Hit:
        conversation_id = self._data.sessions[entry.session_id].conversation_id
        title = self._data.conversations[conversation_id].title
        line, spans = snippet_of(entry.body, terms)
        return Hit(conversation_id, title, entry.session_id, entry.seq, entry.kind, entry.at, line, spans)

    def drop(self) -> None:
        with self._data.lock():
            self._data.words.clear()

    def catch_up(self, progress: Progress | None = None) -> int:
        with self._data.lock():
            total, done = sum(map(self._count_pending, self._data.sessions)), 0
            for session_id in self._data.sessions:
                if pending := self._count_pending(session_id):
                    entries = self._data.entries[session_id][-pending:]
                    held = ([] if each.copied else words(body_text(each.body)) for each in entries)
                    self._data.words.setdefault(session_id, []).extend(held)
                    done += pending
                    if progress:
                        progress(done, total)
        return done

    def _count_pending(self, session_id: str) -> int:
        return len(self._data.entries[session_id]) - len(self._data.words.get(session_id, []))


def _holds(held: list[str], term: Term) -> bool:
    """Whether the words of a term stand together in a text; of a prefix, the last one need only begin so."""
    size, *start = len(term.words), *term.words[:-1]
    last = term.words[-1]
    for position in range(len(held) - size + 1):
        end = held[position + size - 1]
        if (end.startswith(last) if term.prefix else end == last) and held[position : position + size - 1] == start:
            return True
    return False
