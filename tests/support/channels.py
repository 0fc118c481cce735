"""A channel, as tests of all surfaces use it: on a service in memory, or on a stage by the real adapter."""

from __future__ import annotations

from contextlib import suppress
from typing import Protocol

from baton.core.agent.question import Question
from baton.core.errors import NotFound
from baton.core.transfer.place import Place
from baton.ports.platform import Platform
from baton.ports.store import Store
from baton.surfaces.gateway.answers import question_key
from baton.surfaces.gateway.reception import Reception
from baton.surfaces.words import channel as words
from baton.testing.service import FakeService
from tests.contract.platform.stage import Stage
from tests.support.small_gateway import soon

_ENDS = ("✓", "✗", words.LAPSED, *words.ANSWERED.values())


class Channel(Protocol):
    place: Place

    async def says(self, text: str) -> None:
        """The owner writes there."""
        ...

    async def answers(self, question: Question, *, allow: bool) -> None:
        """Waits until the question is shown there, and answers it."""
        ...

    async def shows_end(self, question: Question) -> bool:
        """Whether people there see that it is over."""
        ...


class FakeChannel:
    def __init__(self, service: FakeService, place: Place) -> None:
        self.service = service
        self.place = place

    async def says(self, text: str) -> None:
        self.service.says(self.place, text)

    async def answers(self, question: Question, *, allow: bool) -> None:
        choice = _choice(question, allow)
        receipt = await soon(lambda: self._receipt(choice), f"{self.place.key} to show it")
        self.service.presses(self.place, receipt, choice)

    async def shows_end(self, question: Question) -> bool:
        return not any(each.buttons for each in self.service.messages(self.place))

    def _receipt(self, choice: str) -> str:
        shown = self.service.messages(self.place)
        found = (each.receipt for each in shown if any(button.choice == choice for button in each.buttons))
        return next(found, "")


class StagedChannel:
    """Buttons are pressed where the platform has them; elsewhere the owner says a word."""

    def __init__(self, stage: Stage, platform: Platform, store: Store) -> None:
        self.stage = stage
        self.platform = platform
        self.place = stage.room
        self._store = store

    async def knock(self, reception: Reception) -> None:
        """Until a stranger was heard there, and dropped: some platforms deliver nothing that was said before."""
        group, before = self.stage.group, reception.dropped
        assert group is not None
        for _ in range(10):
            await self.stage.says(group, "let me in", sender=self.stage.stranger)
            with suppress(AssertionError):
                await soon(lambda: reception.dropped > before, seconds=2.0)
                return
        raise AssertionError(f"{self.place.key} hears nothing")

    async def says(self, text: str) -> None:
        await self.stage.says(self.place, text)

    async def answers(self, question: Question, *, allow: bool) -> None:
        receipt = await soon(lambda: self._receipt(question), f"{self.place.key} to show it")
        if self.platform.abilities.buttons:
            await self.stage.presses(self.place, receipt, _choice(question, allow))
        else:
            await self.stage.says(self.place, "yes" if allow else "no")

    async def shows_end(self, question: Question) -> bool:
        """The message that asked says how it ended. What was answered before it came here was never asked here."""
        shown = [text for text in await self.stage.texts(self.place) if question.preview in text]
        return all(any(end in text for end in _ENDS) for text in shown)

    def _receipt(self, question: Question) -> str:
        try:
            mail = self._store.outbox.get(f"{question_key(question.handle, self.place.key)}/0")
        except NotFound:
            return ""
        return mail.receipt or "" if mail.state == "sent" else ""


def _choice(question: Question, allow: bool) -> str:
    return f"{'yes' if allow else 'no'}:{question.handle}"
