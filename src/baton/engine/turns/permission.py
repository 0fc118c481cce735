"""Whether a call may run: the mode decides, or what was allowed before, or a person who is asked."""

from __future__ import annotations

import secrets
from collections.abc import Callable

from baton.core.agent import approval, choice
from baton.core.agent.approval import Doubt
from baton.core.agent.event import ApprovalAnswered, ApprovalAsked, Emit, ModeChanged
from baton.core.agent.message import Call
from baton.core.display import one_line, plain, reveal
from baton.core.errors import RiskyStep, StuckCall
from baton.core.value import value
from baton.engine.aio import in_thread
from baton.engine.handoff.unasked import continues_unasked
from baton.engine.turns.questions import Clean
from baton.engine.turns.writer import SessionWriter
from baton.ports.approver import Answer, Approver, Memory
from baton.ports.tool import EDIT, PLAN, READ, Intent

REFUSED = "[refused: {reason}]"
NOT_APPROVED = "[not run: cancelled while waiting for approval]"
NOT_STARTED = "[not run: cancelled before it was started]"
AGAIN = "{title}: {stuck}. Try once more?"
_BEGINS = "Commands that begin {words}"

AssessCall = Callable[[Call, Intent], str]
"""What cannot be taken back about a call, in words; empty if nothing is known of that."""


class Stage:
    """How far a call has come: what its result says if it is cancelled now, and the effect that it is known to have."""

    def __init__(self) -> None:
        self.if_cancelled = NOT_STARTED
        self.effect = READ


@value
class Refusal:
    """`words` are what a person said with it; `by` is "user" if a person said no, not the mode or a lock."""

    reason: str
    words: str = ""
    by: str = ""

    @property
    def details(self) -> dict[str, object]:
        said = {"words": self.words, "by": self.by}
        return {"refused": True, **{name: held for name, held in said.items() if held}}


@value
class _Case:
    """A call with all that is decided by: what it would do, and what is known against it."""

    call: Call
    intent: Intent
    doubt: Doubt
    prints: tuple[str, ...]

    @property
    def exactly(self) -> str:
        return self.prints[0]


class Permission:
    """`assess` says of a call what cannot be taken back. It counts in a session that continued from a packet, until a
    person has spoken there; and always against what was only allowed by how it begins. `clean` takes secrets out of
    what other surfaces are shown. `on_mode` is told when an answer changes the mode.
    """

    def __init__(self, approver: Approver, memory: Memory, mode: str, assess: AssessCall, clean: Clean) -> None:
        self._approver = approver
        self._memory = memory
        self._assess = assess
        self._clean = clean
        self.mode = mode
        self.locked = ""
        self.on_mode: Callable[[str], None] = lambda _: None

    async def decide(
        self, call: Call, intent: Intent, stuck: str, writer: SessionWriter, emit: Emit, stage: Stage
    ) -> Refusal | None:
        """Why the call may not run; None if it may. Raises `RiskyStep` or `StuckCall` if a person has to decide and
        nobody can be asked.
        """
        case = await self._look_at(call, intent, stuck, writer)
        if self.locked and intent.effect not in (READ, PLAN):
            return Refusal(self.locked)
        verdict = self._verdict(case)
        if verdict.answer == approval.ALLOW:
            return None
        if verdict.answer == approval.DENY:
            return Refusal(verdict.reason)
        stage.if_cancelled = NOT_APPROVED
        asked = self._question(case, verdict.reason)
        answer = await writer.questions.ask(writer, asked, self._approver, self._clean, emit)
        stage.if_cancelled = NOT_STARTED
        emit(ApprovalAnswered(call.id, answer.allowed, answer.elsewhere))
        if answer.nobody and case.doubt.reason:
            stage.if_cancelled = REFUSED.format(reason=verdict.reason)
            raise _stopped(case)
        return self._act_on(answer, case, emit)

    async def _look_at(self, call: Call, intent: Intent, stuck: str, writer: SessionWriter) -> _Case:
        exactly = approval.fingerprint(call.name, call.args, (*intent.outside, *intent.paths), intent.runner)
        if intent.effect in (READ, PLAN):
            return _Case(call, intent, Doubt(stuck=stuck), (exactly,))
        risk = await in_thread(self._assess, call, intent)
        doubt = Doubt(risk if risk and await continues_unasked(writer) else "", stuck)
        begun = () if risk or intent.outside else intent.beginnings
        prints = (approval.print_beginning(call.name, words, intent.runner) for words in begun)
        return _Case(call, intent, doubt, (exactly, *prints))

    def _verdict(self, case: _Case) -> approval.Verdict:
        """In the mode of this moment: it may change while a turn runs or a question is open."""
        intent, remembered = case.intent, self._memory.list_allowed()
        return approval.verdict(self.mode, intent.effect, intent.outside, case.prints, remembered, case.doubt)

    def _question(self, case: _Case, reason: str) -> ApprovalAsked:
        call, intent, doubt = case.call, case.intent, case.doubt
        preview = plain(intent.preview or intent.title)
        if intent.effect != EDIT:  # a diff marks each line, and editors read it as one
            preview = reveal(preview)
        begins = " ".join(intent.begins) if len(case.prints) > 1 else ""
        again = AGAIN.format(title=one_line(intent.title, 200), stuck=doubt.stuck)
        asks = again if doubt.stuck and not doubt.risk else intent.question
        offers = choice.offer(self.mode, intent.effect, intent.outside, begins, doubt.reason)
        asks, handle = reveal(plain(asks)), secrets.token_hex(8)
        return ApprovalAsked(call.id, call.name, call.args, reason, preview, intent.title, handle, asks, begins, offers)

    def _act_on(self, answer: Answer, case: _Case, emit: Emit) -> Refusal | None:
        if not answer.allowed:
            words = answer.comment
            return Refusal(f"the user said no{': ' + words if words else ''}", words, "user")
        intent = case.intent
        if answer.choice == choice.ALWAYS:
            self._memory.remember(case.exactly, intent.title)
        elif answer.choice == choice.BEGINS and intent.begins:
            print_ = approval.print_beginning(case.call.name, intent.begins, intent.runner)
            self._memory.remember(print_, _BEGINS.format(words=" ".join(intent.begins)))
        elif answer.choice == choice.EDITS and self.mode == approval.ASK:
            self.mode = approval.ACCEPT_EDITS
            self.on_mode(self.mode)
            emit(ModeChanged(self.mode))
        now = self._verdict(case)
        return Refusal(now.reason) if now.answer == approval.DENY else None


def _stopped(case: _Case) -> RiskyStep | StuckCall:
    title = one_line(case.intent.title, 160)
    if case.doubt.risk:
        return RiskyStep(call=title, risk=case.doubt.risk)
    return StuckCall(call=title, stuck=case.doubt.stuck)
