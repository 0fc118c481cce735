"""A sandbox for commands, where the system offers bubblewrap: the workspace can be written, the rest only read."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import weakref
from collections.abc import Iterator, Sequence
from contextlib import suppress

from baton.adapters.files.programs import find_program
from baton.adapters.files.workspace import Workspace
from baton.adapters.tools.output import Logs

BUBBLEWRAP = "bubblewrap"
_PROBE_SECONDS = 5
_SERVANTS = (
    *("/run/user", "/run/dbus", "/run/docker", "/run/docker.sock", "/run/containerd", "/run/podman"),
    *("/run/crio", "/run/systemd/private", "/run/snapd.socket", "/run/libvirt"),
)
"""Where programs listen that would do outside the sandbox what they are asked to from inside."""

_MISSING = "bubblewrap (bwrap) is not installed"
_OFF = "it is switched off in the configuration"


class Sandbox:
    """`argv` wraps a command. `/tmp` is private and lives as long as this; the network is reachable.

    Process ids are the sandbox's own, so a command sees no other process and none outlives it. `hidden` directories
    look empty from inside. `.baton`, and hooks and configuration of git, can only be read. Whether it is `required` is
    for its users to enforce: no command runs without it then.
    """

    def __init__(
        self, workspace: Workspace, *, wanted: bool = True, required: bool = False, hidden: Sequence[str] = ()
    ) -> None:
        self.required = required
        self._workspace = workspace
        self._hidden = [os.path.realpath(each) for each in hidden]
        self._program = find_program("bwrap", workspace) if wanted else None
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
        """Raises `OSError` when the private /tmp cannot be made."""
        root = self._workspace.root
        above = [each for each in self._hidden if _within(root, each)]
        return [
            self._program or "bwrap",
            *("--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"),
            *("--bind", self._private(), "/tmp"),  # noqa: S108, the sandbox's own
            *_mask(_SERVANTS),
            *_mask(above),
            *("--bind", root, root),
            *_mask([each for each in self._hidden if each not in above]),
            *(part for each in self._protected_paths() for part in ("--ro-bind", each, each)),
            *("--unshare-pid", "--die-with-parent", "--chdir", root, "--", *command),
        ]

    def _protected_paths(self) -> list[str]:
        """What in the workspace makes programs act when somebody outside uses it. A link there is left alone: what it
        leads to is either outside and cannot be written, or was under the repository's control before.
        """
        root = self._workspace.root
        with suppress(OSError):
            Logs(self._workspace).prepare()
        with suppress(OSError):
            if os.path.isdir(git := os.path.join(root, ".git")) and not os.path.islink(git):
                os.makedirs(os.path.join(git, "hooks"), exist_ok=True)
        found = [os.path.join(root, each) for each in (".baton", ".git/hooks", ".git/config")]
        return [each for each in found if os.path.exists(each) and os.path.realpath(each) == each]

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


def _mask(paths: Sequence[str]) -> Iterator[str]:
    """Directories look empty, and anything else like an empty file."""
    for path in paths:
        if os.path.isdir(path):
            yield from ("--tmpfs", path)
        elif os.path.exists(path):
            yield from ("--ro-bind", "/dev/null", path)


def _within(path: str, directory: str) -> bool:
    return path == directory or path.startswith(directory.rstrip("/") + "/")
