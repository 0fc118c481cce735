"""A worker that is a whole gateway: real store, real turns, a model that answers at once, a service outside."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from baton.adapters.platforms.registry import open_platform
from baton.config import Settings
from baton.config.gateway_settings import GatewaySettings
from baton.config.schema import StoreSettings
from baton.core.agent.message import Prompt, Usage, UserMessage
from baton.core.log.interrupted import HEADLINE
from baton.core.transfer.letter import MARK
from baton.engine.mail.platform_state import open_platform_state
from baton.engine.prompts import prompt_text
from baton.ports.model import Finished, Piece, Text
from baton.ports.platform import Inbound, Platform, Sink
from baton.ports.store import Store
from baton.testing.model import FakeModel
from baton.wiring.gateway import make_gateway
from tests.support.messenger.platform import MessengerPlatform
from tests.support.small_gateway import SmallHost
from tests.support.workers.mortal import Fuse, mortal_platform, mortal_store
from tests.support.workers.stores import open_at
from tests.support.workers.voice import Voice

ROOM = "home"
ARRIVAL = prompt_text("arrival")[:30]
RESUMPTION = prompt_text("resumption")[:30]
_AGAIN = 0.05


def said_by_people(prompt: Prompt) -> list[str]:
    texts = [message.text for message in prompt.messages if isinstance(message, UserMessage)]
    return [text for text in texts if not text.startswith((ARRIVAL, RESUMPTION, HEADLINE))]


def arrived(words: int) -> str:
    return f"I am here and know {words} words."


def answer(text: str) -> str:
    return f"re: {text}"


def plain(text: str) -> str:
    return text.removeprefix(MARK)


class MortalModel(FakeModel):
    """Says how many words of people it knows when it arrives, and answers the last of them otherwise."""

    def __init__(self, fuse: Fuse, delay: float = 0.0) -> None:
        super().__init__([])
        self._fuse = fuse
        self._delay = delay

    async def stream(self, prompt: Prompt) -> AsyncIterator[Piece]:
        self._fuse.at("model asked")
        people = said_by_people(prompt)
        last = [message.text for message in prompt.messages if isinstance(message, UserMessage)][-1]
        text = arrived(len(people)) if last.startswith(ARRIVAL) else answer(people[-1])
        half = len(text) // 2
        yield Text(text[:half])
        self._fuse.at("model half said")
        await self._think()
        yield Text(text[half:])
        yield Finished(Usage(), "stop")
        self._fuse.at("model spoke")

    async def _think(self) -> None:
        if self._delay:
            await asyncio.sleep(self._delay)


def serve_gateway(
    voice: Voice,
    location: str,
    platforms: Sequence[str],
    workspace: str,
    lease: float,
    service: str = "",
    once: str = "",
    accounts: Mapping[str, Any] | None = None,
    point: str = "",
    consumer: str = "",
    model_seconds: float = 0.0,
    drain: float = 5.0,
    freezes: bool = False,
    gate: str = "",
) -> None:
    """Says "ready" when it is connected, and serves until SIGTERM; "stopped" when everything is put away. Says which
    write was "refused" because it came too late.

    Reaches each of its `platforms` by its account, or all of them at the little messaging `service`. Comes to `point`
    and dies, or if it `freezes` says so and waits there for a word. Begins nothing while there is a file `gate`.
    """

    def freeze() -> None:
        with between_writes(store):
            voice.say("frozen")
            voice.hear()

    fuse = Fuse(point, freeze) if freezes else Fuse(point)
    store = mortal_store(open_at(location, name=consumer or "worker"), fuse, lambda what: voice.say("refused", what))
    if gate:
        gated(store, gate)
    known = accounts or {name: {"room": ROOM, "owner": f"{name}:owner"} for name in platforms}
    given: dict[str, Any] = {
        "home": {name: known[name]["room"] for name in platforms},
        "owners": tuple(known[name]["owner"] for name in platforms),
        "drain": drain,
    }
    settings = Settings(store=StoreSettings(lease=lease), gateway=GatewaySettings(**given))
    found: dict[str, Any] = {}
    for name in platforms:
        if accounts:
            platform: Any = open_account(name, accounts[name], store, gate)
        else:
            platform = MessengerPlatform(name, service, once, f"{consumer}/{name}", gate=gate)
        found[name] = mortal_platform(platform, fuse)
    host = SmallHost(store, workspace, MortalModel(fuse, model_seconds), (), settings)
    gateway = make_gateway(store, settings, found, host)
    asyncio.run(_serve(voice, gateway))
    voice.say("stopped", gateway.figures())
    store.close()


def open_account(name: str, account: Mapping[str, Any], store: Store, gate: str) -> Platform:
    """The real adapter. It passes nothing on while there is a file `gate`."""
    section = type(getattr(GatewaySettings(), name))(**account["settings"])
    state = open_platform_state(store.register, name)
    platform = open_platform(name, GatewaySettings(**{name: section}), state, Path(account["folder"]))
    assert platform is not None
    run = platform.run

    async def run_later(sink: Sink) -> None:
        async def pass_on(message: Inbound) -> None:
            while gate and os.path.exists(gate):
                await asyncio.sleep(_AGAIN)
            await sink(message)

        await run(pass_on)

    setattr(platform, "run", run_later)  # noqa: B010 - a method of a protocol
    return platform


@contextmanager
def between_writes(store: Any) -> Iterator[None]:
    """No thread is in the middle of a write: a process that stands still there has everybody wait for its locks."""
    database = vars(store)["_db"]
    places = [database.mutex] if hasattr(database, "mutex") else [vars(database)["_writers"]] * 4
    with ExitStack() as stack:
        for place in places:
            stack.enter_context(place)
        yield


def gated(store: Any, gate: str) -> None:
    for part, verb in ((store.transfers, "claim_next"), (store.inbox, "take"), (store.outbox, "take")):
        work = getattr(part, verb)
        setattr(part, verb, lambda *given, work=work: None if os.path.exists(gate) else work(*given))


async def _serve(voice: Voice, gateway: Any) -> None:
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    orphan = asyncio.create_task(_end_with_its_parent())
    running = asyncio.create_task(gateway.run(stop))
    await gateway.ready.wait()
    voice.say("ready")
    await running
    orphan.cancel()


async def _end_with_its_parent() -> None:
    """A gateway serves for ever: should whoever started it be killed, nobody would end it."""
    parent = os.getppid()
    while os.getppid() == parent:
        await asyncio.sleep(1)
    os._exit(0)
