"""Questions in channels: every place that speaks for a conversation shows what is asked there, and how it ended.

Whoever asks, a terminal, an editor or a gateway, only stores the question. Each gateway shows it at the places of its
own platforms, under a key made of the question and the place: showing it again, or by two gateways, shows it once.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING

from baton.core.agent import question as rules
from baton.core.agent.choice import NO, YES
from baton.core.agent.question import OPEN, Question
from baton.core.errors import BatonError, NotFound
from baton.core.handoff import packet as states
from baton.core.transfer import letter as letters
from baton.core.transfer.letter import Letter
from baton.core.transfer.place import Place, parse_place
from baton.engine.aio import in_thread
from baton.engine.handoff.handoff import stands
from baton.engine.turns import questions
from baton.surfaces.gateway.answers import describe_offer, draft_key, draft_letter, question_key
from baton.surfaces.shared import handoffs
from baton.surfaces.shared.approvals import question_letter
from baton.surfaces.words import channel as words

if TYPE_CHECKING:
    from baton.core.handoff.packet import Draft
    from baton.engine.mail.outbox import OutboxWriter
    from baton.engine.mail.wakeup import Wakeup
    from baton.ports.store import Store

_PAUSE = 0.1
_FIRST_WORD = 2 * 1_000_000
"""Microseconds in which whoever made a draft shows it first, in their own words."""
_SHOWN, _ENDED = "shown", "ended"
_ON_ITS_WAY = 60 * 1_000_000
"""Microseconds after which a message about a question is in the outbox, if there is to be one."""
_FRESH = 600 * 1_000_000
"""Microseconds: a draft that was made longer before the gateway started is not shown unasked."""


class QuestionBoard:
    """Its `run` looks at every write of the store that may be a question or an answer."""

    def __init__(self, store: Store, outbox: OutboxWriter) -> None:
        self._store = store
        self._outbox = outbox
        self._since = time.time_ns() // 1000 - _FRESH
        self._told: set[tuple[str, str, str]] = set()
        self._drafts: dict[str, set[str]] = {}

    async def run(self, wakeup: Wakeup) -> None:
        while True:
            count = wakeup.count
            with suppress(BatonError):
                await in_thread(self.look)
            await asyncio.sleep(_PAUSE)
            await wakeup.wait(count)

    def look(self) -> None:
        """Shows what is open, and how what was open has ended."""
        found = questions.list_all(self._store)
        self._told = {each for each in self._told if any(each[0] == question.handle for question in found)}
        for question in found:
            if question.state == OPEN and questions.is_waiting(self._store, question):
                self._show(question)
            else:
                self._close(question)
        self._look_at_drafts()

    def _show(self, question: Question) -> None:
        """The place that the turn came from is told by the turn itself, in order with what it says."""
        for place in self._places(question.conversation_id):
            told = (question.handle, place.key, _SHOWN)
            if place.key != question.place and told not in self._told:
                letter = question_letter(question.as_asked())
                key = question_key(question.handle, place.key)
                self._outbox.put_now(place, key, letter, question.conversation_id)
                self._told.add(told)

    def _close(self, question: Question) -> None:
        """A message that is not there yet may still be on its way, for a moment."""
        own = [parse_place(question.place)] if question.place else []
        for place in (*own, *self._places(question.conversation_id)):
            told = (question.handle, place.key, _ENDED)
            if told not in self._told:
                key = question_key(question.handle, place.key)
                end, answered_there = _describe_end(question, place), question.where == place.key
                ended = self._end(place, key, end, question.conversation_id, told=answered_there)
                if ended or time.time_ns() // 1000 - question.asked_at > _ON_ITS_WAY:
                    self._told.add(told)

    def _end(self, place: Place, key: str, end: str, conversation_id: str, *, told: bool) -> bool:
        """Where a platform can edit, the message itself says how it ended, and loses its buttons. A message in several
        parts is left as it is: only its last is known. `told` if whoever answered there is told anyway. False if there
        is no such message.
        """
        platform = self._outbox.platform(place)
        try:
            shown = letters.from_body(json.loads(self._store.outbox.get(f"{key}/0").body))
        except NotFound:
            return False
        if platform is None or not shown.buttons:
            return True
        if platform.abilities.edits:
            letter = Letter(f"{shown.text}\n\n{end}", replaces=f"{key}/0")
            self._outbox.put_now(place, f"{key}/0/closed", letter, conversation_id)
        elif not told:
            self._outbox.put_now(place, f"{key}/0/closed", Letter(end), conversation_id)
        return True

    def _places(self, conversation_id: str) -> list[Place]:
        """Those of the conversation that this gateway reaches."""
        places = [parse_place(each.place) for each in self._store.bindings.of(conversation_id)]
        return [place for place in places if self._outbox.platform(place) is not None]

    def _look_at_drafts(self) -> None:
        waiting = {draft.id: draft for draft in self._store.drafts.list_waiting() if draft.created_at >= self._since}
        for draft in waiting.values():
            if time.time_ns() // 1000 - draft.created_at > _FIRST_WORD:
                self._show_draft(draft)
        for draft_id in [each for each in self._drafts if each not in waiting]:
            self._close_draft(draft_id, self._drafts.pop(draft_id))

    def _show_draft(self, draft: Draft) -> None:
        """Only one that waits for an answer now: nothing was said since, and no turn runs."""
        places = {place.key: place for place in self._places(draft.conversation_id)}
        fresh = set(places) - self._drafts.get(draft.id, set())
        conversation = self._store.conversations.get(draft.conversation_id)
        if not fresh or conversation.owner is not None or not stands(self._store, conversation.head_id, draft):
            return
        review = handoffs.load_review(self._store, draft.id)
        text = describe_offer(words.WAITS, review.path, review.tokens)
        for key in fresh:
            letter = draft_letter(self._store, draft.id, review.path, text)
            self._outbox.put_now(places[key], draft_key(draft.id, key), letter, draft.conversation_id)
        self._drafts.setdefault(draft.id, set()).update(fresh)

    def _close_draft(self, draft_id: str, places: Iterable[str]) -> None:
        with suppress(NotFound):
            draft = self._store.drafts.get(draft_id)
            for place in places if draft.state != states.OPEN else ():
                end, key = words.CLOSED[draft.state], draft_key(draft_id, place)
                self._end(parse_place(place), key, end, draft.conversation_id, told=False)


def _describe_end(question: Question, place: Place) -> str:
    if not question.choice:
        return words.LAPSED
    if question.where == place.key:
        return words.ANSWERED.get(question.choice, words.ANSWERED[YES])
    how = rules.describe_answer(question)
    return f"{'✗' if question.choice == NO else '✓'} {how[0].upper()}{how[1:]}."
