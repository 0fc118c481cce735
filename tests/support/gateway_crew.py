"""Real gateway processes on one store and one messaging service, for tests that kill, stop and restart them."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

from baton.core.log.conversation import Conversation
from baton.core.log.entry import Entry, NewEntry
from baton.core.transfer.place import Place
from baton.ports.store import Store
from tests.support.messenger.service import Messenger
from tests.support.patience import PATIENCE
from tests.support.workers.crew import Crew, Worker
from tests.support.workers.gatewaying import ROOM
from tests.support.workers.stores import open_at

T = TypeVar("T")
LEASE = 1.0
SAID = ("The code word is kingfisher.", "Never touch migrations.")


class GatewayCrew:
    """Use as `with`. Every gateway serves the same platforms; `store` is the test's own view of what they share.

    `serving` is how they reach them, as `serve_gateway` takes it; modules in `preload` are imported once for all.
    """

    def __init__(
        self,
        location: str,
        workspace: Path,
        platforms: Sequence[str],
        serving: Mapping[str, Any],
        preload: Sequence[str] = (),
    ) -> None:
        self.location = location
        self.platforms = list(platforms)
        self.workspace = workspace
        self.workspace.mkdir(parents=True)
        self.store: Store = open_at(location)
        self._serving = serving
        self._crew = Crew(preload)

    def __enter__(self) -> GatewayCrew:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self._crew.__exit__(kind, error, None)
        self.store.close()

    def start(self, **given: Any) -> Worker:
        """A gateway that is connected."""
        worker = self.begin(**given)
        assert is_ready(worker)
        return worker

    def begin(self, **given: Any) -> Worker:
        return self._crew.start(
            "serve_gateway",
            location=self.location,
            platforms=self.platforms,
            workspace=str(self.workspace),
            **{"lease": LEASE, **self._serving, **given},
        )

    def stop(self, worker: Worker) -> dict[str, Any]:
        """In good order; gives back its figures."""
        os.kill(worker.pid, signal.SIGTERM)
        return self.stopped(worker)

    def stopped(self, worker: Worker) -> dict[str, Any]:
        words = worker.rest()[-1]
        assert words[0] == "stopped"
        assert worker.finish() == 0
        worker.close()
        return words[1]

    def terminal(self) -> str:
        """A conversation somebody had in the terminal."""
        conversations = self.store.conversations
        conversation, session = conversations.start("moved")
        proof = conversations.claim(conversation.id, "terminal", 60)
        new = [NewEntry(kind, {"text": text}) for text in SAID for kind in ("user", "assistant")]
        self.store.entries.append(proof, session.id, new)
        conversations.release(proof)
        return conversation.id

    def at(self, place: Place) -> Conversation:
        binding = self.store.bindings.at(place)
        assert binding is not None, f"{place.key} speaks for nobody"
        return self.store.conversations.get(binding.conversation_id)

    def entries(self, conversation_id: str) -> list[Entry]:
        """All of them, each whole, in one session."""
        sessions = self.store.sessions.of(conversation_id)
        assert len(sessions) == 1
        entries = self.store.entries.load(sessions[0].id)
        assert all(entry.intact() for entry in entries)
        return entries

    def heard(self, conversation_id: str) -> list[str]:
        """What people said, as the transcript has it."""
        said = [entry.data for entry in self.entries(conversation_id) if entry.kind == "user"]
        return [str(data["text"]) for data in said if not data.get("synthetic")]

    def waiting(self) -> list[str]:
        """Keys of messages on their way, in and out."""
        boxes = (self.store.inbox, self.store.outbox)
        mine = tuple(f"{name}:" for name in self.platforms)
        return [mail.key for box in boxes for mail in box.list_waiting() if mail.place.startswith(mine)]


class MessengerCrew(GatewayCrew):
    """Gateways on the little messaging service; `once` says how its platforms tell a repetition."""

    def __init__(
        self, location: str, directory: Path, messenger: Messenger, platforms: Sequence[str], once: str = "key"
    ) -> None:
        self.messenger = messenger
        self.once = once
        for name in platforms:
            messenger.room(name, ROOM, once)
        serving = {"service": messenger.path, "once": once}
        super().__init__(location, directory / f"work-{platforms[0]}", platforms, serving)

    def __enter__(self) -> MessengerCrew:
        return self


def is_ready(worker: Worker) -> bool:
    """Waits until it is connected; False if it died before."""
    words = past_refusals(worker)
    assert words in (["ready"], None), words
    return words is not None


def past_refusals(worker: Worker) -> list[Any] | None:
    """What it says next. What it was refused until then does not matter: on a machine that stood still it may have
    lost a lease and claimed it anew.
    """
    while (words := worker.hear()) is not None and words[0] == "refused":
        pass
    return words


def soon(look: Callable[[], T], what: str, seconds: float = PATIENCE, nap: float = 0.01) -> T:
    """The first result that is something."""
    end = time.monotonic() + seconds
    while not (found := look()):
        assert time.monotonic() < end, f"waited {seconds:.1f} s for {what}"
        time.sleep(nap)
    return found
