"""Which tools there are: one line each."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from baton.adapters.files.workspace import Workspace
from baton.adapters.tools.change import Edit, Write
from baton.adapters.tools.file_text import KnownFiles
from baton.adapters.tools.list import List
from baton.adapters.tools.output import LIMIT, Logs
from baton.adapters.tools.plan import Plan
from baton.adapters.tools.processes.sandbox import Sandbox
from baton.adapters.tools.read import Read
from baton.adapters.tools.recall import Recall
from baton.adapters.tools.search import Search
from baton.adapters.tools.session_handoff import SessionHandoff
from baton.adapters.tools.shell import Shell
from baton.adapters.tools.show import Show
from baton.adapters.tools.web.fetch import Fetch
from baton.core.shell import Parse
from baton.core.value import value
from baton.engine.past import Past
from baton.ports.editor import Editor
from baton.ports.terminal import Terminals
from baton.ports.tool import Tool


@value
class Description:
    """A tool for people: its name, what it does, and what is special about it on this machine."""

    name: str
    summary: str
    note: str


def tools(
    workspace: Workspace,
    *,
    limit_chars: int = LIMIT,
    sandbox: bool = True,
    sandbox_required: bool = False,
    sockets: bool = False,
    hidden: Sequence[str] = (),
    keep_env: Collection[str] = (),
    editor: Editor | None = None,
    terminals: Terminals | None = None,
    past: Past | None = None,
    parse: Parse | None = None,
) -> list[Tool]:
    """The tools for one workspace, in the order models are told of them.

    Make them once for a conversation and keep them: they remember what the model has read. `limit_chars` is how much
    of an output the model gets. `hidden` directories (BATON_HOME) look empty to commands in the sandbox; with `sockets`
    they reach programs that listen on this machine; `keep_env` names variables that commands get although they look
    like secrets. With `sandbox_required` no command runs without the sandbox. Where there is an `editor`, files are
    read and changed as it has them; commands that run without the sandbox run in its `terminals`. Where there is a
    `past`, the model can look up what was said and done in it. `parse` reads a command, so that what it says it would
    write can be asked for.
    """
    logs, known = Logs(workspace), KnownFiles()
    sandboxed = Sandbox(workspace, wanted=sandbox, required=sandbox_required, hidden=hidden, sockets=sockets)
    return [
        Shell(workspace, logs, limit_chars, sandboxed, keep_env, terminals, parse),
        Read(workspace, known, limit_chars, editor),
        Write(workspace, known, editor),
        Edit(workspace, known, editor),
        List(workspace, limit_chars),
        Search(workspace, logs, limit_chars),
        Plan(),
        Fetch(logs, limit_chars),
        SessionHandoff(),
        Show(workspace),
        *([Recall(past, limit_chars)] if past else []),
    ]


def describe(given: Iterable[Tool]) -> list[Description]:
    """For `/tools` and `baton doctor`: says plainly where commands run without a sandbox. Blocks for a moment."""
    return [Description(tool.spec.name, _summary(tool), _note(tool)) for tool in given]


def _summary(tool: Tool) -> str:
    return tool.spec.description.split(". ")[0].rstrip(".")


def _note(tool: Tool) -> str:
    return tool.note() if isinstance(tool, Shell) else ""
