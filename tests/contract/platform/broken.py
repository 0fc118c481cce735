"""Adapters with one defect each, over the platform in memory. The suite has to notice every one of them."""

from __future__ import annotations

import logging
import random
from collections.abc import Collection

from baton.core.errors import BadCredentials, SendLater, SendRefused, SendUnsure
from baton.core.transfer.place import Place
from baton.core.value import replace
from baton.ports.platform import Abilities, File, Greeting, Inbound, Outgoing, Platform, Sink
from baton.testing.platform import FakePlatform
from baton.testing.service import FakeService
from tests.contract.platform.fake_stage import FakeStage


class KeysBuiltApart(FakePlatform):
    """The thread that is opened has another key than the replies in it."""

    async def run(self, sink: Sink) -> None:
        def apart(place: Place) -> Place:
            return Place(self.name, place.room, f"topic-{place.thread}" if place.thread else "")

        await super().run(lambda message: sink(replace(message, place=apart(message.place))))


class ThreadIgnored(FakePlatform):
    """A reply in a thread seems to come from the room."""

    async def run(self, sink: Sink) -> None:
        await super().run(lambda message: sink(replace(message, place=self.place(message.place.room))))


class SecondThread(FakePlatform):
    """Opening a thread again opens another."""

    async def open_thread(self, room: Place, title: str, key: str) -> Place:
        return await super().open_thread(room, title, f"{key}/{random.random()}")


class AcknowledgesFirst(FakePlatform):
    """A message counts as received before anybody has kept it."""

    async def run(self, sink: Sink) -> None:
        while True:
            message = await self.service.next_message()
            self.service.acknowledge(message)
            try:
                await sink(message)
            except RuntimeError:
                logging.getLogger("baton.platforms").warning("lost")


class StartsFromNow(FakePlatform):
    """What was said before it ran is passed over."""

    async def run(self, sink: Sink) -> None:
        self.service.unacknowledged.clear()
        await super().run(sink)


class LosesTheGap(FakePlatform):
    """What was said while the connection was lost is passed over."""

    async def run(self, sink: Sink) -> None:
        async def unless_cut(message: Inbound) -> None:
            if "away" not in message.text:
                await sink(message)

        await super().run(unless_cut)


class NewIds(FakePlatform):
    """A message that is delivered again looks like a new one."""

    async def run(self, sink: Sink) -> None:
        await super().run(lambda message: sink(replace(message, id=f"{message.id}/{random.random()}")))


class Echoes(FakePlatform):
    """Our own messages come back as somebody's."""

    async def send(self, place: Place, message: Outgoing, key: str) -> str:
        self.service.says(place, message.text, f"{self.name}:bot")
        return await super().send(place, message, key)


class TrustsNames(FakePlatform):
    """Who somebody is, is what they call themselves."""

    async def run(self, sink: Sink) -> None:
        await super().run(lambda message: sink(replace(message, sender=f"{self.name}:{message.name.lower()}")))


class OutOfOrder(FakePlatform):
    """Of several messages the newest comes first."""

    async def run(self, sink: Sink) -> None:
        while True:
            await self.service.next_message()
            message = self.service.unacknowledged[-1]
            await sink(message)
            self.service.acknowledge(message)


class ForgetsKeys(FakePlatform):
    """A message that is sent again is seen again."""

    async def send(self, place: Place, message: Outgoing, key: str) -> str:
        return await super().send(place, message, f"{key}/{random.random()}")


class FindsNothing(FakePlatform):
    async def find(self, place: Place, key: str) -> str | None:
        return None


class SaysLaterWhenUnsure(FakePlatform):
    """An answer that never came is taken for a no."""

    async def send(self, place: Place, message: Outgoing, key: str) -> str:
        try:
            return await super().send(place, message, key)
        except SendUnsure as unsure:
            raise SendLater(**unsure.facts) from None


class RetriesInside(FakePlatform):
    """It waits and tries again by itself."""

    async def send(self, place: Place, message: Outgoing, key: str) -> str:
        try:
            return await super().send(place, message, key)
        except SendLater:
            return await super().send(place, message, key)


class DropsTheDelay(FakePlatform):
    """It does not say when to try again."""

    async def send(self, place: Place, message: Outgoing, key: str) -> str:
        try:
            return await super().send(place, message, key)
        except SendLater as later:
            raise SendLater(platform=self.name, reason=str(later)) from None


class GivesUp(FakePlatform):
    """A failure of the platform is taken for a refusal."""

    async def send(self, place: Place, message: Outgoing, key: str) -> str:
        try:
            return await super().send(place, message, key)
        except SendLater as later:
            raise SendRefused(**later.facts) from None


class CountsCharacters(FakePlatform):
    """An emoji counts as one where the platform counts two."""

    def size(self, text: str) -> int:
        return len(text)

    async def send(self, place: Place, message: Outgoing, key: str) -> str:
        if FakePlatform.size(self, message.text) > self.abilities.limit:
            raise SendRefused(platform=self.name, reason="too long")
        return await super().send(place, message, key)


