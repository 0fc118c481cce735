"""Runs a command."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from typing import Any

from baton.adapters.files.command_environment import environment
from baton.adapters.files.programs import find_program
from baton.adapters.files.workspace import Workspace
from baton.adapters.tools import specs
from baton.adapters.tools.arguments import check, refuse
from baton.adapters.tools.output import Capture, Logs
from baton.adapters.tools.processes.editor_terminal import TerminalRun, run_in_terminal
from baton.adapters.tools.processes.pipe_codes import PipeCodes
from baton.adapters.tools.processes.process import Ended, run_process
from baton.adapters.tools.processes.sandbox import BUBBLEWRAP, Sandbox
from baton.core.display import one_line, spell_out
from baton.core.errors import ToolError
from baton.core.value import replace
from baton.engine.aio import finish_in_thread
from baton.ports.terminal import Terminals
from baton.ports.tool import EXECUTE, Intent, Outcome, Output

SECONDS = 120
MOST_SECONDS = 3_600
_COMMAND_LIMIT = 100_000
_EVERYTHING = "the whole machine, without the sandbox"
_REQUIRED = "tools.sandbox is required, so no command runs without the sandbox; {why}"
_LOST = "the editor's terminal failed: {error}; the command was not started by other means"
EDITOR = "editor terminal"
_READ_ONLY_HINT = (
    "[only the workspace and /tmp can be written in the sandbox; outside=true asks the user to run without]"
)


class Shell:
    """Output and errors in one stream, in order. Everything the command started ends with it, at the latest a second
    after a time-out or a cancel.

    It runs in the sandbox if there is one. If not, the intent and the outcome say so, and it runs in a terminal of the
    user's editor if that offers `terminals`. It is never started twice.
    """

    spec = specs.spec(
        "shell",
        "Run a command with bash in the workspace. Nothing can be typed into it, and what it leaves in the background "
        "ends with it.",
        ["command"],
        command=specs.text("The command.", least=1, most=_COMMAND_LIMIT),
        timeout=specs.whole("Seconds after which it is ended.", 1, MOST_SECONDS, SECONDS),
        outside=specs.flag("Run it without the sandbox, if there is one. The user is asked first."),
    )

    def __init__(
        self,
        workspace: Workspace,
        logs: Logs,
        limit_chars: int,
        sandbox: Sandbox,
        keep_env: Collection[str] = (),
        terminals: Terminals | None = None,
    ) -> None:
        self._workspace = workspace
        self._logs = logs
        self._limit = limit_chars
        self._sandbox = sandbox
        self._keep_env = keep_env
        self._terminals = terminals

    def note(self) -> str:
        """What the user should know about how commands run here."""
        if self._sandbox.works():
            return "in a bubblewrap sandbox: the workspace and /tmp can be written, the rest only read"
        return f"without a sandbox: {self._sandbox.why_not}"

    async def intent(self, args: Mapping[str, Any]) -> Intent:
        checked = self._check(args)
        command = spell_out(checked["command"])
        why_not = await finish_in_thread(lambda: self._sandbox.why_not)
        self._check_sandbox(why_not, outside=checked["outside"])
        lent = self._usable_terminals(sandboxed=not why_not and not checked["outside"]) is not None
        where = ", in your editor's terminal" if lent else ""
        caution = f"\n\n(not sandboxed{where}: {why_not}; it can change whatever you can)" if why_not else ""
        outside = (_EVERYTHING,) if checked["outside"] and not why_not else ()
        preview, runner = f"{command}{caution}", EDITOR if lent else "no sandbox" if why_not else BUBBLEWRAP
        return Intent(f"Run {one_line(command, 200)}", EXECUTE, preview=preview, outside=outside, runner=runner)

    async def run(self, args: Mapping[str, Any], output: Output) -> Outcome:
        checked = self._check(args)
        self._check_sandbox(await finish_in_thread(lambda: self._sandbox.why_not), outside=checked["outside"])
        sandboxed = not checked["outside"] and self._sandbox.works()
        capture = Capture(self._logs, self.spec.name, self._limit, output)
        try:
            ended = await self._run_in_terminal(checked, capture, sandboxed=sandboxed) or await self._run_here(
                checked, capture, sandboxed=sandboxed
            )
        finally:
            capture.close()
        return _outcome(checked["command"], capture, ended, sandboxed=sandboxed)

    async def _run_here(self, checked: Mapping[str, Any], capture: Capture, *, sandboxed: bool) -> Ended:
        try:
            codes = PipeCodes()
        except OSError as error:
            raise self._not_started(error) from None
        try:
            ended = await run_process(
                self._argv(checked["command"], sandboxed=sandboxed),
                cwd=self._workspace.root,
                env=environment(os.environ, self._keep_env) | codes.env,
                seconds=checked["timeout"],
                feed=capture.feed,
                descriptors=codes.descriptors,
            )
            return replace(ended, pipe=codes.read())
        except OSError as error:
            raise self._not_started(error) from None
        finally:
            codes.close()

    def _not_started(self, error: OSError) -> ToolError:
        return ToolError(tool=self.spec.name, reason=f"the command could not be started: {error}")

    async def _run_in_terminal(
        self, checked: Mapping[str, Any], capture: Capture, *, sandboxed: bool
    ) -> TerminalRun | None:
        """Runs it in the editor's terminal; None if it has to run here, and nothing was started there."""
        terminals, bash = self._usable_terminals(sandboxed=sandboxed), find_program("bash", self._workspace)
        if terminals is None or bash is None:
            return None
        try:
            return await run_in_terminal(
                terminals,
                bash,
                checked["command"],
                cwd=self._workspace.root,
                seconds=checked["timeout"],
                keep_env=self._keep_env,
                capture=capture,
            )
        except OSError as error:
            raise ToolError(tool=self.spec.name, reason=_LOST.format(error=error)) from None

    def _usable_terminals(self, *, sandboxed: bool) -> Terminals | None:
        """A sandboxed command never leaves the sandbox for a terminal."""
        if self._terminals is None or sandboxed or self._sandbox.required:
            return None
        return self._terminals if self._terminals.is_offered() else None

    def _check_sandbox(self, why_not: str, *, outside: bool) -> None:
        """`ToolError` if the configuration requires a sandbox and there would be none."""
        if self._sandbox.required and (why_not or outside):
            raise ToolError(tool=self.spec.name, reason=_REQUIRED.format(why=why_not or "outside=true asks for none"))

    def _check(self, args: Mapping[str, Any]) -> dict[str, Any]:
        checked = check(self.spec, args)
        try:
            os.fsencode(checked["command"])
        except UnicodeEncodeError:
            raise refuse(self.spec, "command holds a lone surrogate") from None
        if "\0" in checked["command"] or not checked["command"].strip():
            raise refuse(self.spec, "command is blank or holds a NUL character")
        return checked

    def _argv(self, command: str, *, sandboxed: bool) -> list[str]:
        bash = find_program("bash", self._workspace)
        argv = [bash, "--noprofile", "--norc", "-c", command] if bash else ["/bin/sh", "-c", command]
        return self._sandbox.argv(argv) if sandboxed else argv


