"""The prefilter: one pass over the text that tells every layer where to look."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import cached_property
from typing import Any, Protocol, cast

from baton.adapters.redaction.anchor import Anchor, Hit
from baton.adapters.redaction.cache import Cache
from baton.adapters.redaction.expression import compiled, re2


class Prefilter(Protocol):
    def hits(self, data: bytes) -> list[Hit]:
        """Every place where an anchor ends, in no order."""
        ...


def prefilter(anchors: Sequence[Anchor], cache: Cache) -> Prefilter:
    """Hyperscan where it can be imported, else google-re2: the same finds, several times slower."""
    try:
        import hyperscan
    except ImportError:
        return Re2Prefilter(anchors)
    return HyperscanPrefilter(anchors, cache, cast("Any", hyperscan))


class HyperscanPrefilter:
    """All anchors in one automaton, kept compiled in a file because compiling takes a second."""

    def __init__(self, anchors: Sequence[Anchor], cache: Cache, hyperscan: Any) -> None:
        self._anchors = anchors
        self._cache = cache
        self._hyperscan = hyperscan
        self._turn = threading.Lock()

    def hits(self, data: bytes) -> list[Hit]:
        found: list[Hit] = []
        add = found.append

        def seen(number: int, _: int, end: int, *__: object) -> None:
            add((number, end))

        with self._turn:
            self._database.scan(data, match_event_handler=seen)
        return found

    @cached_property
    def _database(self) -> Any:
        key = self._cache.key([f"{each.caseless}{each.pattern}" for each in self._anchors], self._hyperscan.__version__)
        held = self._cache.read(key)
        database = None if held is None else self._loaded(held)
        if database is None:
            database = self._compiled()
            self._cache.write(key, self._hyperscan.dumpb(database))
        return database

    def _loaded(self, held: bytes) -> Any | None:
        """None if the file is of another version or processor."""
        try:
            database = self._hyperscan.loadb(held, self._hyperscan.HS_MODE_BLOCK)
            database.scratch = self._hyperscan.Scratch(database)
        except self._hyperscan.HyperscanError:
            return None
        return database

    def _compiled(self) -> Any:
        database = self._hyperscan.Database(mode=self._hyperscan.HS_MODE_BLOCK)
        caseless = self._hyperscan.HS_FLAG_CASELESS
        database.compile(
            expressions=[each.pattern.encode("ascii") for each in self._anchors],
            ids=list(range(len(self._anchors))),
            flags=[caseless if each.caseless else 0 for each in self._anchors],
        )
        return database


class Re2Prefilter:
    """A set says which anchors are there at all, then each of those is looked for."""

    def __init__(self, anchors: Sequence[Anchor]) -> None:
        self._patterns = [("(?i)" if each.caseless else "") + each.pattern for each in anchors]

    def hits(self, data: bytes) -> list[Hit]:
        present: list[int] = self._set.Match(data) or []
        return [
            (number, found.end()) for number in present for found in compiled(self._patterns[number]).finditer(data)
        ]

    @cached_property
    def _set(self) -> Any:
        library = re2()
        options = library.Options()
        options.max_mem = 1 << 28
        options.encoding = library.Options.Encoding.LATIN1
        options.log_errors = False
        made = library.Set.SearchSet(options)
        for pattern in self._patterns:
            made.Add(pattern.encode("ascii"))
        made.Compile()
        return made
