"""Messages to a platform that turns them away, fails, or accepts them and never answers, while gateways are killed."""

from __future__ import annotations

import random
import time
from collections import Counter
from contextlib import ExitStack
from pathlib import Path

from baton.core.transfer.letter import Letter, to_body
from baton.core.transfer.place import Place
from tests.support.gateway_crew import MessengerCrew, soon
from tests.support.messenger.service import Messenger
from tests.support.workers.crew import Worker
from tests.support.workers.gatewaying import plain

ROOMS = 20
KINDS = ("later", "unsure", "swallow")
_ONCE = ("key", "probe", "none")


class Trouble:
    """Use as `with`. Each case is a message whose first send, and perhaps its second, ends in trouble."""

    def __init__(self, location: str, directory: Path, seed: int = 4) -> None:
        self._dice = random.Random(seed)
        self._stack = ExitStack()
        self._messenger = self._stack.enter_context(Messenger(directory / "messenger"))
        self._crews = [
            self._stack.enter_context(MessengerCrew(location, directory, self._messenger, [f"chat{once}"], once))
            for once in _ONCE
        ]
        self.outcomes: Counter[str] = Counter()

    def __enter__(self) -> Trouble:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def run(self, cases: int, kills: int = 2) -> None:
        """The cases one after another in each of some rooms; every gateway is killed and replaced now and then."""
        workers = [crew.start() for crew in self._crews]
        expected: dict[Place, list[str]] = {}
        for number in range(cases):
            crew = self._crews[number % len(self._crews)]
            place = self._messenger.room(crew.platforms[0], f"room{number % ROOMS}", crew.once)
            kinds = self._dice.choices(KINDS, k=self._dice.choice((1, 1, 2)))
            self._messenger.trouble(f"case/{number}", *kinds)
            expected.setdefault(place, []).append(f"message {number}")
            crew.store.outbox.put(f"case/{number}", place, to_body(Letter(f"message {number}")))
        for _ in range(kills):
            time.sleep(self._dice.uniform(0.2, 0.6))
            workers = [self._replaced(crew, worker) for crew, worker in zip(self._crews, workers, strict=True)]
        for crew in self._crews:
            soon(lambda crew=crew: not crew.waiting(), "all messages to leave", 30 + cases / 2)
        for place, texts in expected.items():
            self._look(place, texts)
        assert self._messenger.violations == []
        for crew, worker in zip(self._crews, workers, strict=True):
            crew.stop(worker)

    def _replaced(self, crew: MessengerCrew, worker: Worker) -> Worker:
        worker.kill()
        worker.close()
        return crew.start()

    def _look(self, place: Place, expected: list[str]) -> None:
        texts = self._messenger.texts(place)
        seen = list(dict.fromkeys(map(plain, texts)))
        assert seen == expected, f"{place.key}: {texts}"
        for text in expected:
            times = [each for each in texts if plain(each) == text]
            unmarked = sum(each == text for each in times)
            assert unmarked <= 1, f"a repetition is not marked: {times}"
            assert len(times) == 1 or self._messenger.once[f"{place.platform}:{place.room}"] == "none", times
            self.outcomes["once" if len(times) == 1 else "repeated, marked"] += 1
