"""The gateway, put together: the platforms that are configured, one runtime, and an agent for each conversation."""

from __future__ import annotations

import asyncio
import os
import signal
from collections import OrderedDict
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from baton.core.handoff.policy import FRESH_PROCESS, FRESH_SESSION
from baton.core.ids import new_id
from baton.core.transfer.place import PLATFORMS, Place, parse_place
from baton.core.value import replace
from baton.engine.aio import in_thread
from baton.engine.mail.delivery import Delivery, Terms
from baton.engine.mail.outbox import OutboxWriter
from baton.engine.mail.platform_state import platform_shelf
from baton.engine.mail.worker import Claims
from baton.engine.transfer.carrier import Carrier
from baton.engine.transfer.kit import TransferKit
from baton.engine.turns.parts import Parts as TurnParts
from baton.engine.turns.runtime import Runtime
from baton.surfaces.gateway.channel_commands import ChannelCommands
from baton.surfaces.gateway.correspondence import Correspondence
from baton.surfaces.gateway.desk import Desk
from baton.surfaces.gateway.gateway import Gateway, Parts
from baton.surfaces.gateway.reception import Reception
from baton.surfaces.gateway.takeover import Takeover
from baton.surfaces.shared.questions import Questions
from baton.wiring.people import directory, targets
from baton.wiring.redaction import Redactors

if TYPE_CHECKING:
    from baton.config import Settings
    from baton.core.log.conversation import Conversation
    from baton.ports.platform import Platform
    from baton.ports.redactor import Redactor
    from baton.ports.store import Store
    from baton.surfaces.shared.host import Host
    from baton.wiring.agent import WorkspaceAgent
    from baton.wiring.program import Program

NOTHING = "No messaging platform is configured. Set one up, for example: gateway.telegram.token (BATON_TELEGRAM_TOKEN)."
STOPPING = "Stopping: what is being answered comes to its end first. Ctrl-C again stops at once."
STOPPED = "Stopped. What is left waits for the next gateway."
_AGENTS = 500


def open_platforms(store: Store, settings: Settings, home: str) -> dict[str, Platform]:
    """Those whose account is configured."""
    from baton.adapters.platforms.registry import open_platform

    found: dict[str, Platform] = {}
    for name in PLATFORMS:
        shelf = platform_shelf(store.register, name)
        platform = open_platform(name, settings.gateway, shelf, Path(home, "platforms", name))
        if platform is not None:
            found[name] = platform
    return found


def in_one_process(settings: Settings) -> Settings:
    """A gateway speaks for many conversations: none of them can go on in a process of its own."""
    given = settings.agent.auto_handoff_on_compression
    if given.mode != FRESH_PROCESS:
        return settings
    agent = replace(settings.agent, auto_handoff_on_compression=replace(given, mode=FRESH_SESSION))
    return replace(settings, agent=agent)


class GatewayHost:
    """Implements `surfaces.gateway.host.Host`: an agent for each conversation, the costly parts shared."""

    def __init__(self, program: Program, questions: Questions, model: str | None, mode: str | None) -> None:
        from baton.adapters.models.registry import default_model

        self._program = program
        self._questions = questions
        self._mode = mode
        loaded = program.loaded()
        self._settings = in_one_process(loaded.settings)
        self._home = str(loaded.locations.home)
        self._agents: OrderedDict[str, WorkspaceAgent] = OrderedDict()
        self._redactors = Redactors(self._open_redactor)
        self._workspaces: dict[str, str] = {}
        self.workspace = os.path.realpath(self._settings.gateway.workspace or os.getcwd())
        self.model = default_model(os.environ, model or self._settings.model)
        self._targets = targets(program.store(), self._settings)

    def agent(self, conversation: Conversation) -> WorkspaceAgent:
        if conversation.id not in self._agents:
            self._agents[conversation.id] = self._new(conversation)
        self._agents.move_to_end(conversation.id)
        return self._agents[conversation.id]

    def _new(self, conversation: Conversation) -> WorkspaceAgent:
        from baton.wiring.agent import WorkspaceAgent

        workspace = conversation.workspace if os.path.isdir(conversation.workspace) else self.workspace
        mode = self._mode or self._settings.agent.mode
        agent = WorkspaceAgent(
            workspace,
            self._home,
            self._model_of(conversation),
            mode,
            self._settings,
            redactor=partial(self._redactors.of, workspace),
        )
        agent.begin(self._questions.of(conversation.id))
        return agent

    def _model_of(self, conversation: Conversation) -> str:
        """Who answered last, where that model can be used here."""
        from baton.adapters.models.registry import require, split
        from baton.core.errors import ModelError
        from baton.surfaces.shared.transcript import last_model

        name = last_model(self._program.store().entries.last(conversation.head_id, 50)) or self.model
        with suppress(ModelError):
            require(split(name)[0], name, os.environ)
            return name
        return self.model

    def _open_redactor(self, workspace: str) -> Redactor:
        from baton.wiring.handoffs import open_kit_redactor

        return open_kit_redactor(workspace, self._home, self._settings, dict(os.environ))

    def warm(self) -> None:
        """What the first message would wait for. What fails here fails there again, where somebody hears of it."""
        from baton.adapters.models.open import warm

        with suppress(Exception):
            warm(self.model, os.environ)
            self.clean("")

    def clean(self, text: str, conversation_id: str = "") -> str:
        return self._redactors.of(self._workspace_of(conversation_id)).redact(text).text

    def _workspace_of(self, conversation_id: str) -> str:
        if conversation_id and conversation_id not in self._workspaces:
            found = self._program.store().conversations.get(conversation_id).workspace
            self._workspaces[conversation_id] = found if os.path.isdir(found) else self.workspace
        return self._workspaces.get(conversation_id, self.workspace)

    def target(self, text: str) -> str:
        return self._targets.resolve(text)

    async def parts(self, conversation_id: str) -> TurnParts:
        conversation = await in_thread(self._program.store().conversations.get, conversation_id)
        parts = await self.agent(conversation).parts(conversation_id)
        await self._let_go()
        return parts

    async def _let_go(self) -> None:
        """Of agents that have been idle for longest, if there are many."""
        while len(self._agents) > _AGENTS:
            _, agent = self._agents.popitem(last=False)
            await agent.close()

    async def close(self) -> None:
        for agent in self._agents.values():
            with suppress(Exception):
                await agent.close()


