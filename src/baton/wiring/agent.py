"""The agent of one workspace: its model, its tools, its instructions, and what they may do unasked."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from typing import TYPE_CHECKING

from baton.adapters.models.open import open_model, warm
from baton.adapters.tools.instructions import framed, instructions
from baton.adapters.tools.memory import ApprovalMemory
from baton.adapters.tools.registry import tools
from baton.adapters.tools.workspace import Workspace
from baton.engine.prompts import prompt_text
from baton.engine.runtime import Parts
from baton.engine.toolbox import Toolbox
from baton.engine.turn import TurnSettings

if TYPE_CHECKING:
    from baton.ports.approver import Approver
    from baton.ports.model import Model
    from baton.ports.tool import Tool

SMALL_OUTPUT = 1500
OUTPUT = 8000
OnPull = Callable[[int, int, float], None]


class WorkspaceAgent:
    """Implements `surfaces.chat.Agent`. The model is opened when the first turn needs it."""

    def __init__(self, directory: str, home: str, model: str, mode: str) -> None:
        self._workspace = Workspace(directory)
        self._home = home
        self._model_name = model
        self._opened: dict[str, Model] = {}
        self._tools: dict[tuple[str, int], list[Tool]] = {}
        self._approver: Approver | None = None
        self._memory = ApprovalMemory(home, self._workspace.root)
        self.mode = mode
        self.on_pull: OnPull | None = None

    @property
    def workspace(self) -> str:
        return self._workspace.root

    @property
    def model(self) -> str:
        return self._model_name

    @property
    def embedded(self) -> bool:
        return self._model_name.startswith("local:")

    def begin(self, approver: Approver) -> None:
        """Names who is asked, and starts what takes time in the background."""
        self._approver = approver
        warm(self._model_name, os.environ)

    def use_model(self, name: str) -> None:
        self._opened.setdefault(name, open_model(name, os.environ, embedded=self._embedded))
        self._model_name = name
        warm(name, os.environ)

    def window(self) -> int:
        return self._open().window

    def branch(self) -> str:
        """`main (2 files changed)`, or an empty string outside git."""
        command = [
            "git",
            "-c",
            "core.fsmonitor=false",
            "-C",
            self.workspace,
            "status",
            "--porcelain=v2",
            "--branch",
            "-z",
        ]
        environ = {**os.environ, "GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"}
        try:
            done = subprocess.run(command, capture_output=True, timeout=5, check=True, env=environ)
        except (OSError, subprocess.SubprocessError):
            return ""
        return _branch(done.stdout.decode(errors="replace").split("\0"))

    def parts(self, conversation_id: str) -> Parts:
        """What the next turn is made of. Tools are kept per conversation: they remember what the model has read."""
        assert self._approver is not None
        limit = SMALL_OUTPUT if self.embedded else OUTPUT
        key = (conversation_id, limit)
        if key not in self._tools:
            self._tools[key] = tools(self._workspace, limit_chars=limit, hidden=(self._home,))
        toolbox = Toolbox(self._tools[key], self._approver, self._memory, self.mode)
        return Parts(self._open(), toolbox, TurnSettings(self._system()))

    def _system(self) -> str:
        """Byte-stable as long as the instructions are, so that a provider's prompt cache holds."""
        found = framed(instructions(self._workspace, limit=2000 if self.embedded else 32_000))
        where = f"The workspace is {self.workspace}."
        return "\n\n".join(part for part in (prompt_text("system"), where, found) if part)

    def _open(self) -> Model:
        name = self._model_name
        if name not in self._opened:
            self._opened[name] = open_model(name, os.environ, embedded=self._embedded)
        return self._opened[name]

    def _embedded(self, name: str) -> Model:
        from baton.adapters.models.local.catalogue import find
        from baton.adapters.models.local.model import LocalModel

        def on_pull(done: int, total: int, seconds: float) -> None:
            if self.on_pull is not None:
                self.on_pull(done, total, seconds)

        return LocalModel(os.path.join(self._home, "models"), find(name), on_pull=on_pull)

    async def close(self) -> None:
        for model in self._opened.values():
            await model.close()


def _branch(lines: list[str]) -> str:
    name = next((line.removeprefix("# branch.head ") for line in lines if line.startswith("# branch.head ")), "")
    changed = sum(line[:2] in ("1 ", "2 ", "u ", "? ") for line in lines)
    return f"{name} ({changed} file{'s' if changed != 1 else ''} changed)" if changed else name
