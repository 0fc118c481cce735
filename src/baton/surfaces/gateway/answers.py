"""Answers to what was asked in a channel: may this tool do exactly this, does the conversation go on from this packet?

By a button, which names its question, or by a word of the owner where the question was asked. A draft may have been
answered elsewhere meanwhile, in a terminal or through another gateway, or the conversation continued without it:
whoever answers late is told so, and nothing happens.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from baton.core.errors import (
    AnsweredAlready,
    BadInput,
    BadTransition,
    BatonError,
    DraftStale,
    LeftOpen,
    NotFound,
    OwnedElsewhere,
    QuestionGone,
)
from baton.core.handoff import packet as states
from baton.core.transfer.letter import Attached, Letter
from baton.core.transfer.place import Place
from baton.core.value import replace, value
from baton.engine.aio import in_thread
from baton.engine.handoff.handoff import stands
from baton.engine.turns import questions
from baton.surfaces.shared import handoffs, rules
from baton.surfaces.shared.approvals import Choice, parse_button, parse_words
from baton.surfaces.words import channel as words

if TYPE_CHECKING:
    from baton.core.agent.event import HandoffOffered
    from baton.core.agent.question import Question
    from baton.core.log.conversation import Conversation
    from baton.engine.turns.questions import Given
    from baton.ports.store import Store
    from baton.surfaces.gateway.correspondence import Correspondence
    from baton.surfaces.gateway.reception import Message
    from baton.surfaces.shared.chat import Chat

START, CANCEL = "start", "cancel"
_DONE = {START: (states.CONFIRMED, words.STARTED), CANCEL: (states.CANCELLED, words.STAYED)}
_AGAIN = 0.25
_SHOWN = 12
"""Rules of a draft that are shown with its question, which has to fit into one message."""


def question_key(handle: str, place: str) -> str:
    """Of a question's message at a place, whoever puts it there: shown again it is shown once."""
    return f"question/{handle}/{place}"


def draft_key(draft_id: str, place: str) -> str:
    """As `question_key`, for a draft."""
    return f"draft/{draft_id}/{place}"


def key_of_draft(letter: Letter, place: Place) -> str:
    """The key of a letter that asks about a draft; empty for any other."""
    word, _, draft_id = letter.buttons[0][1].partition(":") if letter.buttons else ("", "", "")
    return draft_key(draft_id, place.key) if word == START else ""


def is_choice(text: str) -> bool:
    """Whether a text could stand for a button of a draft."""
    return _word(text) in (START, CANCEL)


def _word(text: str) -> str:
    return text.strip().lower().rstrip(".!")


class Answers:
    """Finds the question that a message answers, and does what the answer says."""

    def __init__(self, correspondence: Correspondence, drafts: Drafts) -> None:
        self._store = correspondence.store
        self._runtime = correspondence.runtime
        self._correspondence = correspondence
        self._drafts = drafts

    async def take(self, message: Message, bound: Conversation | None) -> bool:
        """False if the message is no answer."""
        if bound and message.by_owner and await self._decide(message, bound):
            return True
        choice = message.choice
        if not choice and bound and message.by_owner and is_choice(message.text):
            choice = await in_thread(self._drafts.find_choice, bound, message.text)
        if choice:
            await self._choose(message, bound, choice)
        return bool(choice)

    async def _decide(self, message: Message, bound: Conversation) -> bool:
        """Answers the question that a turn of this conversation waits with, wherever it runs; False if it is none. A
        button names its question; a word only counts in a place where the question is shown.
        """
        choice = parse_button(message.choice) if message.choice else parse_words(message.text)
        question = await in_thread(self._find_question, message.place, bound.id, choice.handle) if choice.word else None
        if question is None:
            return False
        try:
            given = await in_thread(self._give, question, choice, message)
        except (AnsweredAlready, QuestionGone, BadInput) as error:
            if not (message.attempts > 1 and await in_thread(self._is_own, question, choice.word, message)):
                await self._tell(message, str(error))
            return True
        if given.kept:
            await self._tell(message, words.KEPT.format(how=words.ANSWERED[choice.word]))
        elif not (message.choice and self._shows_ends(message.place)):
            await self._tell(message, words.ANSWERED[choice.word])
        return True

    def _give(self, question: Question, choice: Choice, message: Message) -> Given:
        where, by = message.place.key, message.name
        return questions.answer(self._store, question, choice.word, where=where, by=by, comment=choice.comment)

    def _find_question(self, place: Place, conversation_id: str, handle: str) -> Question | None:
        if handle:
            with suppress(QuestionGone):
                return questions.find(self._store, conversation_id, handle)
            return None
        for question in questions.list_open(self._store, conversation_id):
            with suppress(NotFound):
                self._store.outbox.get(f"{question_key(question.handle, place.key)}/0")
                return question
        return None

    def _is_own(self, question: Question, choice: str, message: Message) -> bool:
        """Whether an earlier try of this very message has given the answer, and died before it could say so."""
        with suppress(QuestionGone):
            now = questions.find(self._store, question.conversation_id, question.handle)
            return (now.choice, now.where) == (choice, message.place.key)
        return False

    def _shows_ends(self, place: Place) -> bool:
        """Whether a question's end is shown in its own message."""
        platform = self._correspondence.outbox.platform(place)
        return platform is not None and platform.abilities.edits

    async def _choose(self, message: Message, bound: Conversation | None, choice: str) -> None:
        """A button: of a draft, which anybody's gateway can answer, or of a question that is gone."""
        word, _, which = choice.partition(":")
        if not message.by_owner:
            await self._tell(message, words.ONLY_OWNER)
        elif bound and word in (START, CANCEL):
            await self._answer(message, bound, word, which)
        else:
            await self._tell(message, words.NO_QUESTION)

    async def _answer(self, message: Message, bound: Conversation, word: str, draft_id: str) -> None:
        """Work that was stopped for the question continues after it, once, however often it is answered."""
        reply = await self._drafts.answer(bound, word, draft_id, again=message.attempts > 1)
        await self._tell(message, reply.text)
        given = replace(handoffs.RESUME, place=message.place.key, inbox=f"draft/{draft_id}")
        while reply.answered and await in_thread(handoffs.has_stopped_for_answer, self._store, bound.id):
            self._correspondence.follow(bound.id)
            try:
                await self._runtime.submit(bound.id, given)
            except (OwnedElsewhere, LeftOpen):
                await asyncio.sleep(_AGAIN)
            else:
                return

    async def _tell(self, message: Message, text: str) -> None:
        await self._correspondence.outbox.put(message.place, f"reply/{message.key}", Letter(text))