def _outcome(command: str, capture: Capture, ended: Ended | TerminalRun, *, sandboxed: bool) -> Outcome:
    lent = isinstance(ended, TerminalRun)
    details = {
        "exit": ended.exit,
        "command": spell_out(command),
        "log": capture.log,
        "seconds": round(ended.seconds, 3),
        "timed_out": ended.timed_out,
        "sandbox": BUBBLEWRAP if sandboxed else None,
        **({"terminal": EDITOR} if lent else {}),
        **({"pipe": list(ended.pipe)} if len(ended.pipe) > 1 else {}),
    }
    text = capture.text()
    how = f"timed out after {ended.seconds:.0f} s, ended" if ended.timed_out else f"exit {ended.exit}"
    how = how if ended.exit is not None else "ended, the editor did not say with which exit code"
    where = "" if sandboxed else ", in the editor's terminal, not sandboxed" if lent else ", not sandboxed"
    notes = [f"[{how}{_pipe_note(command, ended)}{where}]"]
    if sandboxed and ended.exit and "Read-only file system" in text:
        notes.insert(0, _READ_ONLY_HINT)
    body = text if not text or text.endswith("\n") else f"{text}\n"
    return Outcome(body + "\n".join(notes), ended.exit == 0 and not ended.timed_out, details)


def _pipe_note(command: str, ended: Ended | TerminalRun) -> str:
    """Which part of the pipe failed although the exit code is 0. A search without a match is no failure, nor is a
    program whose reader had seen enough.
    """
    if ended.exit or not any(ended.pipe[:-1]):
        return ""
    from baton.core.handoff.results import LOOK, SIGPIPE, judge

    for each in judge(command, "", ended.exit, ok=True, pipe=ended.pipe):
        if each.exit and each.exit != SIGPIPE and each.part.kind != LOOK:
            return f", but {one_line(each.part.tool, 40)} in the pipe ended with {each.exit}"
    return ""
