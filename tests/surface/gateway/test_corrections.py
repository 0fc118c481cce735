"""Edited messages, and messages without words: each is answered, and nothing is done twice for it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from baton.core.agent.message import Prompt, UserMessage
from baton.core.log.entry import QUEUED
from baton.core.log.waiting import WITHDRAWN, find_fate
from baton.core.transfer.place import Place
from baton.core.value import replace
from baton.ports.model import Piece
from baton.ports.platform import ODD
from baton.ports.store import Store
from baton.surfaces.gateway.corrections import Corrections
from baton.surfaces.gateway.reception import from_mail
from baton.surfaces.words import channel as words
from baton.testing.model import FakeModel
from tests.support.small_gateway import HOME, SmallGateway, soon
from tests.surface.gateway.conftest import Make

pytestmark = pytest.mark.anyio
MALLORY = "telegram:mallory"


def heard(small: SmallGateway) -> list[str]:
    """What people said, as the model was last asked."""
    prompt: Prompt = small.host._model.prompts[-1]  # type: ignore[attr-defined]
    return [message.text for message in prompt.messages if isinstance(message, UserMessage)]


async def idle(small: SmallGateway) -> None:
    await soon(lambda: not small.store.inbox.list_waiting(), "the end of the inbox")
    await soon(lambda: small.store.conversations.get(small.conversation().id).owner is None, "the end of the turns")


@pytest.mark.parametrize("kind", ODD)
async def test_what_has_neither_words_nor_files_is_answered_and_costs_no_turn(make: Make, kind: str) -> None:
    async with make() as small:
        small.telegram.sends_odd(HOME, kind)
        (told,) = await small.texts(HOME)
        assert told == words.UNREADABLE.format(what=words.ODD.get(kind, words.ODD_OTHERS))
        assert small.host._model.prompts == []  # type: ignore[attr-defined]


async def test_an_edit_of_what_was_answered_is_sent_on_once_as_a_correction(make: Make) -> None:
    async with make() as small:
        said = small.telegram.says(HOME, "deploy to staging")
        await small.texts(HOME)
        edit = small.telegram.edits(said, "deploy to production")
        await small.texts(HOME, 2)
        small.telegram.redeliver(edit)
        small.telegram.says(HOME, "and?")
        await small.texts(HOME, 3)
        correction = words.CORRECTION.format(before="deploy to staging", text="deploy to production")
        assert heard(small) == ["deploy to staging", correction, "and?"]


class Held(FakeModel):
    """Its first answer waits until it is let go."""

    def __init__(self, *script: list[str]) -> None:
        super().__init__(script)
        self.gate = asyncio.Event()

    async def stream(self, prompt: Prompt) -> AsyncIterator[Piece]:
        async for piece in super().stream(prompt):
            await self.gate.wait()
            yield piece


def queued(small: SmallGateway) -> int:
    return sum(entry.kind == QUEUED for entry in small.entries(small.conversation()))


async def test_an_edit_before_its_turn_takes_the_place_of_the_words(make: Make, store: Store) -> None:
    model = Held(["First."], ["Second."])
    async with make(model) as small:
        small.telegram.says(HOME, "first")
        await soon(lambda: model.prompts)
        waiting = small.telegram.says(HOME, "second, with a slip")
        for number, text in enumerate(("second, still with a slip", "second"), 1):
            await soon(lambda number=number: queued(small) == number)
            small.telegram.edits(waiting, text)
        await soon(lambda: queued(small) == 3)
        model.gate.set()
        await small.texts(HOME, 2)
        await idle(small)
        assert heard(small) == ["first", "second"]


async def test_an_edit_whose_words_were_withdrawn_by_a_gateway_that_died_is_not_lost(make: Make, store: Store) -> None:
    model = Held(["First."], ["Second."])
    async with make(model) as small:
        small.telegram.says(HOME, "first")
        await soon(lambda: model.prompts)
        said = small.telegram.says(HOME, "second, with a slip")
        await soon(lambda: queued(small) == 1 and not store.inbox.list_waiting(), "the end of the inbox")
        runtime, conversation = small.gateway.parts.runtime, small.conversation()
        original = from_mail(store.inbox.get(f"telegram:{said}"))
        assert await runtime.withdraw(conversation.id, inbox=original.key)
        assert find_fate(store.entries.last(conversation.head_id, 50), original.key) == WITHDRAWN
        message = replace(original, key="telegram:e1", text="second", corrects=original.key)
        corrected = await Corrections(store, runtime).apply(message, original, conversation.id)
        assert corrected is not None
        assert corrected.text == "second"
        model.gate.set()


async def test_nobody_corrects_what_another_said(make: Make) -> None:
    async with make(guests=(MALLORY,)) as small:
        said = small.telegram.says(HOME, "deploy to staging")
        await small.texts(HOME)
        small.telegram._arrive(HOME, "deploy to production", MALLORY, corrects=said)
        await idle(small)
        small.telegram.says(HOME, "and?")
        await small.texts(HOME, 2)
        assert heard(small) == ["deploy to staging", "and?"]


@pytest.mark.parametrize(("before", "after"), [("/status", "/new"), ("hello", "/new"), ("/status", "hello")])
async def test_a_command_is_not_run_again_because_it_was_edited(make: Make, before: str, after: str) -> None:
    async with make() as small:
        small.telegram.says(HOME, "hi")
        await small.texts(HOME)
        conversation = small.conversation()
        said = small.telegram.says(HOME, before)
        await small.texts(HOME, 2)
        small.telegram.edits(said, after)
        assert (await small.texts(HOME, 3))[2] == words.EDITED_COMMAND
        assert small.conversation().id == conversation.id


async def test_an_edit_that_changes_nothing_or_is_of_nothing_known_says_nothing(make: Make) -> None:
    async with make() as small:
        said = small.telegram.says(HOME, "hello")
        await small.texts(HOME)
        small.telegram.edits(said, "hello")
        small.telegram._arrive(HOME, "who knows", "", corrects="m999")
        small.telegram._arrive(Place("telegram", "778"), "elsewhere", "", corrects="m998")
        await idle(small)
        small.telegram.says(HOME, "and?")
        await small.texts(HOME, 2)
        assert heard(small) == ["hello", "and?"]
