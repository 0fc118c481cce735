"""Who answers whether a tool may do exactly this: approvers that wait for a person, and one for where nobody is."""

from __future__ import annotations

import asyncio
import re

from baton.core.agent.approval import WANTS
from baton.core.agent.choice import ALWAYS, NO, YES
from baton.core.agent.event import ApprovalAsked
from baton.core.display import one_line, plain
from baton.core.transfer.letter import Letter
from baton.core.value import value
from baton.ports.approver import Answer
from baton.surfaces.words import work as words

BUTTONS = ((YES, words.ALLOW), (ALWAYS, words.ALWAYS), (NO, words.REFUSE))
"""On a phone there is room for few; the other answers are given in a terminal, an editor or through the API."""
_PREVIEW = 1500
_TAIL = 500
_MARKDOWN = re.compile(r"[\\`*_\[\]<>~|#!&]")
_WORDS = {
    "yes": YES, "y": YES, "ok": YES, "allow": YES, "ja": YES, "always": ALWAYS,
    "no": NO, "n": NO, "refuse": NO, "deny": NO, "nein": NO,
}  # fmt: skip
_WITH_WORDS = re.compile(r"(?is)(no|nein|refuse|deny)\s*[,.:;!–—-]\s*(\S.*)")


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
        return Answer(NO, words.NOBODY_TO_ASK.format(tool=asked.tool), nobody=True)


class WaitingApprover:
    """For a process that has no dialogue of its own: the stored answer, from whichever surface, is the only one."""

    async def ask(self, asked: ApprovalAsked) -> Answer:  # noqa: ARG002
        return await asyncio.get_running_loop().create_future()


def question_letter(asked: ApprovalAsked) -> Letter:
    """The question as a message to a place. Its buttons name it and no other."""
    asks = _escape_markdown(one_line(asked.asks or asked.title or asked.tool, 300))
    reason = _escape_markdown(plain(describe_reason(asked)))
    text = words.ASKED_BECAUSE if reason else words.ASKED
    text = text.format(asks=asks, reason=reason, preview=_clip_preview(asked.preview))
    return Letter(text, tuple((label, f"{word}:{asked.handle}") for word, label in BUTTONS if word in asked.offers))


def describe_reason(asked: ApprovalAsked) -> str:
    """Why it is asked, unless that says no more than the question."""
    return "" if asked.reason.startswith(WANTS) else asked.reason


def is_said(asked: ApprovalAsked) -> bool:
    """Whether the question itself already says all that would be done."""
    return asked.preview.strip() in asked.asks


@value
class Choice:
    """What was decided by a button or in words: nothing if `word` is empty. `handle` is that of a button's question,
    `comment` what was said with a no.
    """

    word: str = ""
    handle: str = ""
    comment: str = ""


def parse_button(data: str) -> Choice:
    word, _, handle = data.strip().partition(":")
    return Choice(_WORDS.get(word.lower(), ""), handle)


def parse_words(text: str) -> Choice:
    """`yes`, `always`, `no`, or `no` with the reason behind it."""
    if word := _WORDS.get(text.strip().lower().rstrip(".!")):
        return Choice(word)
    found = _WITH_WORDS.fullmatch(text.strip())
    return Choice(NO, comment=found[2]) if found else Choice()


def _clip_preview(preview: str) -> str:
    """What the tool would do. If it does not fit, its beginning and its end, and how much is missing between them."""
    text = plain(preview).strip("\n").replace("```", "'''")
    more = len(text) - _PREVIEW
    return f"{text[: _PREVIEW - _TAIL]}\n{words.PREVIEW_MORE.format(count=more)}\n{text[-_TAIL:]}" if more > 0 else text


def _escape_markdown(text: str) -> str:
    """On one line, and nothing in it becomes a link, a heading or emphasis: it may name what a model wrote."""
    return _MARKDOWN.sub(lambda found: f"\\{found[0]}", " ".join(text.split()))
