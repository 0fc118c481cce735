"""Runs a command."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from contextlib import ExitStack, closing
from typing import Any

from baton.adapters.files.command_environment import environment
from baton.adapters.files.programs import find_program
from baton.adapters.files.workspace import Workspace
from baton.adapters.tools import specs
from baton.adapters.tools.arguments import check, refuse
from baton.adapters.tools.guard.aside import Undone
from baton.adapters.tools.guard.named import named_targets
from baton.adapters.tools.guard.watch import Watch
from baton.adapters.tools.output import Capture, Logs
from baton.adapters.tools.processes.editor_terminal import TerminalRun, run_in_terminal
from baton.adapters.tools.processes.pipe_codes import PipeCodes
from baton.adapters.tools.processes.process import Ended, run_process
from baton.adapters.tools.processes.sandbox import BUBBLEWRAP, Sandbox
from baton.adapters.tools.reading import only_reads
from baton.core.display import one_line, spell_out
from baton.core.errors import ToolError
from baton.core.risk.beginning import beginning_of, beginnings
from baton.core.shell import Parse
from baton.core.value import replace
from baton.engine.aio import finish_in_thread, uncancelled
from baton.ports.terminal import Terminals
from baton.ports.tool import EXECUTE, READ, Intent, Outcome, Output

SECONDS = 120
MOST_SECONDS = 3_600
_COMMAND_LIMIT = 100_000
_SHORT = 60
_EVERYTHING = "the whole machine, without the sandbox"
_REQUIRED = "tools.sandbox is required, so no command runs without the sandbox; {why}"
_LOST = "the editor's terminal failed: {error}; the command was not started by other means"
EDITOR = "editor terminal"
_READ_ONLY_HINT = (
    "[only the workspace and /tmp can be written in the sandbox, and there no file that makes programs act, such as "
    "git's configuration or .vscode; outside=true asks the user to run without]"
)
_SOCKET_HINT = (
    "[no socket of this machine can be opened in the sandbox; outside=true asks the user to run without, and "
    "tools.sockets in the user's configuration allows them]"
)
_CLOSED = ("Read-only file system", "Device or resource busy")
_UNDONE = (
    "[not kept, because nobody was asked and programs act on it: {paths}. {how} write, or outside=true, asks the user]"
)


class Shell:
    """Output and errors in one stream, in order. Everything the command started ends with it, at the latest a second
    after a time-out or a cancel.

    It runs in the sandbox if there is one. If not, the intent and the outcome say so, and it runs in a terminal of the
    user's editor if that offers `terminals`. It is never started twice.

    What makes programs act is asked for as `write` asks for it: the intent names what the command says it would write
    there, and what it wrote there without saying so is undone when it has ended. `outside` is asked for as a whole.
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
        parse: Parse | None = None,
    ) -> None:
        self._workspace = workspace
        self._parse = parse
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

    def unsandboxed(self) -> str:
        """Why commands run without a sandbox; empty if they run in one, or not at all."""
        return "" if self._sandbox.required else self._sandbox.why_not

    async def intent(self, args: Mapping[str, Any]) -> Intent:
        checked = self._check(args)
        command = spell_out(checked["command"])
        why_not = await finish_in_thread(lambda: self._sandbox.why_not)
        self._check_sandbox(why_not, outside=checked["outside"])
        lent = self._usable_terminals(sandboxed=not why_not and not checked["outside"]) is not None
        where = ", in your editor's terminal" if lent else ""
        caution = f"\n\n(not sandboxed{where}: {why_not}; it can change whatever you can)" if why_not else ""
        outside = (
            (_EVERYTHING,) if checked["outside"] else await finish_in_thread(lambda: self._named(checked["command"]))
        )
        reads = not outside and not lent and await finish_in_thread(lambda: self._only_reads(checked["command"]))
        return Intent(
            f"Run {one_line(command, 200)}",
            READ if reads else EXECUTE,
            preview=f"{command}{caution}",
            outside=outside,
            runner=EDITOR if lent else "no sandbox" if why_not else BUBBLEWRAP,
            asks=_question(command, outside=checked["outside"]),
            **self._describe_beginning(checked),
        )

    async def run(self, args: Mapping[str, Any], output: Output) -> Outcome:
        checked = self._check(args)
        self._check_sandbox(await finish_in_thread(lambda: self._sandbox.why_not), outside=checked["outside"])
        sandboxed = not checked["outside"] and self._sandbox.works()
        capture = Capture(self._logs, self.spec.name, self._limit, output)
        watch = await finish_in_thread(lambda: self._watch(checked, sandboxed=sandboxed))
        undone: Undone | None = None
        try:
            ended = await self._run_in_terminal(checked, capture, sandboxed=sandboxed) or await self._run_here(
                checked, capture, watch, sandboxed=sandboxed
            )
        finally:
            capture.close()
            undone = await uncancelled(finish_in_thread(watch.undo))
        return _outcome(checked["command"], capture, ended, undone, sandboxed=sandboxed)

    def _watch(self, checked: Mapping[str, Any], *, sandboxed: bool) -> Watch:
        """`outside` was asked for as a whole, so nothing is undone after it."""
        if checked["outside"]:
            return Watch(self._workspace, watched=False)
        if sandboxed:
            self._sandbox.prepare()
        return Watch(self._workspace, self._named_targets(checked["command"]))

    def _describe_beginning(self, checked: Mapping[str, Any]) -> dict[str, Any]:
        if self._parse is None or checked["outside"]:
            return {}
        command, parse = checked["command"], self._parse
        return {"begins": beginning_of(command, parse), "beginnings": tuple(beginnings(command, parse))}

    def _only_reads(self, command: str) -> bool:
        return self._parse is not None and only_reads(command, self._parse, self._workspace)

    def _named(self, command: str) -> tuple[str, ...]:
        return tuple(self._workspace.target(real).shown for real in self._named_targets(command))

    def _named_targets(self, command: str) -> tuple[str, ...]:
        return named_targets(command, self._parse, self._workspace) if self._parse else ()

    async def _run_here(self, checked: Mapping[str, Any], capture: Capture, watch: Watch, *, sandboxed: bool) -> Ended:
        argv = self._argv(checked["command"])
        try:
            with ExitStack() as stack:
                codes = stack.enter_context(closing(PipeCodes()))
                cage = stack.enter_context(watch.enclose(self._sandbox, argv)) if sandboxed else None
                ended = await run_process(
                    cage.argv if cage else argv,
                    cwd=self._workspace.root,
                    env=environment(os.environ, self._keep_env) | codes.env,
                    seconds=checked["timeout"],
                    feed=capture.feed,
                    descriptors=(*codes.descriptors, *(cage.descriptors if cage else ())),
                    guarded=True,
                )
                return replace(ended, pipe=codes.read())
        except OSError as error:
            raise self._not_started(error) from None

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

    def _argv(self, command: str) -> list[str]:
        bash = find_program("bash", self._workspace)
        return [bash, "--noprofile", "--norc", "-c", command] if bash else ["/bin/sh", "-c", command]


