"""A gateway that dies at a named point: around each commit of its store, each word of its model, each call outside.

A commit has two points, `… uncommitted` (all its statements are done) and `… committed` (nobody was told). Several
threads write at once, so each says for itself what it is doing.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from contextlib import contextmanager
from typing import Any

from baton.core.errors import BadTransition, StaleEpoch
from baton.core.log.entry import ASSISTANT, INPUT_WITHDRAWN, QUEUED, TURN_ENDED, TURN_INTERRUPTED, USER
from baton.ports.platform import Platform
from baton.ports.store import Store
from tests.support.workers.dying import die

_CHANGES = ("run", "count_changes", "many")


class Fuse:
    """Burns down when it comes to its point."""

    def __init__(self, point: str, burnt: Callable[[], None] = die) -> None:
        self._point = point
        self._burnt = burnt
        self.passed: set[str] = set()

    def at(self, point: str) -> None:
        self.passed.add(point)
        if point == self._point:
            self._point = ""
            self._burnt()


Name = Callable[..., str]


def mortal_store(store: Any, fuse: Fuse, refused: Callable[[str], None] = lambda _: None) -> Store:
    """`refused` is told the name of every write that came too late."""
    here = threading.local()
    _mortal_commits(vars(store)["_db"], fuse, here)
    for part, verb, name in _NAMED:
        _named(getattr(store, part), verb, name, here, refused)
    return store


def _mortal_commits(database: Any, fuse: Fuse, here: threading.local) -> None:
    write = database.write

    @contextmanager
    def lit(*arguments: Any, **named: Any) -> Any:
        name = getattr(here, "name", "")
        if not name:
            with write(*arguments, **named) as tx:
                yield tx
            return
        with write(*arguments, **named) as tx:
            watched = _Watched(tx)
            yield watched
            if watched.changes:
                fuse.at(f"{name} uncommitted")
        if watched.changes:
            fuse.at(f"{name} committed")

    database.write = lit


class _Watched:
    """A transaction that knows whether anything was changed in it."""

    def __init__(self, tx: Any) -> None:
        self._tx = tx
        self.changes = False

    def __getattr__(self, name: str) -> Any:
        if name in _CHANGES:
            self.changes = True
        return getattr(self._tx, name)


def _named(part: Any, verb: str, name: str | Name, here: threading.local, refused: Callable[[str], None]) -> None:
    work = getattr(part, verb)

    def done(*arguments: Any, **named: Any) -> Any:
        here.name = name if isinstance(name, str) else name(*arguments, **named)
        try:
            return work(*arguments, **named)
        except (BadTransition, StaleEpoch):
            refused(here.name)
            raise
        finally:
            here.name = ""

    setattr(part, verb, done)


def _step(_: Any, step: str, notes: Mapping[str, Any]) -> str:
    return "before" if step == "opened" and "before" in notes else step


def _entry(_: Any, __: str, entries: Any, **___: Any) -> str:
    ends = dict.fromkeys((TURN_ENDED, TURN_INTERRUPTED, INPUT_WITHDRAWN), "end")
    names = {USER: "input", QUEUED: "queued", ASSISTANT: "word", **ends}
    return names.get(entries[0].kind, "") if "transfer" not in entries[0].data else "arrival"


_NAMED: tuple[tuple[str, str, str | Name], ...] = (
    ("transfers", "claim_next", "claim"),
    ("transfers", "reach", _step),
    ("transfers", "complete", "complete"),
    ("transfers", "beat", "beat"),
    ("bindings", "bind", "bind"),
    ("conversations", "start", "start"),
    ("conversations", "claim", "own"),
    ("conversations", "release", "release"),
    ("entries", "append", _entry),
    ("sessions", "advance", "advance"),
    ("drafts", "cancel", "decline"),
    ("inbox", "put", "heard"),
    ("inbox", "take", "taken"),
    ("inbox", "settle", "handled"),
    ("outbox", "put", "post"),
    ("outbox", "take", "sending"),
    ("outbox", "settle", "settled"),
    ("outbox", "renew", "held"),
)


def mortal_platform(platform: Platform, fuse: Fuse) -> Platform:
    """Around what the platform is asked for: nothing said yet, or done there and nobody knows."""
    for verb, name in (("open_thread", "thread"), ("send", "message")):
        setattr(platform, verb, _around(getattr(platform, verb), name, fuse))
    return platform


def _around(work: Callable[..., Any], name: str, fuse: Fuse) -> Callable[..., Any]:
    async def done(*arguments: Any) -> Any:
        fuse.at(f"{name} unasked")
        result = await work(*arguments)
        fuse.at(f"{name} there")
        return result

    return done


def commits(*names: str) -> tuple[str, ...]:
    return tuple(f"{name} {when}" for name in names for when in ("uncommitted", "committed"))


_TURN = ("model asked", "model half said", "model spoke", *commits("word", "end", "release", "post", "sending"))
_SENT = ("message unasked", "message there", *commits("settled"))
TRANSFER = (
    *commits("claim"), "thread unasked", "thread there", *commits("opened", "before", "bind", "bound", "own"),
    *commits("arrival"), *_TURN, *_SENT, *commits("greeted", "complete"),
)  # fmt: skip
"""Every step of a transfer, in order."""

INBOUND = (
    *commits("heard", "taken", "start", "bind", "own", "input"), *_TURN, *commits("handled"), *_SENT,
)  # fmt: skip
"""Every step of a message from its arrival to its answer, in order."""
