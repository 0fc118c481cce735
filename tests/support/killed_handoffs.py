"""Handoffs that are killed, and what is found afterwards: one live head, whole packets, an untouched repository."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import random
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from baton.core.log.entry import NewEntry
from baton.core.log.payloads import UserInput
from baton.core.log.session import Session
from baton.engine.handoff.handoff import Cause
from baton.testing.clock import RealClock
from tests.support.handoffs import git, kit, repository
from tests.support.patience import PATIENCE
from tests.support.workers import handing
from tests.support.workers.crew import Crew, Worker
from tests.support.workers.stores import await_end, open_at

PACKETS = ".baton/handoffs"
LONGEST = 0.16
_DRAFT = ("draft uncommitted", "draft opened", "draft read")
_NEVER = {
    handing.NOW: {*_DRAFT},
    handing.POLICY: {*_DRAFT},
}
_MOVED = handing.POINTS[handing.POINTS.index("advance committed") :]
ENTRIES = (
    NewEntry("user", {"text": "Fix the race in a.py. Never touch migrations."}),
    NewEntry("assistant", {"text": "I look.", "calls": [{"id": "1", "name": "shell", "args": {"command": "make"}}]}),
    NewEntry("tool_result", {"id": "1", "name": "shell", "text": "error: no rule", "ok": False,
                             "details": {"command": "make", "exit": 2}}),
)  # fmt: skip
COMPRESSED = NewEntry(
    "compression",
    {"outcome": "compressed", "keep_from": 5, "text": "short", "first": "", "constraints": [], "summary": "s"},
)


class LateClock(RealClock):
    """So late that every lease is over."""

    def ticks(self) -> int:
        return super().ticks() + 10**16


def steps(way: str) -> list[str]:
    """The points that a handoff of this way comes to."""
    return [point for point in handing.POINTS if point not in _NEVER.get(way, ())]


def plan(runs: int, first: int = 0) -> Iterator[tuple[str, str]]:
    """Ways and points in turn, every fourth without a point: such a one is killed by time."""
    every = [(way, point) for way in handing.WAYS for point in steps(way)]
    for number in range(first, first + runs):
        if number % 4 == 3:
            yield handing.WAYS[number // 4 % len(handing.WAYS)], ""
        else:
            yield every[(number - number // 4) * 7 % len(every)]


class Ground:
    """One store and one repository, in which one conversation after another is handed off."""

    def __init__(self, location: str, directory: Path, crew: Crew, seed: int = 4) -> None:
        self.location = location
        self.root = repository(directory / "repo")
        self.home = directory / "home"
        self._crew = crew
        self._dice = random.Random(seed)
        self.outcomes: Counter[str] = Counter()
        self._store = open_at(location, LateClock())
        self._settle_git()
        self._before = _repository(self.root)

    def close(self) -> None:
        self._store.close()

    def run(self, way: str, point: str) -> None:
        """One handoff, killed at the point or at a random moment, looked at, and finished by another."""
        conversation_id, old = self._begin(way)
        worker = self._crew.start(
            "hand_off",
            location=self.location,
            conversation_id=conversation_id,
            root=str(self.root),
            home=str(self.home),
            way=way,
            point=point,
        )
        assert worker.hear() == ["ready"]
        done = self._killed(worker, point)
        await_end(self.location, "worker")
        self._await_git()
        where = f"{way}, killed at {point or 'a random moment'}"
        try:
            moved = self._look(conversation_id, old, way)
            assert not point or moved is (point in _MOVED), f"the head has {'' if moved else 'not '}moved"
            self._go_on(conversation_id)
        except AssertionError as error:
            raise AssertionError(f"{where}: {error}") from error
        self.outcomes["finished" if done else "new session" if moved else "old session"] += 1

    def _begin(self, way: str) -> tuple[str, Session]:
        conversations = self._store.conversations
        conversation, session = conversations.start("handed off")
        proof = conversations.claim(conversation.id, "beginner", 60)
        more = [COMPRESSED] if way in (handing.POLICY, handing.POLICY_CONFIRM) else []
        self._store.entries.append(proof, session.id, [*ENTRIES, *more])
        conversations.release(proof)
        return conversation.id, self._store.sessions.get(session.id)

    def _killed(self, worker: Worker, point: str) -> bool:
        """True if it was done before it could be killed."""
        if point:
            words = worker.rest()
            status = worker.finish()
            assert words == [], f"it never came to {point!r}: {words}"
            assert os.WTERMSIG(status) == signal.SIGKILL
        else:
            time.sleep(self._dice.uniform(0, LONGEST))
            worker.kill()
            words = worker.rest()
        worker.close()
        return words == [["done"]]

    def _look(self, conversation_id: str, old: Session, way: str) -> bool:
        """Whether the new session is the live one."""
        store = self._store
        sessions = store.sessions.of(conversation_id)
        head = store.sessions.get(store.conversations.get(conversation_id).head_id)
        assert [each.id for each in sessions if each.live] == [head.id], "there is not exactly one live head"
        moved = head.id != old.id
        if moved:
            self._look_at_the_new(head, old, way, len(sessions))
        else:
            assert (len(sessions), head.end_reason, head.edge) == (1, None, "root")
        before = store.entries.load(old.id, limit=old.entries)
        assert [each.kind for each in before[:3]] == ["user", "assistant", "tool_result"]
        for draft in store.drafts.list_waiting(conversation_id):
            assert not moved, "a draft waits though the head has moved"
            assert store.packets.get(draft.packet_id).intact()
        self._look_at_files(old.id)
        return moved

    def _look_at_the_new(self, head: Session, old: Session, way: str, count: int) -> None:
        ended = self._store.sessions.get(old.id)
        assert (count, head.edge, head.parent_id) == (2, "handoff", old.id)
        assert ended.end_reason == handing.END_REASONS[way]
        first = self._store.entries.load(head.id, limit=1)[0]
        assert first.kind == "packet"
        packet = self._store.packets.get(str(first.data["packet"]))
        assert packet.intact()
        assert first.data["sha256"] == packet.sha256
        assert packet.session_id == old.id
        assert packet.markdown.strip() in str(first.data["text"])
        assert (self.root / str(first.data["path"])).read_text() == packet.markdown

    def _look_at_files(self, session_id: str) -> None:
        directory = self.root / PACKETS
        names = {path.name for path in directory.iterdir()} if directory.exists() else set[str]()
        for name in names:
            assert name == ".gitignore" or name.endswith((".md", ".json")), f"{name} was left behind"
            assert (directory / name).stat().st_mode & 0o077 == 0
        for name in names:
            if name.startswith(session_id) and name.endswith(".md"):
                twin = json.loads((directory / name).with_suffix(".json").read_text())
                assert twin["sha256"] == hashlib.sha256((directory / name).read_bytes()).hexdigest()
                assert twin["ledger"]["facts"]
            elif name.startswith(session_id) and name.endswith(".json"):
                assert json.loads((directory / name).read_text())["session"] == session_id
        assert _repository(self.root) == self._before, "the repository was touched"

    def _go_on(self, conversation_id: str) -> None:
        """The next one finishes what waits, or hands off anew; and then the conversation goes on."""
        asyncio.run(self._finish(conversation_id))

    async def _finish(self, conversation_id: str) -> None:
        doing = handing.runtime(self._store, handing.TellingModel(handing.Fuse("-")), kit(self.root, self.home), "heir")
        before = self._store.conversations.get(conversation_id).head_id
        drafts = self._store.drafts.list_waiting(conversation_id)
        if drafts:
            await doing.hand_off(conversation_id, lambda handoff: handoff.confirm(drafts[-1].id))
        else:
            await doing.hand_off(conversation_id, lambda handoff: handoff.now(Cause()), narrate=False)
        head = self._store.sessions.get(self._store.conversations.get(conversation_id).head_id)
        assert (head.parent_id, head.edge) == (before, "handoff")
        text = str(self._store.entries.load(head.id, limit=1)[0].data["text"])
        assert text.count("- Never touch migrations.") == 1
        assert [each.id for each in self._store.sessions.of(conversation_id) if each.live] == [head.id]
        events = [event async for event in doing.turn(conversation_id, UserInput("go on"))]
        assert events[-1].reason == "completed", events[-1]
        self._look_at_files(before)
        await doing.close()

    def _settle_git(self) -> None:
        """So that `git status` finds nothing to refresh in the index later."""
        git(self.root, "status")

    def _await_git(self) -> None:
        """A program that the dead one had started ends by itself, soon."""
        end = time.monotonic() + PATIENCE
        while any(_works_in(self.root)):
            assert time.monotonic() < end, "git still works for the dead"
            time.sleep(0.005)


def _works_in(root: Path) -> Iterator[int]:
    for name in os.listdir("/proc"):
        with suppress(OSError):
            if name.isdigit() and Path(os.readlink(f"/proc/{name}/cwd")).is_relative_to(root):
                yield int(name)


def _repository(root: Path) -> dict[str, Any]:
    """What is the person's: branch, index, stash, reflog and work tree. Baton's own refs and objects are not in it."""
    environ = {**os.environ, "GIT_OPTIONAL_LOCKS": "0"}

    def said(*words: str) -> str:
        done = subprocess.run(["git", "-C", root, *words], check=True, capture_output=True, text=True, env=environ)
        return done.stdout

    own = root / ".git"
    others = [path for path in own.rglob("*") if path.is_file() and not _is_batons(path.relative_to(own).as_posix())]
    return {
        "status": said("status", "--porcelain=v2", "--branch"),
        "stash": said("stash", "list"),
        "reflog": said("reflog"),
        "branches": said("for-each-ref", "refs/heads", "refs/tags", "refs/stash"),
        "files": {str(path): hashlib.sha256(path.read_bytes()).hexdigest() for path in others},
        "tree": (root / "a.py").read_text(),
    }


def _is_batons(path: str) -> bool:
    """Its checkpoints and their objects; what git was still writing is nobody's."""
    return path.startswith(("refs/baton/checkpoints/", "objects/")) and "/tmp_" not in path
