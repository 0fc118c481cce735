"""Gateways that are killed while they carry a conversation or answer a message, and what is found afterwards.

Each lane has a platform and a spawner of its own, so that several runs wait for their leases at the same time. A run
is killed at a named point or at a random moment; another gateway, which was there all along or is started then, goes
on. Afterwards everything is looked at from outside: the store, and what people see.

A `Field` is on the little messaging service, a `StagedField` on the stage of a real platform with its real adapter.
"""

from __future__ import annotations

import os
import random
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import AbstractContextManager, ExitStack, suppress
from pathlib import Path
from queue import Empty, Queue
from typing import TypeVar

from baton.core.log import interrupted, waiting
from baton.core.transfer import transfer as rules
from baton.core.transfer.place import Place, parse_place
from baton.core.transfer.transfer import Transfer
from tests.support.gateway_crew import PATIENCE, SAID, GatewayCrew, is_ready, soon
from tests.support.kill_scenes import MessengerScene, Scene, StageScene
from tests.support.messenger.service import Messenger
from tests.support.workers.crew import Worker
from tests.support.workers.gatewaying import answer, arrived, plain
from tests.support.workers.mortal import INBOUND, TRANSFER

T = TypeVar("T")
LONGEST = 0.1
LEASE = 5.0
"""Seconds. On one machine a dead holder is known by its process: nobody waits for this, and no busy one runs out."""
MODES = {"transfer": TRANSFER, "inbound": INBOUND}
ONCE = ("key", "probe", "none")
OpenStore = Callable[[Path], AbstractContextManager[str]]
"""A store in a directory: its location."""


