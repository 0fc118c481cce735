"""Who answers whether a tool may do exactly this: approvers that wait for a person, and one for where nobody is."""

from __future__ import annotations

import asyncio
import re
import secrets
from collections.abc import Callable

from baton.core.agent.event import ApprovalAsked
from baton.core.display import one_line, plain
from baton.core.transfer.letter import Letter
from baton.ports.approver import Answer

ASKED = "**{tool}** asks, because {reason}:\n\n```\n{preview}\n```"
MORE = "[… {count:,} more characters]"
BUTTONS = (("Allow", "yes"), ("Always exactly this", "always"), ("Refuse", "no"))
_PREVIEW = 1500
_TAIL = 500
_MARKDOWN = re.compile(r"[\\`*_\[\]<>~|#!&]")
_CLOSED = "closed"
_WORDS = {
    "yes": "yes", "y": "yes", "ok": "yes", "allow": "yes", "ja": "yes", "always": "always",
    "no": "no", "n": "no", "refuse": "no", "deny": "no", "nein": "no",
}  # fmt: skip


class PendingApprover:
    """`ask` waits; `answer` decides, once. A question nobody can answer any more is a no."""

    def __init__(self) -> None:
        self._waiting: dict[str, asyncio.Future[Answer]] = {}

    async def ask(self, asked: ApprovalAsked) -> Answer:
        future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._waiting[asked.call_id] = future
        try:
            return await future
        finally:
            self._waiting.pop(asked.call_id, None)

    def answer(self, call_id: str, answer: Answer) -> bool:
        """False if nobody waits for this answer any more."""
        future = self._waiting.get(call_id)
        if future is None or future.done():
            return False
        future.set_result(answer)
        return True


class NoApprover:
    """For scripts: there is nobody to ask."""

    async def ask(self, asked: ApprovalAsked) -> Answer:
        return Answer(False, comment=f"nobody can approve {asked.tool} here (--yes allows it)", nobody=True)


class Question:
    """One question. Its handle names it and no other, whatever ids a model gives to its calls. `place` is the key of
    where it was asked, once it was; `key` and `text` are those of the message.
    """

    def __init__(self, conversation_id: str, asked: ApprovalAsked) -> None:
        self.conversation_id = conversation_id
        self.asked = asked
        self.handle = secrets.token_hex(8)
        self.place = self.key = self.text = ""
        self.answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()


class Questions:
    """Open questions by conversation; at most one each, because a turn asks and waits."""

    def __init__(self) -> None:
        self._open: dict[str, Question] = {}
        self.on_closed: Callable[[Question], None] = lambda _: None

    def of(self, conversation_id: str) -> ConversationApprover:
        return ConversationApprover(self, conversation_id)

    async def wait(self, conversation_id: str, asked: ApprovalAsked) -> Answer:
        """The question is open until it is answered on any surface, or until nobody waits for it."""
        question = Question(conversation_id, asked)
        self._open[conversation_id] = question
        try:
            return await question.answer
        finally:
            if self._open.get(conversation_id) is question:
                del self._open[conversation_id]
            self.on_closed(question)

    def list_waiting(self) -> list[Question]:
        return [question for question in self._open.values() if not question.answer.done()]

    def is_open(self, conversation_id: str) -> bool:
        return any(question.conversation_id == conversation_id for question in self.list_waiting())

    def letter(self, conversation_id: str, asked: ApprovalAsked, place: str) -> Letter:
        """The question as a message to a place. Buttons of one that is no longer open decide nothing."""
        question, handle = self._open.get(conversation_id), _CLOSED
        reason, preview = _escape_markdown(plain(asked.reason)), _clip_preview(asked.preview)
        text = ASKED.format(tool=one_line(asked.tool, 60), reason=reason, preview=preview)
        if question is not None and question.asked is asked:
            question.place, question.text, handle = place, text, question.handle
        return Letter(text, tuple((label, f"{word}:{handle}") for label, word in BUTTONS))

    def mark_sent(self, conversation_id: str, asked: ApprovalAsked, key: str) -> None:
        """Notes that its message is in the outbox under this key."""
        question = self._open.get(conversation_id)
        if question is not None and question.asked is asked:
            question.key = key

    def answer(self, conversation_id: str, choice: str, place: str = "") -> str:
        """What a button or a word decided (yes, always, no), or an empty string if it decides nothing. A button names
        its question; a word only counts in the place where the question was asked.
        """
        word, _, handle = choice.strip().partition(":")
        decided = _WORDS.get(word.lower().rstrip("."), "")
        question = self._find(conversation_id, handle)
        if not decided or question is None or (not handle and place != question.place):
            return ""
        question.answer.set_result(Answer(decided != "no", remember=decided == "always"))
        return decided

    def _find(self, conversation_id: str, handle: str) -> Question | None:
        for question in self.list_waiting():
            if question.handle == handle or (not handle and question.conversation_id == conversation_id):
                return question
        return None


class ConversationApprover:
    """The approver of one conversation."""

    def __init__(self, questions: Questions, conversation_id: str) -> None:
        self._questions = questions
        self._conversation_id = conversation_id

    async def ask(self, asked: ApprovalAsked) -> Answer:
        return await self._questions.wait(self._conversation_id, asked)


def _clip_preview(preview: str) -> str:
    """What the tool would do. If it does not fit, its beginning and its end, and how much is missing between them."""
    text = plain(preview).strip("\n").replace("```", "'''")
    more = len(text) - _PREVIEW
    return f"{text[: _PREVIEW - _TAIL]}\n{MORE.format(count=more)}\n{text[-_TAIL:]}" if more > 0 else text


def _escape_markdown(text: str) -> str:
    """On one line, and nothing in it becomes a link, a heading or emphasis: it may name what a model wrote."""
    return _MARKDOWN.sub(lambda found: f"\\{found[0]}", " ".join(text.split()))
