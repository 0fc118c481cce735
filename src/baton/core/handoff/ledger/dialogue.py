"""The dialogue of a session as exchanges: who said what, what it answered, and whose move it is.

Everything is kept raw while it is read; `exchanges` takes secrets out of whole texts first and cuts them afterwards.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from baton.core.handoff.ledger.exchange import (
    ANSWERED,
    INTERRUPTED,
    OPEN,
    REFUSED,
    WAITING,
    Answer,
    Exchange,
    Refusal,
    is_since,
)
from baton.core.handoff.ledger.words import is_asking, keep_ends, keep_start, last_words
from baton.core.log.payloads import CANCELLED, COMPLETED, FAILED, AssistantStep, ToolResult, TurnEnd
from baton.core.text import fold_spaces
from baton.core.value import replace

Clean = Callable[[str], str]
ASKED = 6000
REPLY = 2400
QUESTION = 320
PLAN = 8000
WORDS = 1000
CALL = 300
_RAW = 60_000
_SHORT = 32
_REACTION = 240
"""How long a message may be that answers what was said before it: a remark, a question."""
_MOST = 12
_CHOICE = re.compile(
    r"\W{0,2}(?:option |choice |nr\.? |#)?([0-9]{1,2}|[a-zA-Z])"
    r"(?:\W{0,2}$|[,;.!)] |[，、,](?=[\u3040-\u9fff])|[でがをに、]"
    r"|(?: -)? (?:and|but|und|aber|y|pero|et|mais|e|mas|ma|en|maar|i|ale|и|но)\b)",
    re.IGNORECASE,
)
"""A message that begins with the name of an option: "2", "b, and rename it"."""


class _Talk:
    """An exchange while it is read. It is `closed` if the agent's last words were a reply to you: what it says on its
    way to a call cannot be answered.
    """

    def __init__(self, base: Exchange, raw: str = "") -> None:
        self.base = base
        self.raw = raw
        self.state = base.state
        self.said = ""
        self.said_at = ""
        self.plan = ""
        self.plan_at = ""
        self.refusals: list[Refusal] = []
        self.answers: list[Answer] = []
        self.produced: dict[str, None] = {}
        self.files: dict[str, None] = {}
        self.error = ""
        self.questions: dict[str, str] = {}
        self.begun = base.begun
        self.closed = base.state in (ANSWERED, WAITING)


class Dialogue:
    """Takes what happens in order. `carried` is the last exchange of the sessions before: work that comes before your
    next message still belongs to it.
    """

    def __init__(self, generation: int, carried: Exchange | None = None) -> None:
        self._generation = generation
        self._talks: list[_Talk] = [_Talk(carried)] if carried else []
        self.carries = carried is not None

    @property
    def last(self) -> _Talk | None:
        return self._talks[-1] if self._talks else None

    def ask(self, text: str, at: str, *, meanwhile: bool = False) -> None:
        """Your next message; one that you sent `meanwhile` did not stop the work."""
        if (before := self.last) and before.state == OPEN and before.begun and not meanwhile:
            before.state = INTERRUPTED
        self._talks.append(_Talk(Exchange(at, self._generation, "", len(text)), text[:_RAW] + text[_RAW:][-_RAW:]))

    def say(self, step: AssistantStep, at: str) -> None:
        talk = self.last
        if talk is None:
            return
        if step.text.strip():
            talk.said, talk.said_at = step.text, at
        talk.begun = talk.begun or bool(step.calls)
        talk.closed = not step.calls if step.calls or step.text.strip() else talk.closed
        talk.state = OPEN if step.calls else ANSWERED if step.text.strip() else talk.state

    def put(self, call_id: str, question: str) -> None:
        """A call asks you something."""
        if talk := self.last:
            talk.questions[call_id] = question

    def settle(self, call_id: str) -> None:
        """The call has its result."""
        if talk := self.last:
            talk.questions.pop(call_id, None)

    def refuse(self, call: str, result: ToolResult, at: str) -> None:
        """You said no to a call."""
        if talk := self.last:
            talk.refusals.append(Refusal(call, str(result.details.get("words") or ""), at))
            talk.state = REFUSED

    def add_result(self, result: ToolResult, at: str) -> None:
        """What a call's result says about the dialogue: answers you gave, a plan you approved."""
        talk = self.last
        if talk is None:
            return
        for row in cast("Sequence[Mapping[str, Any]]", result.details.get("answers") or ()):
            talk.answers.append(Answer(str(row.get("question", "")), str(row.get("answer", "")), at))
        if plan := result.details.get("approved_plan"):
            talk.plan, talk.plan_at = str(plan), at
        if plan or result.details.get("answers"):
            talk.state, talk.begun = OPEN, True

    def produce(self, things: Sequence[str]) -> None:
        if talk := self.last:
            talk.produced |= dict.fromkeys(things)

    def change(self, path: str) -> None:
        if talk := self.last:
            talk.files[path] = None

    def end(self, ended: TurnEnd) -> None:
        if (talk := self.last) is None:
            return
        if ended.end == COMPLETED:
            talk.state = ANSWERED if talk.said else talk.state
        elif ended.end in (CANCELLED, FAILED):
            talk.state, talk.error = INTERRUPTED, ended.error if ended.end == FAILED else ""

    def interrupt(self, error: str = "") -> None:
        if (talk := self.last) and talk.state == OPEN:
            talk.state, talk.error = INTERRUPTED, error

    def exchanges(self, clean: Clean) -> list[Exchange]:
        """Oldest first; the first is the carried one, with what was added to it."""
        made: list[Exchange] = []
        if (last := self.last) and last.questions and last.state == OPEN:
            last.said = "\n".join(filter(None, (last.said.strip(), *last.questions.values())))
            last.state = WAITING
        told = ""
        for number, talk in enumerate(self._talks):
            carried = self.carries and number == 0
            made.append(_join(talk, clean) if carried else _close(talk, told, clean))
            told = made[-1].reply if talk.closed else ""
        if made and made[-1].state == ANSWERED and is_asking(made[-1].reply):
            made[-1] = replace(made[-1], state=WAITING)
        return settle_earlier(made)


