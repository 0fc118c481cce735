from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from baton.adapters.stores.sqlite.open import open_sqlite
from baton.core.log.entry import NewEntry
from baton.ports.store import Store
from baton.wiring import main


@dataclass
class Result:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


class Cli:
    """`baton …` in this process, with its output."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, *arguments: str) -> Result:
        try:
            code = main(list(arguments))
        except SystemExit as exit_:
            code = exit_.code if isinstance(exit_.code, int) else 1
        return Result(code, *self._capsys.readouterr())


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Cli:
    return Cli(capsys)


@pytest.fixture
def home(isolated: Path) -> Path:
    return isolated.parent / "home" / "baton"


@pytest.fixture
def store(home: Path) -> Iterator[Store]:
    store = open_sqlite(str(home / "baton.db"))
    yield store
    store.close()


@dataclass
class Told:
    """A conversation with two handoffs and a fork."""

    id: str
    fork_id: str
    sessions: list[str]


@pytest.fixture
def told(store: Store, isolated: Path) -> Told:
    conversation, root = store.conversations.start("Fix the checkout race", str(isolated), "openai:x")
    mine = store.conversations.claim(conversation.id, "test", 60)
    said = [
        NewEntry("user", {"text": "never touch the migrations \x1b[31mred\x1b]0;owned\x07"}, tokens=12),
        NewEntry("assistant", {"text": "found a dead lock on retry"}, tokens=40),
        NewEntry("compression", {"outcome": "compressed"}),
        NewEntry("compression", {"outcome": "lossy", "error": "time-out"}),
    ]
    store.entries.append(mine, root.id, said)
    packet = [NewEntry("packet", {"text": "# Scope"}, tokens=900)]
    second = store.sessions.advance(
        mine, root.id, edge="handoff", end_reason="compression_handoff", reason="2 compressions", entries=packet
    )
    third = store.sessions.advance(mine, second.id, edge="handoff", end_reason="handoff", entries=packet)
    fork, fork_root = store.conversations.fork(root.id, 2, "Try another lock")
    store.conversations.release(mine)
    return Told(conversation.id, fork.id, [root.id, second.id, third.id, fork_root.id])
