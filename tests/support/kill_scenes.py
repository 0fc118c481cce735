"""Where gateways are killed: the little messaging service, or the stage of a real platform with its real adapter."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine, Mapping
from typing import Any, Protocol, TypeVar

from baton.core.transfer.place import Place
from baton.ports.store import Store
from tests.contract.platform.kit import load
from tests.contract.platform.stage import Stage
from tests.support.messenger.service import Messenger
from tests.support.patience import PATIENCE
from tests.support.workers.gatewaying import ROOM

T = TypeVar("T")


class Scene(Protocol):
    """What a run needs of a platform. `alone` where a second gateway stands by while the first receives."""

    platform: str
    once: str
    alone: bool
    nap: float
    """Seconds between two looks at what people see."""

    def serving(self) -> Mapping[str, Any]:
        """How `serve_gateway` reaches it."""
        ...

    def fresh_room(self, store: Store, number: int) -> Place:
        """A room that speaks for no conversation, and in which nothing was said yet as far as `texts` tells."""
        ...

    def says(self, place: Place, message_id: str, text: str) -> None: ...

    def texts(self, place: Place) -> list[str]: ...

    def count_threads(self) -> int | None:
        """How many threads people see in the home room; None where that is not known."""
        ...

    def violations(self) -> list[str]: ...

    def close(self) -> None: ...


class MessengerScene:
    alone = False
    nap = 0.01

    def __init__(self, messenger: Messenger, platform: str, once: str) -> None:
        self._messenger = messenger
        self.platform = platform
        self.once = once
        messenger.room(platform, ROOM, once)

    def serving(self) -> Mapping[str, Any]:
        return {"service": self._messenger.path, "once": self.once}

    def fresh_room(self, store: Store, number: int) -> Place:
        return self._messenger.room(self.platform, f"room{number}", self.once)

    def says(self, place: Place, message_id: str, text: str) -> None:
        self._messenger.says(place, message_id, text)

    def texts(self, place: Place) -> list[str]:
        return self._messenger.texts(place)

    def count_threads(self) -> int | None:
        return None

    def violations(self) -> list[str]:
        return self._messenger.violations

    def close(self) -> None:
        pass


class StageScene:
    """The contract suite's stage of a platform, in a thread with an event loop of its own."""

    nap = 0.05

    def __init__(self, name: str, folder: str) -> None:
        self.platform = name
        self._folder = folder
        self._seen: dict[str, int] = {}
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._stage: Stage = self._do(_enter(name))
        abilities = self._stage.platform().abilities
        self.once, self.alone = abilities.once, abilities.alone

    def close(self) -> None:
        self._do(self._stage.__aexit__(None, None, None))
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def serving(self) -> Mapping[str, Any]:
        stage = self._stage
        account = {"settings": dict(stage.settings()), "room": stage.room.room, "owner": stage.owner}
        return {"accounts": {self.platform: {**account, "folder": self._folder}}}

    def fresh_room(self, store: Store, number: int) -> Place:
        room = self._stage.room
        if (binding := store.bindings.at(room)) is not None:
            store.bindings.unbind(room, binding.conversation_id)
        self._seen[room.key] = len(self._all(room))
        return room

    def says(self, place: Place, message_id: str, text: str) -> None:
        self._do(self._stage.says(place, text))

    def texts(self, place: Place) -> list[str]:
        return self._all(place)[self._seen.get(place.key, 0) :]

    def count_threads(self) -> int | None:
        """Telegram has them listed; elsewhere each of them begins with a message in the room."""
        if self.platform != "telegram":
            return len(self._all(self._stage.room))
        world = vars(self._stage)["server"].world
        return len(world.chats[int(self._stage.room.room)].topics)

    def violations(self) -> list[str]:
        return self._stage.violations()

    def _all(self, place: Place) -> list[str]:
        return self._do(self._stage.texts(place))

    def _do(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(PATIENCE)


async def _enter(name: str) -> Stage:
    return await load(name)().__aenter__()