def settle_earlier(exchanges: Sequence[Exchange]) -> list[Exchange]:
    """What the last exchange says about those before it: a question was answered by the message after it, and messages
    sent one after the other are answered together.
    """
    settled: list[Exchange] = []
    after = ""
    for each in reversed(exchanges):
        if after and each.state == WAITING:
            each = replace(each, state=ANSWERED)
        elif after and each.state == OPEN:
            each = replace(each, state=ANSWERED if after == WAITING else after)
        settled.append(each)
        after = each.state
    return settled[::-1]


def mark_allowed(exchanges: Sequence[Exchange], ran: Mapping[str, str]) -> list[Exchange]:
    """The same, where a refused call is known to have run later. `ran` are calls as `name_call` names them, and where
    they ran last; a call with a secret in it is not found there.
    """

    def mark(refusal: Refusal) -> Refusal:
        at = ran.get(refusal.call, "")
        return replace(refusal, ran=at) if at and is_since(at, refusal.at) else refusal

    return [replace(each, refusals=tuple(map(mark, each.refusals))) if each.refusals else each for each in exchanges]


def name_call(purpose: str) -> str:
    """What a refused call is known by."""
    return keep_start(fold_spaces(purpose), CALL)


def _close(talk: _Talk, told: str, clean: Clean) -> Exchange:
    """`told` is what the agent had told you before, if it had finished speaking."""
    asked = clean(talk.raw).strip()
    return _join(
        _with_base(
            talk,
            replace(
                talk.base,
                asked=keep_ends(asked, ASKED),
                length=len(asked) if talk.base.length <= 2 * _RAW else talk.base.length,
                question=_question(asked, told),
            ),
        ),
        clean,
    )


def _with_base(talk: _Talk, base: Exchange) -> _Talk:
    talk.base = base
    return talk


def _join(talk: _Talk, clean: Clean) -> Exchange:
    """The exchange with what happened in it."""
    base = talk.base
    settled = base.state == WAITING and bool(talk.answers or talk.plan)
    kept = "" if settled else base.reply  # its question has its answer now
    reply = keep_ends(clean(keep_ends(talk.said, 2 * _RAW)).strip(), REPLY, 0.7) if talk.said else kept
    return replace(
        base,
        state=talk.state,
        reply=reply,
        reply_at=talk.said_at or base.reply_at,
        plan=keep_ends(clean(talk.plan).strip(), PLAN) if talk.plan else base.plan,
        plan_at=talk.plan_at or base.plan_at,
        refusals=(*base.refusals, *(_clean_refusal(each, clean) for each in talk.refusals))[-_MOST:],
        answers=(*base.answers, *(_clean_answer(each, clean) for each in talk.answers))[-_MOST:],
        produced=tuple(dict.fromkeys((*base.produced, *map(clean, talk.produced))))[-_MOST:],
        files=tuple(dict.fromkeys((*base.files, *map(clean, talk.files))))[-_MOST:],
        error=keep_start(fold_spaces(clean(talk.error)), 200) if talk.error else "",
        begun=talk.begun,
    )


def _clean_refusal(refusal: Refusal, clean: Clean) -> Refusal:
    words = keep_ends(fold_spaces(clean(refusal.words)), WORDS)
    return Refusal(name_call(clean(refusal.call)), words, refusal.at)


def _clean_answer(answer: Answer, clean: Clean) -> Answer:
    return Answer(
        keep_ends(fold_spaces(clean(answer.question)), QUESTION),
        keep_ends(fold_spaces(clean(answer.answer)), WORDS),
        answer.at,
    )


def _question(asked: str, reply: str) -> str:
    """What a short message of yours answers: the last words before it, and the option it names."""
    limit = _REACTION if is_asking(reply) else _SHORT
    if not reply or len(asked) > limit:
        return ""
    named = _CHOICE.match(asked)
    option = _option(named[1], reply) if named else ""
    return " ".join(filter(None, (option, last_words(reply, QUESTION))))


def _option(name: str, reply: str) -> str:
    """The line of a list that begins with this number or letter."""
    for line in reply.splitlines():
        told = line.strip(" \t*-_(").lower()
        if told.startswith(name.lower()) and told[len(name) : len(name) + 1] in (".", ")", ":", "*"):
            return f"[{keep_start(fold_spaces(line), 200)}]"
    return ""
