"""One command and the files that make programs act: seen before it starts, compared when it has ended."""

from __future__ import annotations

from collections.abc import Collection, Generator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from baton.adapters.files.programs import find_program
from baton.adapters.files.workspace import Workspace
from baton.adapters.tools.guard.aside import Guard, Undone
from baton.adapters.tools.guard.survey import survey

if TYPE_CHECKING:
    from baton.adapters.tools.processes.sandbox import Cage, Sandbox


class Watch:
    """Make it right before the command starts, and `undo` once it has ended. `granted` are paths that its approval
    named. Blocks for a moment, at most about a second.
    """

    def __init__(self, workspace: Workspace, granted: Collection[str] = (), *, watched: bool = True) -> None:
        self._workspace = workspace
        self._granted = granted
        self._git = find_program("git", workspace)
        self._before = survey(workspace.root, self._git) if watched else None
        self._closed: tuple[str, ...] = ()

    @contextmanager
    def enclose(self, sandbox: Sandbox, argv: Sequence[str]) -> Generator[Cage]:
        with sandbox.enclose(argv, self._before, self._granted) as cage:
            self._closed = cage.closed
            yield cage

    def undo(self) -> Undone:
        """Takes back what was not asked for."""
        if self._before is None:
            return Undone((), (), (), "")
        guard = Guard(self._workspace, self._git, self._before, granted=self._granted, closed=self._closed)
        return guard.undo(survey(self._workspace.root, self._git))
