"""A cage for commands, where the system offers bubblewrap: the workspace can be written, the rest only read."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import weakref
from collections.abc import Sequence

from baton.adapters.tools.logs import Logs
from baton.adapters.tools.programs import find
from baton.adapters.tools.workspace import Workspace

BUBBLEWRAP = "bubblewrap"
_PROBE_SECONDS = 5
_MISSING = "bubblewrap (bwrap) is not installed"
_OFF = "it is switched off in the configuration"


class Sandbox:
    """`argv` wraps a command. `/tmp` is private and lives as long as this; the network is reachable.

    Process ids are the cage's own, so a command sees no other process and none outlives it. `hidden` directories look
    empty from inside. Protection of `.baton` holds also for files that do not exist yet.
    """

    def __init__(self, workspace: Workspace, *, wanted: bool = True, hidden: Sequence[str] = ()) -> None:
        self._workspace = workspace
        self._hidden = [os.path.realpath(each) for each in hidden]
        self._program = find("bwrap", workspace) if wanted else None
        self._why_not = "" if self._program else _MISSING if wanted else _OFF
        self._works: bool | None = None if self._program else False
        self._tmp = ""

    def works(self) -> bool:
        """Tried once, for real; blocks for a moment the first time."""
        if self._works is None:
            self._works = self._try()
        return self._works

    @property
    def why_not(self) -> str:
        """Why there is none, or an empty string."""
        return "" if self.works() else self._why_not

    def argv(self, command: Sequence[str]) -> list[str]:
        """Raises `OSError` when the private /tmp or the log directory cannot be made."""
        root = self._workspace.root
        protected = os.path.dirname(Logs(self._workspace).prepare())
        masks = [part for each in self._hidden if os.path.isdir(each) for part in ("--tmpfs", each)]
        return [
            self._program or "bwrap",
            *("--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"),
            *("--bind", self._private(), "/tmp"),  # noqa: S108, the cage's own
            *masks,
            *("--bind", root, root, "--ro-bind", protected, protected),
            *("--unshare-pid", "--die-with-parent", "--chdir", root, "--", *command),
        ]

    def _private(self) -> str:
        if not self._tmp:
            self._tmp = tempfile.mkdtemp(prefix="baton-")
            weakref.finalize(self, shutil.rmtree, self._tmp, ignore_errors=True)
        return self._tmp

    def _try(self) -> bool:
        try:
            done = subprocess.run(self.argv(["true"]), capture_output=True, timeout=_PROBE_SECONDS, check=False)
        except (OSError, subprocess.TimeoutExpired) as error:
            self._why_not = f"bubblewrap does not work here: {error}"
            return False
        said = done.stderr.decode(errors="replace").strip()[-200:]
        self._why_not = f"bubblewrap does not work here: {said}" if done.returncode else ""
        return done.returncode == 0
