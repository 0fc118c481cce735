"""Tools as a turn uses them: permission first, intent recorded before effect, every call ended exactly once."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from baton.core.agent import approval
from baton.core.agent.event import ApprovalAsked, Emit, PlanChanged, ToolEnded, ToolOutput, ToolStarted
from baton.core.agent.message import Call, ToolSpec
from baton.core.display import one_line, plain, reveal
from baton.core.errors import BatonError, RiskyStep
from baton.core.log.payloads import ToolCall, ToolResult
from baton.core.value import value
from baton.engine.aio import in_thread, uncancelled
from baton.engine.handoff.unasked import continues_unasked
from baton.engine.turns.writer import SessionWriter
from baton.ports.approver import Approver, Memory
from baton.ports.tool import EDIT, PLAN, READ, Intent, Outcome, Tool

NO_SUCH_TOOL = "There is no tool {name}. Tools: {tools}."
REFUSED = "[refused: {reason}]"
STOPPED = "[cancelled by the user while running; it may have done part of its work]"
NOT_APPROVED = "[not run: cancelled while waiting for approval]"
NOT_STARTED = "[not run: cancelled before it was started]"
CRASHED = "[the tool itself failed: {reason}]"


AssessCall = Callable[[Call, Intent], str]
"""What cannot be taken back about a call, in words; empty if nothing is known of that."""


class Toolbox:
    """`assess` is asked about each call in a session that continued from a packet, until a person has spoken there."""

    def __init__(
        self,
        tools: Sequence[Tool],
        approver: Approver,
        memory: Memory,
        mode: str,
        assess: AssessCall = lambda _, __: "",
    ) -> None:
        self._tools = {tool.spec.name: tool for tool in tools}
        self._approver = approver
        self._memory = memory
        self._assess = assess
        self._locked = ""
        self.mode = mode

    @property
    def specs(self) -> tuple[ToolSpec, ...]:
        return tuple(tool.spec for tool in self._tools.values())

    def lock(self, reason: str) -> None:
        """From now on only what reads may run."""
        self._locked = reason

    async def run(self, call: Call, writer: SessionWriter, emit: Emit) -> None:
        """Runs one call to its end. The result is recorded even if the turn is cancelled meanwhile: it then says
        how far the call had come.
        """
        stage = _Stage()
        outcome: Outcome | None = None
        try:
            outcome = await self._outcome(call, writer, emit, stage)
        finally:
            ended = outcome or Outcome(stage.if_cancelled, ok=False, details={"cancelled": True})
            await uncancelled(self._end(call, ended, writer, emit))

    async def skip(self, call: Call, writer: SessionWriter, emit: Emit, reason: str) -> None:
        """Ends a call that will not be run."""
        await self._end(call, Outcome(REFUSED.format(reason=reason), ok=False), writer, emit)

    async def _end(self, call: Call, outcome: Outcome, writer: SessionWriter, emit: Emit) -> None:
        text = plain(outcome.text)
        details = dict(outcome.details)
        await writer.record(ToolResult(call.id, call.name, text, outcome.ok, details))
        if "items" in details:
            emit(PlanChanged(tuple((item["text"], item["state"]) for item in details["items"])))
        emit(ToolEnded(call.id, call.name, outcome.ok, text, details))

    async def _outcome(self, call: Call, writer: SessionWriter, emit: Emit, stage: _Stage) -> Outcome:
        tool = self._tools.get(call.name)
        if tool is None:
            return Outcome(NO_SUCH_TOOL.format(name=call.name, tools=", ".join(self._tools)), ok=False)
        try:
            intent = await tool.intent(call.args)
            risk = await self._risk(call, intent, writer)
            refusal = await self._permission(call, intent, risk, emit, stage)
            if refusal:
                return Outcome(REFUSED.format(reason=refusal.reason), ok=False, details=refusal.details)
            await writer.record(ToolCall(call.id, call.name, call.args, intent.title))
            stage.if_cancelled = STOPPED
            emit(ToolStarted(call.id, call.name, call.args, intent.title))
            return await tool.run(call.args, lambda text: emit(ToolOutput(call.id, plain(text))))
        except RiskyStep:
            raise
        except BatonError as error:
            return Outcome(str(error), ok=False)
        except Exception as error:  # noqa: BLE001, the edge of the tools: whatever they raise becomes a result
            return Outcome(CRASHED.format(reason=f"{type(error).__name__}: {error}"), ok=False)

    async def _risk(self, call: Call, intent: Intent, writer: SessionWriter) -> str:
        """What cannot be taken back about the call, if nobody has spoken since the work came here by itself."""
        if intent.effect in (READ, PLAN):
            return ""
        risk = await in_thread(self._assess, call, intent)
        return risk if risk and await continues_unasked(writer) else ""

    async def _permission(self, call: Call, intent: Intent, risk: str, emit: Emit, stage: _Stage) -> _Refusal | None:
        """Why the call may not run; None if it may. Raises `RiskyStep` if it is risky and nobody can be asked."""
        if self._locked and intent.effect not in (READ, PLAN):
            return _Refusal(self._locked)
        print_ = approval.fingerprint(call.name, call.args, (*intent.outside, *intent.paths), intent.runner)
        verdict = self._verdict(intent, print_, risk)
        if verdict.answer == approval.ALLOW:
            return None
        if verdict.answer == approval.DENY:
            return _Refusal(verdict.reason)
        preview = plain(intent.preview or intent.title)
        if intent.effect != EDIT:  # a diff marks each line, and editors read it as one
            preview = reveal(preview)
        asked = ApprovalAsked(call.id, call.name, call.args, verdict.reason, preview, intent.title)
        emit(asked)
        stage.if_cancelled = NOT_APPROVED
        answer = await self._approver.ask(asked)
        stage.if_cancelled = NOT_STARTED
        if risk and answer.nobody:
            stage.if_cancelled = REFUSED.format(reason=verdict.reason)
            raise RiskyStep(call=one_line(intent.title, 160), risk=risk)
        if not answer.allowed:
            return _Refusal(
                f"the user said no{': ' + answer.comment if answer.comment else ''}", answer.comment, "user"
            )
        if answer.remember:
            self._memory.remember(print_, intent.title)
        now = self._verdict(intent, print_, risk)
        return _Refusal(now.reason) if now.answer == approval.DENY else None

    def _verdict(self, intent: Intent, print_: str, risk: str) -> approval.Verdict:
        """In the mode of this moment: it may change while a turn runs or a question is open."""
        remembered = self._memory.list_allowed()
        return approval.verdict(self.mode, intent.effect, intent.outside, print_, remembered, risk)


@value
class _Refusal:
    """`words` are what a person said with it; `by` is "user" if a person said no, not the mode or a lock."""

    reason: str
    words: str = ""
    by: str = ""

    @property
    def details(self) -> dict[str, object]:
        said = {"words": self.words, "by": self.by}
        return {"refused": True, **{name: held for name, held in said.items() if held}}


class _Stage:
    """How far a call has come: what its result says if it is cancelled now."""

    def __init__(self) -> None:
        self.if_cancelled = NOT_STARTED
