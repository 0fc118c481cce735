"""Gateways that are killed while they carry a conversation or answer a message, and what is found afterwards.

Each lane has a platform and a spawner of its own, so that several runs wait for their leases at the same time. A run
is killed at a named point or at a random moment; another gateway, which was there all along or is started then, goes
on. Afterwards everything is looked at from outside: the store, and what people see.
"""

from __future__ import annotations

import os
import random
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import ExitStack, suppress
from pathlib import Path
from queue import Empty, Queue
from typing import Any, TypeVar

from baton.core import recovery
from baton.core import transfer as rules
from baton.core.entry import Entry, NewEntry
from baton.core.place import Place, parse_place
from baton.core.transfer import Transfer
from baton.ports.store import Store
from tests.support.messenger.service import Messenger
from tests.support.workers.crew import Crew, Worker
from tests.support.workers.gatewaying import ROOM, answer, arrived, plain
from tests.support.workers.mortal import INBOUND, TRANSFER
from tests.support.workers.stores import open_at

T = TypeVar("T")
LEASE = 1.0
LONGEST = 0.1
PATIENCE = 20.0
MODES = {"transfer": TRANSFER, "inbound": INBOUND}
ONCE = ("key", "probe", "none")
SAID = ("The code word is kingfisher.", "Never touch migrations.")