def make_gateway(
    store: Store,
    settings: Settings,
    platforms: Mapping[str, Platform],
    host: Host,
    questions: Questions,
    api: str = "",
) -> Gateway:
    given, lease = settings.gateway, settings.store.lease
    gateway_id = f"gateway:{os.getpid()}:{new_id('turn')[2:8]}"
    runtime = Runtime(store, host.parts, surface="gateway", lease=lease)
    outbox = OutboxWriter(store, platforms, host.clean)
    people, goals = directory(store, settings), targets(store, settings)
    correspondence = Correspondence(store, runtime, outbox, questions)
    takeover = Takeover(correspondence, lease, given.recover_within)
    commands = ChannelCommands(store, runtime, host, people)

    def room(target: str) -> Place:
        place = parse_place(goals.room(target))
        return place if place.thread else platforms[place.platform].room(place.room)

    kit = TransferKit(store, runtime, outbox, platforms, room, correspondence.follow)
    return Gateway(
        Parts(
            id=gateway_id,
            store=store,
            runtime=runtime,
            platforms=platforms,
            reception=Reception(store, people, outbox),
            correspondence=correspondence,
            takeover=takeover,
            desk=Desk(correspondence, takeover, host, commands, Claims(gateway_id, lease)),
            delivery=Delivery(store, platforms, gateway_id, Terms(lease, given.send_tries, given.recover_within)),
            carrier=Carrier(kit, gateway_id, lease),
            targets=goals,
            drain=given.drain,
            api=api,
        )
    )


async def run_gateway(program: Program, model: str | None, mode: str | None, say: Callable[[str], None]) -> int:
    """Until SIGTERM or SIGINT; a second one ends it at once."""
    loaded = program.loaded()
    platforms = await in_thread(open_platforms, program.store(), loaded.settings, str(loaded.locations.home))
    from baton.surfaces.api.server import bind
    from baton.surfaces.shared.api_token import load_token
    from baton.wiring.api import serve_api

    token = load_token(str(loaded.locations.home))
    listener = bind(loaded.settings.gateway.listen)
    questions = Questions()
    host = GatewayHost(program, questions, model, mode)
    gateway = make_gateway(program.store(), loaded.settings, platforms, host, questions, listener.url)
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, _stop, stop, loop, number, say)
    say(f"Gateway on {', '.join(platforms) or 'no platform'}, HTTP API on {listener.url}. Stop it with Ctrl-C.")
    if not platforms:
        say(NOTHING)
    warming = asyncio.create_task(in_thread(host.warm))
    telling = asyncio.create_task(_tell(gateway, say))
    try:
        async with serve_api(listener, token, gateway, host, stop):
            await gateway.run(stop)
    finally:
        telling.cancel()
        await asyncio.wait([warming])
        await host.close()
    say(STOPPED)
    return 0


def _stop(stop: asyncio.Event, loop: asyncio.AbstractEventLoop, number: int, say: Callable[[str], None]) -> None:
    if not stop.is_set():
        say(STOPPING)
    stop.set()
    loop.remove_signal_handler(number)


async def _tell(gateway: Gateway, say: Callable[[str], None]) -> None:
    """Each platform's state, whenever it changes."""
    told: dict[str, str] = {}
    while True:
        for name, state in gateway.states.items():
            if told.get(name) != state:
                told[name] = state
                say(f"{name}: {state.removeprefix(f'{name} ')}")
        await asyncio.sleep(0.2)
