"""What the operations of the API work with."""

from __future__ import annotations

import asyncio
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

from baton.core.errors import GatewayStops, TooManyReaders, TurnRuns
from baton.core.value import value
from baton.engine.aio import in_thread
from baton.surfaces.shared.chat import Chat

if TYPE_CHECKING:
    from baton.core.log.conversation import Conversation
    from baton.engine.mail.wakeup import Wakeup
    from baton.engine.transfer.targets import Targets
    from baton.engine.turns.runtime import Runtime
    from baton.ports.store import Store
    from baton.surfaces.api.pulse import Pulse
    from baton.surfaces.shared.host import Host
    from baton.surfaces.shared.questions import Questions

MOST_READERS = 100


class Lives(Protocol):
    """The gateway, as far as it tells how it is."""

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


@value
class Office:
    """`stopping` is set when the gateway begins nothing new, `closed` when streams end."""

    store: Store
    runtime: Runtime
    host: Host
    questions: Questions
    targets: Targets
    gateway: Lives
    wakeup: Wakeup
    readers: Readers
    pulse: Pulse
    stopping: asyncio.Event
    closed: asyncio.Event

    async def conversation(self, conversation_id: str) -> Conversation:
        """`NotFound` when there is none."""
        return await in_thread(self.store.conversations.get, conversation_id)

    def check_open(self) -> None:
        if self.stopping.is_set():
            raise GatewayStops()

    def check_idle(self, conversation_id: str) -> None:
        if self.runtime.busy(conversation_id):
            raise TurnRuns(conversation=conversation_id)

    async def idle_chat(self, conversation_id: str) -> Chat:
        """For work on a conversation that is no turn; `TurnRuns` while one runs here."""
        self.check_open()
        conversation = await self.conversation(conversation_id)
        self.check_idle(conversation_id)
        chat = Chat(self.store, self.runtime, self.host.agent(conversation))
        chat.conversation = conversation
        return chat