def plan(points: Sequence[str], runs: int, first: int = 0) -> Iterator[str]:
    """Points in turn; every fourth run has none and is killed by time."""
    for number in range(first, first + runs):
        yield "" if number % 4 == 3 else points[(number - number // 4) * 7 % len(points)]


class Lane:
    """One platform, one run after another. `outcomes` and `recoveries` (seconds) are of all of them."""

    def __init__(self, location: str, directory: Path, messenger: Messenger, number: int) -> None:
        self._location = location
        self._messenger = messenger
        self._platform = f"lane{number}"
        self._once = ONCE[number % len(ONCE)]
        self._dice = random.Random(number)
        self._gate = directory / f"gate{number}"
        self._workspace = directory / f"work{number}"
        self._workspace.mkdir(parents=True)
        self._crew = Crew()
        self._store: Store = open_at(location)
        self._home = messenger.room(self._platform, ROOM, self._once)
        self._count = 0
        self._heir: Worker | None = None
        self.outcomes: Counter[str] = Counter()
        self.recoveries: list[float] = []

    def close(self) -> None:
        if self._heir:
            self._heir.close()
        self._store.close()
        self._crew.__exit__(None, None, None)

    def run(self, mode: str, point: str) -> None:
        self._count += 1
        where = f"{mode} {self._count} on {self._platform} ({self._once}), killed at {point or 'a random moment'}"
        try:
            {"transfer": self._transfer, "inbound": self._inbound}[mode](point)
        except AssertionError as error:
            raise AssertionError(f"{where}: {error}") from error

    def _transfer(self, point: str) -> None:
        conversation_id = self._begin()
        transfer = self._killed(point, lambda: self._request(conversation_id))
        died = time.monotonic()
        transfer = _soon(lambda: self._ended(transfer.id), "the end of the transfer")
        assert transfer.state == rules.COMPLETED, f"it {transfer.state}: {transfer.error}"
        place = parse_place(str(transfer.notes["bound"]["place"]))
        self._count_greetings(place, arrived(len(SAID)))
        self.recoveries.append(time.monotonic() - died)
        assert [each.place for each in self._store.bindings.of(conversation_id)] == [place.key]
        self._look_at(conversation_id, died)
        self._talk(place, conversation_id)

    def _request(self, conversation_id: str) -> Transfer:
        return self._store.transfers.request(conversation_id, "terminal:local", self._platform)

    def _inbound(self, point: str) -> None:
        place = self._messenger.room(self._platform, f"room{self._count}", self._once)
        text = f"word {self._count} of {self._platform}"
        self._killed(point, lambda: self._messenger.says(place, f"m{self._count}", text))
        died = time.monotonic()
        _soon(lambda: answer(text) in map(plain, self._messenger.texts(place)), f"an answer to {text}")
        self.recoveries.append(time.monotonic() - died)
        binding = self._store.bindings.at(place)
        assert binding is not None
        self._look_at(binding.conversation_id, died)
        self._count_greetings(place, answer(text))
        said = [entry.data for entry in self._entries(binding.conversation_id) if entry.kind == "user"]
        assert [data["text"] for data in said if not data.get("synthetic")] == [text], said
        self._talk(place, binding.conversation_id)

    def _begin(self) -> str:
        conversations = self._store.conversations
        conversation, session = conversations.start("moved")
        proof = conversations.claim(conversation.id, "terminal", 60)
        new = [NewEntry(kind, {"text": text}) for text in SAID for kind in ("user", "assistant")]
        self._store.entries.append(proof, session.id, new)
        conversations.release(proof)
        return conversation.id

    def _killed(self, point: str, act: Callable[[], T]) -> T:
        """What `act` gave, once a gateway that began with it is dead. Every third time its heir begins only then."""
        self._gate.touch()
        if self._heir and self._count % 3 == 0:
            self._heir.close()
            self._heir = None
        elif self._heir is None:
            self._heir = self._gateway(gate=str(self._gate))
        worker = self._gateway(point=point)
        done = act()
        if point:
            words = worker.rest()
            status = worker.finish()
            assert (words, os.WTERMSIG(status)) == ([], signal.SIGKILL), f"it ended otherwise: {words}"
        else:
            time.sleep(self._dice.uniform(0, LONGEST))
            worker.kill()
        worker.close()
        self._gate.unlink()
        if self._heir is None:
            self._heir = self._gateway(gate=str(self._gate))
        return done

    def _gateway(self, **given: Any) -> Worker:
        worker = self._crew.start(
            "serve_gateway",
            location=self._location,
            service=self._messenger.path,
            platforms=[self._platform],
            once=self._once,
            workspace=str(self._workspace),
            lease=LEASE,
            **given,
        )
        assert worker.hear() == ["ready"]
        return worker

    def _ended(self, transfer_id: str) -> Transfer | None:
        transfer = self._store.transfers.get(transfer_id)
        return transfer if transfer.state not in rules.ACTIVE else None

    def _count_greetings(self, place: Place, expected: str) -> None:
        """One; where nothing can be asked and no key is known, perhaps a second one that is marked."""
        texts = self._messenger.texts(place)
        assert list(map(plain, texts)) == [expected] * len(texts), f"people see {texts}"
        marked = sum(text != plain(text) for text in texts)
        most = 2 if self._once == "none" else 1
        assert 1 <= len(texts) <= most, f"people see {texts}"
        assert len(texts) - marked <= 1, f"a repetition is not marked: {texts}"
        self.outcomes["repeated, marked" if len(texts) > 1 else "once"] += 1

    def _look_at(self, conversation_id: str, died: float) -> None:
        """Nobody holds anything, nothing waits, nothing is cut, and what was said before is as it was."""
        left = LEASE + 2 - (time.monotonic() - died)
        _soon(lambda: self._store.conversations.get(conversation_id).owner is None, "its release", max(left, 1))
        for box in (self._store.inbox, self._store.outbox):
            _soon(lambda box=box: not self._waiting(box), f"{self._waiting(box)} to leave", max(left, 1))
        entries = self._entries(conversation_id)
        assert recovery.interrupted(entries) is None, "the last turn has no end"
        assert recovery.unanswered(entries) == []
        assert self._messenger.violations == []

    def _waiting(self, box: Any) -> list[str]:
        return [mail.key for mail in box.waiting() if mail.place.startswith(f"{self._platform}:")]

    def _entries(self, conversation_id: str) -> list[Entry]:
        sessions = self._store.sessions.of(conversation_id)
        assert len(sessions) == 1
        entries = self._store.entries.load(sessions[0].id)
        assert all(entry.intact() for entry in entries)
        return entries

    def _talk(self, place: Place, conversation_id: str) -> None:
        """It goes on: the next word there is answered by somebody who knows the others."""
        text = f"and {self._count}?"
        self._messenger.says(place, f"and{self._count}", text)
        _soon(lambda: answer(text) in self._messenger.texts(place), "an answer to what is said next")
        before = len(self._messenger.texts(place))
        _soon(lambda: self._store.conversations.get(conversation_id).owner is None, "its release")
        assert len(self._messenger.texts(place)) == before
        said = [entry.data for entry in self._entries(conversation_id) if entry.kind == "user"]
        assert sum(data["text"] == text for data in said) == 1


def _soon(look: Callable[[], T], what: str, seconds: float = PATIENCE) -> T:
    """The first result that is something."""
    end = time.monotonic() + seconds
    while not (found := look()):
        assert time.monotonic() < end, f"waited {seconds:.1f} s for {what}"
        time.sleep(0.01)
    return found


class Field:
    """Lanes side by side on one store. Use as `with`; `run` raises what the first lane that failed found."""

    def __init__(self, location: str, directory: Path, lanes: int = 6) -> None:
        self._location = location
        self._directory = directory
        self._count = lanes
        self._lanes: list[Lane] = []
        self._stack = ExitStack()

    def __enter__(self) -> Field:
        with ExitStack() as stack:
            messenger = stack.enter_context(Messenger(self._directory / "messenger"))
            for number in range(self._count):
                self._lanes.append(Lane(self._location, self._directory, messenger, number))
                stack.callback(self._lanes[-1].close)
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def run(self, mode: str, runs: int, first: int = 0, told: Callable[[int], None] = lambda _: None) -> None:
        points, done = Queue[str](), Queue[None]()
        for point in plan(MODES[mode], runs, first):
            points.put(point)

        def work(lane: Lane) -> None:
            with suppress(Empty):
                while True:
                    lane.run(mode, points.get_nowait())
                    done.put(None)
                    told(done.qsize())

        with ThreadPoolExecutor(self._count) as pool:
            for finished in as_completed([pool.submit(work, lane) for lane in self._lanes]):
                if finished.exception():
                    with suppress(Empty):
                        while True:
                            points.get_nowait()
                finished.result()

    @property
    def outcomes(self) -> Counter[str]:
        return sum((lane.outcomes for lane in self._lanes), Counter())

    @property
    def recoveries(self) -> list[float]:
        """Seconds from the death to the end of what it had begun, shortest first."""
        return sorted(each for lane in self._lanes for each in lane.recoveries)