def _question(command: str, *, outside: bool) -> str:
    """As a person reads it: the command itself if it is short, else what stands below the question."""
    named = f"`{command}`" if len(command) <= _SHORT and "\n" not in command else "this command"
    return f"Run {named} without the sandbox?" if outside else f"Run {named}?"


def _outcome(command: str, capture: Capture, ended: Ended | TerminalRun, undone: Undone, *, sandboxed: bool) -> Outcome:
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
        **({"undone": [*undone.created, *undone.changed, *undone.stuck]} if undone else {}),
    }
    text = capture.text()
    how = f"timed out after {ended.seconds:.0f} s, ended" if ended.timed_out else f"exit {ended.exit}"
    how = how if ended.exit is not None else "ended, the editor did not say with which exit code"
    where = "" if sandboxed else ", in the editor's terminal, not sandboxed" if lent else ", not sandboxed"
    notes = [f"[{how}{_pipe_note(command, ended)}{where}]"]
    if sandboxed and ended.exit and any(each in text for each in _CLOSED):
        notes.insert(0, _READ_ONLY_HINT)
    if sandboxed and ended.exit and "Address family not supported" in text:
        notes.insert(0, _SOCKET_HINT)
    if undone:
        notes.insert(0, _describe_undone(undone))
    body = text if not text or text.endswith("\n") else f"{text}\n"
    return Outcome(body + "\n".join(notes), ended.exit == 0 and not ended.timed_out and not undone, details)


def _describe_undone(undone: Undone) -> str:
    paths = one_line(spell_out(", ".join((*undone.created, *undone.changed, *undone.stuck))), 300)
    stuck = (
        f"{one_line(spell_out(', '.join(undone.stuck)), 200)} could not be undone: tell the user."
        if undone.stuck
        else ""
    )
    kept = f"What it wrote is in {undone.kept_in}." if undone.kept_in else ""
    return _UNDONE.format(paths=paths, how=f"{kept} {stuck}".strip())


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
