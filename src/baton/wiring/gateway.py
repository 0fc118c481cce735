"""The gateway, put together: the platforms that are configured, one runtime, the HTTP API beside it in one loop."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from baton.core.ids import new_id
from baton.core.transfer.place import PLATFORMS, Place, parse_place
from baton.engine.aio import in_thread
from baton.engine.mail.delivery import Delivery, Terms
from baton.engine.mail.outbox import OutboxWriter
from baton.engine.mail.platform_state import open_platform_state
from baton.engine.mail.readers import Readers
from baton.engine.mail.wakeup import Wakeup
from baton.engine.mail.worker import Claims
from baton.engine.processes import new_owner, share_memory_of_threads
from baton.engine.transfer.carrier import Carrier
from baton.engine.transfer.kit import TransferKit
from baton.engine.turns.runtime import Runtime
from baton.ports.store import LOG
from baton.surfaces.api.app import make_app
from baton.surfaces.api.context import Context, Serving
from baton.surfaces.api.server import Listener, Server, bind
from baton.surfaces.gateway.channel_commands import ChannelCommands
from baton.surfaces.gateway.correspondence import Correspondence
from baton.surfaces.gateway.desk import Desk
from baton.surfaces.gateway.gateway import Gateway, Parts
from baton.surfaces.gateway.question_board import QuestionBoard
from baton.surfaces.gateway.reception import Reception
from baton.surfaces.gateway.takeover import Takeover
from baton.surfaces.shared.api_token import load_token
from baton.wiring.gateway_host import GatewayHost
from baton.wiring.people import open_directory, open_targets

if TYPE_CHECKING:
    from baton.config import Settings
    from baton.engine.transfer.people import Directory
    from baton.ports.platform import Platform
    from baton.ports.store import Store
    from baton.surfaces.shared.host import Host
    from baton.wiring.program import Program

NOTHING = "No messaging platform is configured. Set one up, for example: gateway.telegram.token (BATON_TELEGRAM_TOKEN)."
NOBODY = "{name}: nobody is known as you, so nobody is heard in its home channel {home}. Run: baton pair {name}"
STOPPING = "Stopping: what is being answered comes to its end first. Ctrl-C again stops at once."
STOPPED = "Stopped. What is left waits for the next gateway."


def open_platforms(store: Store, settings: Settings, home: str) -> dict[str, Platform]:
    """Those whose account is configured."""
    from baton.adapters.platforms.registry import open_platform

    found: dict[str, Platform] = {}
    for name in PLATFORMS:
        state = open_platform_state(store.register, name)
        platform = open_platform(name, settings.gateway, state, Path(home, "platforms", name))
        if platform is not None:
            found[name] = platform
    return found


def make_gateway(
    store: Store,
    settings: Settings,
    platforms: Mapping[str, Platform],
    host: Host,
    api: str = "",
) -> Gateway:
    given, lease = settings.gateway, settings.store.lease
    gateway_id, owner = f"gateway:{os.getpid()}:{new_id('turn')[2:8]}", new_owner("gateway")
    runtime = Runtime(store, host.parts, surface="gateway", lease=lease)
    directory, targets = open_directory(store, settings), open_targets(store, settings)
    readers, terms = Readers(directory.owners), Terms(lease, given.send_tries, given.recover_within)
    delivery = Delivery(store, platforms, owner, terms, readers)
    outbox = OutboxWriter(store, platforms, host.clean, readers, delivery.inlet.put)
    correspondence = Correspondence(store, runtime, outbox)
    takeover = Takeover(correspondence, lease, given.recover_within)
    commands = ChannelCommands(store, runtime, host, directory)

    def room(target: str) -> Place:
        place = parse_place(targets.room(target))
        return place if place.thread else platforms[place.platform].room(place.room)

    reception = Reception(store, directory, outbox)
    desk = Desk(correspondence, takeover, host, commands, Claims(owner, lease), reception.recheck_role)
    reception.put = desk.inlet.put
    kit = TransferKit(store, runtime, outbox, platforms, room, directory.owners, correspondence.follow)
    return Gateway(
        Parts(
            id=gateway_id,
            store=store,
            runtime=runtime,
            platforms=platforms,
            reception=reception,
            correspondence=correspondence,
            takeover=takeover,
            desk=desk,
            delivery=delivery,
            carrier=Carrier(kit, owner, lease),
            board=QuestionBoard(store, outbox),
            targets=targets,
            drain=given.drain,
            forget_agents=host.forget_idle,
            api=api,
        )
    )


async def run_gateway(program: Program, model: str | None, mode: str | None, say: Callable[[str], None]) -> int:
    """Until SIGTERM or SIGINT; a second one ends it at once."""
    share_memory_of_threads()
    loaded = program.load_config()
    platforms = await in_thread(open_platforms, program.store(), loaded.settings, str(loaded.locations.home))
    token = load_token(str(loaded.locations.home))
    listener = bind(loaded.settings.gateway.listen)
    host = GatewayHost(program, model, mode)
    gateway = make_gateway(program.store(), loaded.settings, platforms, host, listener.url)
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, _stop, stop, loop, number, say)
    say(f"Gateway on {', '.join(platforms) or 'no platform'}, HTTP API on {listener.url}. Stop it with Ctrl-C.")
    unowned = await in_thread(list_unowned, open_directory(program.store(), loaded.settings), platforms)
    for sentence in (*loaded.ignored_in_brief, *unowned, *(() if platforms else (NOTHING,))):
        say(sentence)
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


def list_unowned(directory: Directory, platforms: Mapping[str, Platform]) -> list[str]:
    """A line for each platform whose home channel nobody could speak in."""
    homes = directory.homes()
    silent = [name for name, each in platforms.items() if name in homes and not each.abilities.fixed_chats]
    return [NOBODY.format(name=name, home=homes[name]) for name in silent if not directory.owners(name)]


@asynccontextmanager
async def serve_api(
    listener: Listener, token: str, gateway: Gateway, host: Host, stop: asyncio.Event
) -> AsyncGenerator[Context]:
    """Serves as long as the block runs; from `stop` on nothing new is begun."""
    parts = gateway.parts
    async with Wakeup(parts.store, LOG, lazy=True) as wakeup:  # most gateways have no reader of events
        serving = Serving(wakeup, stop)
        context = Context(
            store=parts.store,
            runtime=parts.runtime,
            host=host,
            targets=parts.targets,
            gateway=gateway,
            serving=serving,
        )
        async with Server(make_app(context, token, listener.host), listener, serving):
            yield context


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
