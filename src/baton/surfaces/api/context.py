"""What the operations of the API work with."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

from baton.core.errors import BatonError, GatewayStops, TooManyReaders, TurnRuns
from baton.core.value import field, value
from baton.engine.aio import in_thread
from baton.surfaces.shared.chat import Chat

if TYPE_CHECKING:
    from baton.core.log.conversation import Conversation
    from baton.engine.mail.wakeup import Wakeup
    from baton.engine.transfer.targets import Targets
    from baton.engine.turns.runtime import Runtime
    from baton.ports.store import Store
    from baton.surfaces.shared.host import Host

MOST_READERS = 100
_STORE_PATIENCE = 3.0
_PROBE_EVERY = 1.0


class GatewayState(Protocol):
    """What the gateway tells about itself."""

    @property
    def states(self) -> Mapping[str, str]: ...

    def figures(self) -> Mapping[str, int]: ...


class Readers:
    """How many streams of events are open."""

    def __init__(self, most: int = MOST_READERS) -> None:
        self._most = most
        self.count = 0

    def check(self) -> None:
        if self.count >= self._most:
            raise TooManyReaders(count=self.count)

    @contextmanager
    def one(self) -> Generator[None]:
        self.count += 1
        try:
            yield
        finally:
            self.count -= 1


class StoreProbe:
    """Whether the store answers. It is asked at most once a second, however many want to know."""

    def __init__(self) -> None:
        self._lock = asyncio.Lock()
        self._at = -_PROBE_EVERY
        self._well = False

    async def well(self, store: Store) -> bool:
        async with self._lock:
            if time.monotonic() - self._at >= _PROBE_EVERY:
                self._well = await self._ask(store)
                self._at = time.monotonic()
            return self._well

    async def _ask(self, store: Store) -> bool:
        try:
            async with asyncio.timeout(_STORE_PATIENCE):
                await in_thread(store.register.get, "gateway/pulse")
        except (BatonError, TimeoutError):
            return False
        return True


@value
class Serving:
    """The state of the server. `stopping` is set when the gateway begins nothing new, `closed` when streams end."""

    wakeup: Wakeup
    stopping: asyncio.Event
    closed: asyncio.Event = field(default_factory=asyncio.Event)
    readers: Readers = field(default_factory=Readers)
    probe: StoreProbe = field(default_factory=StoreProbe)

    def check_open(self) -> None:
        if self.stopping.is_set():
            raise GatewayStops()


@value
class Context:
    """The gateway's parts, and the server."""

    store: Store
    runtime: Runtime
    host: Host
    targets: Targets
    gateway: GatewayState
    serving: Serving

    async def conversation(self, conversation_id: str) -> Conversation:
        """`NotFound` when there is none."""
        return await in_thread(self.store.conversations.get, conversation_id)

    def check_idle(self, conversation_id: str) -> None:
        if self.runtime.busy(conversation_id):
            raise TurnRuns(conversation=conversation_id)

    async def idle_chat(self, conversation_id: str) -> Chat:
        """For work on a conversation other than a turn; raises `TurnRuns` while a turn runs here."""
        self.serving.check_open()
        await self.conversation(conversation_id)
        self.check_idle(conversation_id)
        return await self.chat(conversation_id)

    async def chat(self, conversation_id: str) -> Chat:
        """For what may be done beside a turn."""
        self.serving.check_open()
        conversation = await self.conversation(conversation_id)
        chat = Chat(self.store, self.runtime, self.host.agent(conversation))
        chat.conversation = conversation
        return chat