@value
class Reply:
    """What whoever answered is told, and whether that answers the question."""

    text: str
    answered: bool = False


class Drafts:
    """Drafts of a handoff: which one an answer means, and what comes of it."""

    def __init__(self, store: Store, chat: Callable[[Conversation], Chat]) -> None:
        self._store = store
        self._chat = chat

    def find_choice(self, conversation: Conversation, text: str) -> str:
        """The choice that a typed word stands for; empty unless the newest draft waits and nothing was said since."""
        if not is_choice(text):
            return ""
        waiting = self._store.drafts.list_waiting(conversation.id)
        if not waiting or not stands(self._store, conversation.head_id, waiting[-1]):
            return ""
        return f"{_word(text)}:{waiting[-1].id}"

    async def answer(self, bound: Conversation, word: str, draft_id: str, *, again: bool = False) -> Reply:
        """`again` if an earlier try may have done it and died before it could say so."""
        if closed := await in_thread(self._why_closed, bound, draft_id):
            state, text = _DONE[word]
            if again and closed == words.CLOSED[state]:
                return Reply(text, answered=True)
            return Reply(closed)
        chat = await in_thread(self._chat, bound)
        try:
            if word == CANCEL:
                await handoffs.cancel(chat, draft_id)
                return Reply(words.STAYED, answered=True)
            await handoffs.start(chat, draft_id)
        except DraftStale:
            return Reply(words.CLOSED[states.STALE])
        except BadTransition:
            return Reply(await in_thread(self._why_closed, bound, draft_id))
        return Reply(words.STARTED, answered=True)

    def _why_closed(self, bound: Conversation, draft_id: str) -> str:
        """Why it cannot be answered here, in words; empty if it can."""
        try:
            draft = self._store.drafts.get(draft_id)
        except NotFound:
            return words.CLOSED[states.STALE]
        if draft.conversation_id != bound.id:
            return words.OF_ANOTHER.format(id=draft.conversation_id)
        return "" if draft.state == states.OPEN else words.CLOSED[draft.state]


def offer_letter(store: Store, event: HandoffOffered) -> Letter:
    """The packet itself, and the question."""
    text = describe_offer(event.because, event.path, event.tokens, event.doubt)
    return draft_letter(store, event.draft_id, event.path, text)


def describe_offer(because: str, path: str, tokens: int, doubt: str = "") -> str:
    text = words.OFFERED_IN_DOUBT if doubt else words.OFFERED
    return text.format(because=because, path=path, tokens=tokens, doubt=doubt)


def draft_letter(store: Store, draft_id: str, path: str, text: str) -> Letter:
    """The packet and the rules in it, with the question; without them if the draft is gone by now."""
    attached = None
    with suppress(BatonError):
        review = handoffs.load_review(store, draft_id)
        attached = Attached(path.rpartition("/")[2], "text/markdown", review.markdown.encode())
        text = f"{rules.describe_in_markdown(review.rules, _SHOWN)}\n\n{text}" if review.rules else text
    buttons = ((words.START, f"start:{draft_id}"), (words.CANCEL, f"cancel:{draft_id}"))
    return Letter(text, buttons, attached)
