"""A gateway in this process: platforms in memory, a scripted model, a real store. Use as `async with`."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from baton.config import Settings
from baton.config.gateway_settings import GatewaySettings
from baton.config.schema import StoreSettings
from baton.core.agent.message import ToolSpec
from baton.core.log.conversation import Conversation
from baton.core.log.entry import Entry
from baton.core.transfer.place import Place
from baton.engine.handoff.packets import HandoffKit
from baton.engine.turns.parts import Parts, TurnSettings
from baton.engine.turns.step import Patience
from baton.engine.turns.toolbox import Toolbox
from baton.ports.model import Model
from baton.ports.platform import Abilities, Platform
from baton.ports.store import Store
from baton.ports.tool import Intent, Outcome, Output
from baton.surfaces.gateway.gateway import Gateway
from baton.surfaces.shared.approvals import WaitingApprover
from baton.testing.platform import ALL, FakePlatform
from baton.testing.service import FakeService
from baton.wiring.gateway import make_gateway
from baton.wiring.handoffs import describe_call_risk
from baton.wiring.people import open_targets
from tests.support.patience import PATIENCE

T = TypeVar("T")
LEASE = 1.0
HOME = Place("telegram", "777")
OWNER = "telegram:owner"


class SmallAgent:
    """What commands ask an agent for."""

    def __init__(self, workspace: str) -> None:
        self.workspace = workspace
        self.model = "fake:model"
        self.mode = "ask"
        self.effort = ""

    def use_model(self, name: str) -> None:
        self.model = name

    def window(self) -> int:
        return 32_000

    def unsandboxed(self) -> str:
        return ""

    def takes_images(self) -> bool:
        return True

    def branch(self) -> str:
        return ""

    def files(self) -> list[str]:
        return []

    def clean(self, text: str, conversation_id: str = "") -> str:
        return clean(text)

    def narrates(self) -> bool:
        return False

    async def close(self) -> None:
        pass


def clean(text: str) -> str:
    return text.replace("hunter2", "[redacted: password]")


class Deploy:
    """A tool that wants to be asked for."""

    spec = ToolSpec("deploy", "deploys", {"type": "object"})

    def __init__(self) -> None:
        self.done = 0

    async def intent(self, args: Mapping[str, Any]) -> Intent:
        return Intent("deploy to production", "execute", preview="deploy --now")

    async def run(self, args: Mapping[str, Any], output: Output) -> Outcome:
        self.done += 1
        return Outcome("deployed")


class NoMemory:
    def list_allowed(self) -> Sequence[str]:
        return ()

    def remember(self, fingerprint: str, title: str) -> None:
        pass


class SmallHost:
    def __init__(self, store: Store, workspace: str, model: Model, tools: Sequence[Any], settings: Settings) -> None:
        self.workspace = workspace
        self.model = "fake:model"
        self.handoff: HandoffKit | None = None
        self.mode = "ask"
        self.forgotten = 0
        self._model = model
        self._tools = tools
        self._agents: dict[str, SmallAgent] = {}
        self._targets = open_targets(store, settings)

    def agent(self, conversation: Conversation) -> SmallAgent:
        return self._agents.setdefault(conversation.id, SmallAgent(self.workspace))

    async def forget_idle(self, unused_for: float, is_busy: Callable[[str], bool]) -> None:
        self.forgotten += 1

    def clean(self, text: str, conversation_id: str = "") -> str:
        return clean(text)

    def target(self, text: str) -> str:
        return self._targets.resolve(text)

    async def parts(self, conversation_id: str) -> Parts:
        toolbox = Toolbox(self._tools, WaitingApprover(), NoMemory(), self.mode, describe_call_risk, clean)
        patience = Patience(silence=5, tries=2, first=0.01, longest=0.05)
        return Parts(self._model, toolbox, TurnSettings("be good", patience, max_steps=6, handoff=self.handoff))


class SmallGateway:
    """Platforms `telegram` and `slack`; the owner's home is room 777 of the first. `platforms` replaces them by others,
    such as the real adapter of a stage.
    """

    def __init__(
        self,
        store: Store,
        workspace: Path,
        model: Model,
        *,
        tools: Sequence[Any] = (),
        services: Mapping[str, FakeService] | None = None,
        abilities: Abilities = ALL,
        lease: float = LEASE,
        platforms: Mapping[str, Platform] | None = None,
        **given: Any,
    ) -> None:
        gateway = GatewaySettings(
            **{"home": {"telegram": "777", "slack": "C1"}, "owners": (OWNER, "slack:owner"), "drain": 0.2, **given}
        )
        self.settings = Settings(store=StoreSettings(lease=lease), gateway=gateway)
        self.store = store
        self.services = dict(services or {name: FakeService(name) for name in ("telegram", "slack")})
        fakes = {name: FakePlatform(service, abilities) for name, service in self.services.items()}
        self.host = SmallHost(store, str(workspace), model, tools, self.settings)
        self.gateway: Gateway = make_gateway(store, self.settings, platforms or fakes, self.host)
        self._stop = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    @property
    def telegram(self) -> FakeService:
        return self.services["telegram"]

    async def __aenter__(self) -> SmallGateway:
        self._task = asyncio.create_task(self.gateway.run(self._stop))
        await self.gateway.ready.wait()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    async def stop(self) -> None:
        self._stop.set()
        assert self._task is not None
        await self._task

    async def die(self) -> None:
        """As a process does that is killed: nothing is given back, nothing is finished."""
        assert self._task is not None
        for task in asyncio.all_tasks():
            if task is not asyncio.current_task():
                task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    async def texts(self, place: Place, count: int = 1) -> list[str]:
        """What is shown there, once there are so many messages."""
        service = self.services[place.platform]
        await soon(lambda: len(service.texts(place)) >= count, f"{count} messages, there are {service.texts(place)}")
        return service.texts(place)

    def conversation(self, place: Place = HOME) -> Conversation:
        binding = self.store.bindings.at(place)
        assert binding is not None
        return self.store.conversations.get(binding.conversation_id)

    def entries(self, conversation: Conversation) -> list[Entry]:
        return self.store.entries.load(self.store.conversations.get(conversation.id).head_id)

    def terminal(self, *said: str) -> Conversation:
        """A conversation somebody had in the terminal."""
        from baton.core.log.entry import NewEntry

        conversation, session = self.store.conversations.start("fix the race", self.host.workspace)
        proof = self.store.conversations.claim(conversation.id, f"terminal:{os.getpid()}", 5)
        new = [NewEntry(kind, {"text": text}) for text in said for kind in ("user", "assistant")]
        self.store.entries.append(proof, session.id, new)
        self.store.conversations.release(proof)
        return conversation


def quiet(small: SmallGateway) -> bool:
    """Nothing waits anywhere, and nobody holds anything."""
    store = small.store
    held = [each for each in store.bindings.list_conversations(list(small.services), 0) if each.owner]
    return not (store.inbox.list_waiting() or store.outbox.list_waiting() or held)


def heard(small: SmallGateway) -> list[str]:
    """What people said, as the transcript has it."""
    said = [entry.data for entry in small.entries(small.conversation()) if entry.kind == "user"]
    return [str(data["text"]) for data in said if not data.get("synthetic")]


async def soon(check: Callable[[], T | Awaitable[T]], what: str = "", seconds: float = PATIENCE) -> T:
    """The first result that is something."""
    try:
        async with asyncio.timeout(seconds):
            while True:
                found = check()
                result = await found if isinstance(found, Awaitable) else found
                if result:
                    return result
                await asyncio.sleep(0.005)
    except TimeoutError:
        raise AssertionError(f"waited in vain for {what or check}") from None
