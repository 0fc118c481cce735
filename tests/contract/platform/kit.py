"""What every check uses: a bot that lives on a stage and remembers what it heard."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from importlib import import_module
from itertools import count

import tests.support.obtain  # noqa: F401 - where servers are kept is decided before a test has a home of its own
from baton.config.gateway_settings import GatewaySettings
from baton.config.keys import Key, Section, tree_of
from baton.core.transfer.place import Place
from baton.ports.platform import Inbound, Outgoing, Platform
from tests.contract.platform.stage import Stage
from tests.contract.platform.stages import STAGES
from tests.support.patience import PATIENCE

Check = Callable[[Stage], Awaitable[None]]

_ASKED_AGAIN = 2.0


class CannotBeChecked(Exception):
    """The platform does not have what the check is about."""


class Ears:
    """A sink. It keeps what it hears, except the first few if told so."""

    def __init__(self) -> None:
        self.heard: list[Inbound] = []
        self.refused: list[Inbound] = []
        self.refusals = 0
        self.changed = asyncio.Event()

    async def __call__(self, message: Inbound) -> None:
        self.changed.set()
        if self.refusals:
            self.refusals -= 1
            self.refused.append(message)
            raise RuntimeError("the store is busy")
        self.heard.append(message)


class Bot:
    """A connected platform that runs."""

    def __init__(self, stage: Stage, platform: Platform, ears: Ears, running: asyncio.Task[None]) -> None:
        self.stage = stage
        self.platform = platform
        self.ears = ears
        self._running = running
        self._keys = count(1)

    async def send(self, text: str, place: Place | None = None, key: str = "") -> str:
        return await self.platform.send(place or self.stage.room, Outgoing(text), key or f"check/{next(self._keys)}")

    async def hears(self, wanted: str | Callable[[Inbound], bool]) -> Inbound:
        """The first message with this text, or of this kind; waits for it."""
        return await self._until(lambda: _found(self.ears.heard, wanted), f"{wanted} was not heard")

    async def refuses(self) -> Inbound:
        """The first message that the sink did not keep; waits for it."""
        return await self._until(lambda: next(iter(self.ears.refused), None), "nothing was refused")

    def texts_heard(self) -> list[str]:
        return [message.text for message in self.ears.heard]

    async def ready(self) -> None:
        """Returns when messages come: some platforms deliver nothing that was said before the first connection."""
        for number in range(1, 11):
            await self.stage.says(self.stage.room, f"ready {number}")
            with suppress(TimeoutError):
                async with asyncio.timeout(_ASKED_AGAIN):
                    await self.hears(lambda message: message.text.startswith("ready"))
                    return
        raise AssertionError("no message comes")

    async def _until(self, look: Callable[[], Inbound | None], missing: str) -> Inbound:
        try:
            async with asyncio.timeout(PATIENCE):
                while (found := look()) is None:
                    self.ears.changed.clear()
                    await self._something_happens()
                return found
        except TimeoutError:
            raise AssertionError(f"{missing}; heard: {self.texts_heard()}") from None

    async def _something_happens(self) -> None:
        waiting = asyncio.ensure_future(self.ears.changed.wait())
        try:
            await asyncio.wait({waiting, self._running}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            waiting.cancel()
        if self._running.done():
            self._running.result()
            raise AssertionError("run returned")


def _found(heard: list[Inbound], wanted: str | Callable[[Inbound], bool]) -> Inbound | None:
    fits = wanted if callable(wanted) else lambda message: message.text == wanted
    return next((message for message in heard if fits(message)), None)


@asynccontextmanager
async def connected(stage: Stage) -> AsyncGenerator[Platform]:
    """A platform that has logged in, for checks that only send."""
    platform = stage.platform()
    try:
        assert await platform.connect([("help", "Shows what can be said"), ("new", "Starts afresh")])
        yield platform
    finally:
        await platform.close()


@asynccontextmanager
async def living(stage: Stage, *, refusals: int = 0, ready: bool = True) -> AsyncGenerator[Bot]:
    """A bot as the gateway would have it; `refusals` is how many messages its sink does not keep at first."""
    async with connected(stage) as platform:
        ears = Ears()
        running = asyncio.create_task(platform.run(ears))
        bot = Bot(stage, platform, ears, running)
        try:
            if ready:
                await bot.ready()
            ears.refusals = refusals
            yield bot
        finally:
            running.cancel()
            with suppress(asyncio.CancelledError):
                await running


def load(name: str) -> Callable[[], Stage]:
    module, _, kind = STAGES[name].partition(":")
    return getattr(import_module(module), kind)


def secrets(stage: Stage) -> list[str]:
    """What must appear nowhere: the settings declared secret; of a platform that has no section, all of them."""
    section = tree_of(GatewaySettings).children.get(stage.name)
    keys = section.children if isinstance(section, Section) else {}
    hidden = {name for name, key in keys.items() if isinstance(key, Key) and key.secret}
    return [str(held) for name, held in stage.settings().items() if held and (name in hidden or not keys)]


def squeezed(text: str) -> str:
    return "".join(text.split())