class CutsLongTexts(FakePlatform):
    async def send(self, place: Place, message: Outgoing, key: str) -> str:
        return await super().send(place, replace(message, text=message.text[:1500]), key)


class EditsNothing(FakePlatform):
    async def edit(self, place: Place, receipt: str, message: Outgoing) -> None:
        pass


class StumblesOverTheSameEdit(FakePlatform):
    async def edit(self, place: Place, receipt: str, message: Outgoing) -> None:
        if message.text in self.service.texts(place):
            raise SendRefused(platform=self.name, reason="message is not modified")
        await super().edit(place, receipt, message)


class PressesWithoutQuote(FakePlatform):
    async def run(self, sink: Sink) -> None:
        await super().run(lambda message: sink(replace(message, quotes="")))


class ShowsNoTyping(FakePlatform):
    async def show_typing(self, place: Place) -> None:
        pass


class SpoilsFiles(FakePlatform):
    async def fetch(self, file: File) -> bytes:
        return (await super().fetch(file)).decode("latin-1").encode()


class LetsAnybodyIn(FakePlatform):
    async def connect(self, commands: Greeting) -> str:
        return "Baton"


class TellsTheToken(FakePlatform):
    async def connect(self, commands: Greeting) -> str:
        try:
            return await super().connect(commands)
        except BadCredentials:
            reason = f"not like {self.service.token}"
            raise BadCredentials(platform=self.name, reason=reason) from None


class LogsTheToken(FakePlatform):
    async def connect(self, commands: Greeting) -> str:
        logging.getLogger("somelibrary").debug("GET /bot%s/getMe", self.service.token)
        return await super().connect(commands)


class DiesOfHostileText(FakePlatform):
    async def run(self, sink: Sink) -> None:
        async def strict(message: Inbound) -> None:
            if "\x1b" in message.text:
                raise SystemError("bad update")
            await sink(message)

        while True:
            message = await self.service.next_message()
            await strict(message)
            self.service.acknowledge(message)


class ChokesOnText(FakePlatform):
    async def send(self, place: Place, message: Outgoing, key: str) -> str:
        message.text.encode()
        return await super().send(place, message, key)


class TakesAnyRoom(FakePlatform):
    def room(self, text: str) -> Place:
        return self.place(repr(text))


class DeclaresTooMuch(FakePlatform):
    """It says that nobody can enter a chat which anybody can enter."""

    def __init__(self, service: FakeService, abilities: Abilities, *, token: str = "") -> None:
        super().__init__(service, replace(abilities, fixed_chats=True), token=token)


class KnowsNobody(FakePlatform):
    """Whoever has left a room is still in it."""

    async def check_reader(self, room: Place, people: Collection[str]) -> None:
        pass


DEFECTS: list[tuple[type[FakePlatform], str]] = [
    (DeclaresTooMuch, "fixed"),
    (KnowsNobody, "reader"),
    (KeysBuiltApart, "thread_key"),
    (ThreadIgnored, "thread_key"),
    (SecondThread, "thread_again"),
    (AcknowledgesFirst, "ack"),
    (AcknowledgesFirst, "unkept"),
    (StartsFromNow, "restart"),
    (LosesTheGap, "gap"),
    (NewIds, "dedupe"),
    (Echoes, "own"),
    (TrustsNames, "stranger"),
    (OutOfOrder, "order"),
    (ForgetsKeys, "once"),
    (ForgetsKeys, "crash_retry"),
    (SaysLaterWhenUnsure, "crash_retry"),
    (RetriesInside, "rate"),
    (DropsTheDelay, "rate"),
    (GivesUp, "fail"),
    (CutsLongTexts, "split"),
    (CutsLongTexts, "brim"),
    (EditsNothing, "edit"),
    (StumblesOverTheSameEdit, "edit"),
    (PressesWithoutQuote, "buttons"),
    (ShowsNoTyping, "typing"),
    (SpoilsFiles, "files_in"),
    (LetsAnybodyIn, "bad_auth"),
    (TellsTheToken, "bad_auth"),
    (LogsTheToken, "inbound"),
    (DiesOfHostileText, "hostile_in"),
    (ChokesOnText, "hostile_out"),
    (TakesAnyRoom, "bad_place"),
]

PROBING_DEFECTS: list[tuple[type[FakePlatform], str]] = [
    (FindsNothing, "once"),
    (FindsNothing, "crash_retry"),
    (CountsCharacters, "size"),
    (CountsCharacters, "brim"),
]


def stage_with(broken: type[FakePlatform], stage: type[FakeStage] = FakeStage) -> FakeStage:
    """A stage on which this adapter plays, also as the one with the wrong token."""

    class Broken(stage):  # type: ignore[misc, valid-type]
        def platform(self) -> Platform:
            return broken(self.service, self.abilities)

        def imposter(self) -> Platform:
            return broken(self.service, self.abilities, token="another")

    return Broken()