def plan(points: Sequence[str], runs: int, first: int = 0) -> Iterator[str]:
    """Points in turn; every fourth run has none and is killed by time."""
    for number in range(first, first + runs):
        yield "" if number % 4 == 3 else points[(number - number // 4) * 7 % len(points)]


class Lane:
    """One platform, one run after another. `outcomes` and `recoveries` (seconds) are of all of them."""

    def __init__(self, location: str, directory: Path, scene: Scene, number: int, preload: Sequence[str] = ()) -> None:
        self._scene = scene
        self._platform = scene.platform
        self._dice = random.Random(number)
        self._gate = directory / f"gate{number}"
        serving = {"lease": LEASE, **scene.serving()}
        self._crew = GatewayCrew(location, directory / f"work{number}", [scene.platform], serving, preload)
        self._store = self._crew.store
        self._count = 0
        self._heir: Worker | None = None
        self.outcomes: Counter[str] = Counter()
        self.recoveries: list[float] = []

    def close(self) -> None:
        self._crew.__exit__(None, None, None)
        self._scene.close()

    def run(self, mode: str, point: str) -> None:
        self._count += 1
        where = f"{mode} {self._count} on {self._platform} ({self._scene.once}), killed at {point or 'a random moment'}"
        try:
            {"transfer": self._transfer, "inbound": self._inbound}[mode](point)
        except AssertionError as error:
            raise AssertionError(f"{where}: {error}") from error

    def _transfer(self, point: str) -> None:
        conversation_id, threads = self._crew.terminal(), self._scene.count_threads()
        transfer = self._killed(
            point, lambda: self._request(conversation_id), lambda asked: bool(self._ended(asked.id))
        )
        died = time.monotonic()
        transfer = self._soon(lambda: self._ended(transfer.id), "the end of the transfer")
        assert transfer.state == rules.COMPLETED, f"it {transfer.state}: {transfer.error}"
        place = parse_place(str(transfer.notes["bound"]["place"]))
        assert [each.place for each in self._store.bindings.of(conversation_id)] == [place.key]
        self._look_at(conversation_id, died)
        self._count_visible(place, arrived(len(SAID)))
        self._talk(place, conversation_id)
        if threads is not None:
            self._soon(lambda: self._scene.count_threads() == threads + 1, "one thread more, and no empty one")

    def _request(self, conversation_id: str) -> Transfer:
        return self._store.transfers.request(conversation_id, "terminal:local", self._platform)

    def _inbound(self, point: str) -> None:
        place = self._scene.fresh_room(self._store, self._count)
        text = f"word {self._count} of {self._platform}"
        self._killed(
            point,
            lambda: self._scene.says(place, f"m{self._count}", text),
            lambda _: answer(text) in map(plain, self._scene.texts(place)),
        )
        died = time.monotonic()
        self._soon(lambda: answer(text) in map(plain, self._scene.texts(place)), f"an answer to {text}")
        conversation_id = self._crew.at(place).id
        self._look_at(conversation_id, died)
        self._count_visible(place, answer(text))
        assert self._crew.heard(conversation_id) == [text]
        self._talk(place, conversation_id)

    def _killed(self, point: str, act: Callable[[], T], over: Callable[[T], bool]) -> T:
        """What `act` gave, once a gateway that began with it is dead. Every third time its heir begins only then; where
        one alone may receive, it stands by otherwise. One that was looking for work when the gate closed may be
        quicker: once it is `over` there is nothing to die of.
        """
        self._gate.touch()
        is_there, alone = self._count % 3 > 0, self._scene.alone
        if self._heir and (alone or not is_there):
            self._heir.close()
            self._heir = None
        if is_there and not alone:
            self._inherit()
        worker = self._crew.begin(point=point)
        is_ready(worker)  # it may die of looking after what was there before
        if is_there:
            self._inherit()  # it stands by
        done = act()
        until = time.monotonic() + PATIENCE
        while point and worker.silent(0.5) and not (over(done) and worker.silent(0.5)):
            assert time.monotonic() < until, "nobody does anything"
        if point and not worker.silent(0):
            words = worker.rest()
            status = worker.finish()
            late = all(word[0] == "refused" for word in words)  # its heir had it already
            assert (late, os.WTERMSIG(status)) == (True, signal.SIGKILL), f"it ended otherwise: {words}"
        else:
            time.sleep(0 if point else self._dice.uniform(0, LONGEST))
            worker.kill()
        worker.close()
        self._gate.unlink()
        self._inherit()
        return done

    def _inherit(self) -> None:
        if self._heir is None:
            self._heir = self._crew.start(gate=str(self._gate))

    def _soon(self, look: Callable[[], T], what: str) -> T:
        return soon(look, what, nap=self._scene.nap)

    def _ended(self, transfer_id: str) -> Transfer | None:
        transfer = self._store.transfers.get(transfer_id)
        return transfer if transfer.state not in rules.ACTIVE else None

    def _count_visible(self, place: Place, expected: str) -> None:
        """One; where nothing can be asked and no key is known, perhaps a second one that is marked."""
        texts = self._scene.texts(place)
        assert list(map(plain, texts)) == [expected] * len(texts), f"people see {texts}"
        marked = sum(text != plain(text) for text in texts)
        most = 2 if self._scene.once == "none" else 1
        assert 1 <= len(texts) <= most, f"people see {texts}"
        assert len(texts) - marked <= 1, f"a repetition is not marked: {texts}"
        self.outcomes["repeated, marked" if len(texts) > 1 else "once"] += 1

    def _look_at(self, conversation_id: str, died: float) -> None:
        """Nobody holds anything, nothing waits, nothing is cut, and what was said before is as it was."""
        self._soon(lambda: self._store.conversations.get(conversation_id).owner is None, "its release")
        self._soon(lambda: not self._crew.waiting(), "all messages to leave")
        self.recoveries.append(time.monotonic() - died)
        entries = self._crew.entries(conversation_id)
        assert interrupted.find_interrupted(entries) is None, "the last turn has no end"
        assert waiting.waiting_input(entries) == []
        assert self._scene.violations() == []

    def _talk(self, place: Place, conversation_id: str) -> None:
        """It goes on: the next word there is answered once, by somebody who knows the others."""
        text, before = f"and {self._count}?", len(self._scene.texts(place))
        heard = self._crew.heard(conversation_id)
        self._scene.says(place, f"and{self._count}", text)
        self._soon(lambda: answer(text) in self._scene.texts(place), "an answer to what is said next")
        self._soon(lambda: self._store.conversations.get(conversation_id).owner is None, "its release")
        assert self._crew.heard(conversation_id) == [*heard, text]
        assert len(self._scene.texts(place)) == before + 1


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
            for lane in self._open_lanes(stack):
                self._lanes.append(lane)
                stack.callback(lane.close)
            self._stack = stack.pop_all()
        return self

    def _open_lanes(self, stack: ExitStack) -> Iterator[Lane]:
        messenger = stack.enter_context(Messenger(self._directory / "messenger"))
        for number in range(self._count):
            scene = MessengerScene(messenger, f"lane{number}", ONCE[number % len(ONCE)])
            yield Lane(self._location, self._directory, scene, number)

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


class StagedField(Field):
    """Lanes of one platform. All of them have its name, so each has a store of its own."""

    def __init__(self, platform: str, open_store: OpenStore, directory: Path, lanes: int = 4) -> None:
        super().__init__("", directory, lanes)
        self._platform = platform
        self._open_store = open_store

    def _open_lanes(self, stack: ExitStack) -> Iterator[Lane]:
        for number in range(self._count):
            folder = self._directory / f"{self._platform}{number}"
            location = stack.enter_context(self._open_store(folder))
            scene = StageScene(self._platform, str(folder / "platform"))
            yield Lane(location, folder, scene, number, [f"baton.adapters.platforms.{self._platform}.platform"])
