"""Runs a command."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from typing import Any

from baton.adapters.tools import specs
from baton.adapters.tools.arguments import check, refuse
from baton.adapters.tools.output.capture import Capture
from baton.adapters.tools.output.cleaner import visible
from baton.adapters.tools.output.logs import Logs
from baton.adapters.tools.running.process import Ended, run_process
from baton.adapters.tools.running.programs import environment, find
from baton.adapters.tools.running.sandbox import BUBBLEWRAP, Sandbox
from baton.adapters.tools.settled import settled
from baton.adapters.tools.workspace import Workspace
from baton.core.display import one_line
from baton.core.errors import ToolError
from baton.ports.tool import EXECUTE, Intent, Outcome, Output

SECONDS = 120
MOST_SECONDS = 3_600
_COMMAND_LIMIT = 100_000
_EVERYTHING = "the whole machine, without the sandbox"
_REQUIRED = "tools.sandbox is required, so no command runs without the sandbox; {why}"
_READ_ONLY_HINT = (
    "[only the workspace and /tmp can be written in the sandbox; outside=true asks the user to run without]"
)


class Shell:
    """Output and errors in one stream, in order. Everything the command started ends with it, at the latest a second
    after a time-out or a cancel. In the sandbox where there is one; where not, the intent and the outcome say so.
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
        *,
        caged_only: bool = False,
    ) -> None:
        self._workspace = workspace
        self._logs = logs
        self._limit = limit_chars
        self._sandbox = sandbox
        self._keep_env = keep_env
        self._caged_only = caged_only

    def note(self) -> str:
        """What a person should know of how commands run here."""
        if self._sandbox.works():
            return "in a bubblewrap sandbox: the workspace and /tmp can be written, the rest only read"
        return f"without a sandbox: {self._sandbox.why_not}"

    async def intent(self, args: Mapping[str, Any]) -> Intent:
        checked = self._checked(args)
        command = visible(checked["command"])
        why_not = await settled(lambda: self._sandbox.why_not)
        self._check_cage(why_not, outside=checked["outside"])
        caution = f"\n\n(not sandboxed: {why_not}; it can change whatever you can)" if why_not else ""
        outside = (_EVERYTHING,) if checked["outside"] and not why_not else ()
        preview, runner = f"{command}{caution}", "no sandbox" if why_not else BUBBLEWRAP
        return Intent(f"Run {one_line(command, 200)}", EXECUTE, preview=preview, outside=outside, runner=runner)

    async def run(self, args: Mapping[str, Any], output: Output) -> Outcome:
        checked = self._checked(args)
        self._check_cage(await settled(lambda: self._sandbox.why_not), outside=checked["outside"])
        caged = not checked["outside"] and self._sandbox.works()
        capture = Capture(self._logs, self.spec.name, self._limit, output)
        try:
            ended = await run_process(
                self._argv(checked["command"], caged=caged),
                cwd=self._workspace.root,
                env=environment(os.environ, self._keep_env),
                seconds=checked["timeout"],
                feed=capture.feed,
            )
        except OSError as error:
            raise ToolError(tool=self.spec.name, reason=f"the command could not be started: {error}") from None
        finally:
            capture.close()
        return _outcome(checked["command"], capture, ended, caged=caged)

    def _check_cage(self, why_not: str, *, outside: bool) -> None:
        """`ToolError` where the configuration wants a sandbox and there would be none."""
        if self._caged_only and (why_not or outside):
            raise ToolError(tool=self.spec.name, reason=_REQUIRED.format(why=why_not or "outside=true asks for none"))

    def _checked(self, args: Mapping[str, Any]) -> dict[str, Any]:
        checked = check(self.spec, args)
        try:
            os.fsencode(checked["command"])
        except UnicodeEncodeError:
            raise refuse(self.spec, "command holds a lone surrogate") from None
        if "\0" in checked["command"] or not checked["command"].strip():
            raise refuse(self.spec, "command is blank or holds a NUL character")
        return checked

    def _argv(self, command: str, *, caged: bool) -> list[str]:
        bash = find("bash", self._workspace)
        argv = [bash, "--noprofile", "--norc", "-c", command] if bash else ["/bin/sh", "-c", command]
        return self._sandbox.argv(argv) if caged else argv


def _outcome(command: str, capture: Capture, ended: Ended, *, caged: bool) -> Outcome:
    details = {
        "exit": ended.exit,
        "command": visible(command),
        "log": capture.log,
        "seconds": round(ended.seconds, 3),
        "timed_out": ended.timed_out,
        "sandbox": BUBBLEWRAP if caged else None,
    }
    text = capture.text()
    how = f"timed out after {ended.seconds:.0f} s, ended" if ended.timed_out else f"exit {ended.exit}"
    notes = [f"[{how}{'' if caged else ', not sandboxed'}]"]
    if caged and ended.exit and "Read-only file system" in text:
        notes.insert(0, _READ_ONLY_HINT)
    body = text if not text or text.endswith("\n") else f"{text}\n"
    return Outcome(body + "\n".join(notes), ended.exit == 0 and not ended.timed_out, details)
