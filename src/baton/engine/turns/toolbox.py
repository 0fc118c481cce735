"""Tools as a turn uses them: permission first, intent recorded before effect, every call ended exactly once."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from baton.core.agent.event import Emit, PlanChanged, ToolEnded, ToolOutput, ToolStarted
from baton.core.agent.message import Call, ToolSpec
from baton.core.display import one_line, plain
from baton.core.errors import BatonError, RiskyStep, StuckCall
from baton.core.log.payloads import ToolCall, ToolResult
from baton.core.value import replace
from baton.engine.aio import uncancelled
from baton.engine.turns.failures import Failures
from baton.engine.turns.permission import NOT_APPROVED, NOT_STARTED, REFUSED, AssessCall, Permission, Stage
from baton.engine.turns.questions import Clean
from baton.engine.turns.writer import SessionWriter
from baton.ports.approver import Approver, Memory
from baton.ports.tool import PLAN, READ, Intent, Outcome, Tool

NO_SUCH_TOOL = "There is no tool {name}. Tools: {tools}."
STOPPED = "[cancelled by the user while running; it may have done part of its work]"
CRASHED = "[the tool itself failed: {reason}]"


class Toolbox:
    """The tools of one turn. `assess` and `clean` are those of `Permission`."""

    def __init__(
        self,
        tools: Sequence[Tool],
        approver: Approver,
        memory: Memory,
        mode: str,
        assess: AssessCall = lambda _, __: "",
        clean: Clean = lambda text: text,
    ) -> None:
        self._tools = {tool.spec.name: tool for tool in tools}
        self._permission = Permission(approver, memory, mode, assess, clean)
        self.clean = clean
        self._failures = Failures()

    @property
    def specs(self) -> tuple[ToolSpec, ...]:
        return tuple(tool.spec for tool in self._tools.values())

    @property
    def mode(self) -> str:
        return self._permission.mode

    @mode.setter
    def mode(self, mode: str) -> None:
        self._permission.mode = mode

    def on_mode(self, told: Callable[[str], None]) -> None:
        """Who is told when an answer changes the mode."""
        self._permission.on_mode = told

    def lock(self, reason: str) -> None:
        """From now on only what reads may run."""
        self._permission.locked = reason

    async def run(self, call: Call, writer: SessionWriter, emit: Emit) -> None:
        """Runs one call to its end. The result is recorded even if the turn is cancelled meanwhile: it then says
        how far the call had come.
        """
        stage = Stage()
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

    async def _outcome(self, call: Call, writer: SessionWriter, emit: Emit, stage: Stage) -> Outcome:
        """How the call ended. If it keeps failing the same way, the model is told so with the result."""
        try:
            outcome = await self._attempt(call, writer, emit, stage)
        except (RiskyStep, StuckCall):
            raise
        except BatonError as error:
            outcome = Outcome(str(error), ok=False)
        except Exception as error:  # noqa: BLE001, the edge of the tools: whatever they raise becomes a result
            outcome = Outcome(CRASHED.format(reason=f"{type(error).__name__}: {error}"), ok=False)
        note = self._failures.note(call, outcome, changes=stage.effect not in (READ, PLAN))
        return replace(outcome, text=f"{outcome.text}\n{note}") if note else outcome

    async def _attempt(self, call: Call, writer: SessionWriter, emit: Emit, stage: Stage) -> Outcome:
        stuck = self._failures.describe_stuck(call)
        tool = self._tools.get(call.name)
        try:
            intent = await tool.intent(call.args) if tool else None
        except BatonError:
            intent = None
            if not stuck:
                raise
        refusal = None
        if intent or stuck:
            asked = intent or _bare_intent(call)
            stage.effect = asked.effect
            refusal = await self._permission.decide(call, asked, stuck, writer, emit, stage)
        if refusal:
            return Outcome(REFUSED.format(reason=refusal.reason), ok=False, details=refusal.details)
        if tool is None:
            return Outcome(NO_SUCH_TOOL.format(name=call.name, tools=", ".join(self._tools)), ok=False)
        intent = intent or await tool.intent(call.args)
        await writer.record(ToolCall(call.id, call.name, call.args, intent.title))
        stage.if_cancelled = STOPPED
        emit(ToolStarted(call.id, call.name, call.args, intent.title))
        return await tool.run(call.args, lambda text: emit(ToolOutput(call.id, plain(text))))


def _bare_intent(call: Call) -> Intent:
    """Of a call whose intent cannot be told, because its arguments are wrong or there is no such tool."""
    about = call.args.get("path") or call.args.get("command") or ""
    return Intent(one_line(f"{call.name} {about}".strip(), 200), READ)


__all__ = ["NOT_APPROVED", "NOT_STARTED", "Toolbox"]
