"""A sandbox for commands, where the system offers bubblewrap: the workspace can be written, the rest only read."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import weakref
from collections.abc import Collection, Generator, Iterator, Sequence
from contextlib import contextmanager, suppress

from baton.adapters.files.powerful import is_within
from baton.adapters.files.programs import find_program
from baton.adapters.files.workspace import Workspace
from baton.adapters.tools.guard.survey import Survey, survey
from baton.adapters.tools.output import Logs
from baton.adapters.tools.processes.seccomp import filter_descriptor
from baton.core.value import value

BUBBLEWRAP = "bubblewrap"
_PROBE_SECONDS = 5
_MOST_MOUNTS = 500
_SERVANTS = (
    *("/run/user", "/run/dbus", "/run/docker", "/run/docker.sock", "/run/containerd", "/run/podman"),
    *("/run/crio", "/run/systemd/private", "/run/snapd.socket", "/run/libvirt"),
)
"""Where programs listen that would do outside the sandbox what they are asked to from inside."""
_KERNEL = ("/proc/sys", "/proc/sysrq-trigger", "/proc/irq", "/proc/bus")
"""What root could set for the whole machine."""

_MISSING = "bubblewrap (bwrap) is not installed"
_OFF = "it is switched off in the configuration"
_EVERYTHING = "the workspace is the root directory, so there is nothing to keep a command out of"
_TRACKING = ("branch.autoSetupMerge", "false")
"""git would write to the repository's configuration, which cannot be written, and fail where it need not."""


@value
class Cage:
    """A command wrapped: what to start, with which descriptors. `closed` are the paths that it cannot write to."""

    argv: tuple[str, ...]
    descriptors: tuple[int, ...]
    closed: tuple[str, ...]


class Sandbox:
    """`enclose` wraps a command. `/tmp` is private and lives as long as this; the network is reachable, but no socket
    that a program of this machine listens on, unless `sockets` are wanted.

    Process ids are the sandbox's own, so a command sees no other process and none outlives it. `hidden` directories
    look empty from inside. What makes programs act can only be read; git keeps its data, but neither hooks nor
    configuration, and `.git` cannot be moved. Whether it is `required` is for its users to enforce: no command runs
    without it then.
    """

    def __init__(
        self,
        workspace: Workspace,
        *,
        wanted: bool = True,
        required: bool = False,
        hidden: Sequence[str] = (),
        sockets: bool = False,
    ) -> None:
        self.required = required
        self._workspace = workspace
        self._hidden = [os.path.realpath(each) for each in hidden]
        self._sockets = sockets
        self._program = find_program("bwrap", workspace) if wanted and workspace.root != "/" else None
        self._why_not = (
            "" if self._program else _OFF if not wanted else _MISSING if workspace.root != "/" else _EVERYTHING
        )
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

    @contextmanager
    def enclose(
        self, command: Sequence[str], found: Survey | None = None, granted: Collection[str] = ()
    ) -> Generator[Cage]:
        """The command in the sandbox, good for one start within the context.

        `found` is what makes programs act there now; `granted` are the paths among it that may be written. Raises
        `OSError` when the private /tmp cannot be made.
        """
        found = found or survey(self._workspace.root, find_program("git", self._workspace))
        inside = [each for each in _mountable(found.whole) if is_within(each, self._workspace.root)]
        closed = [each for each in inside if not _concerns(each, granted)][:_MOST_MOUNTS]
        with filter_descriptor() if not self._sockets else _no_filter() as descriptor:
            given = () if descriptor is None else (descriptor,)
            argv = [*self._view(closed, found.repositories, granted), *self._apart(given), "--", *command]
            yield Cage(tuple(argv), given, tuple(closed))

    def _view(self, closed: Sequence[str], repositories: Sequence[str], granted: Collection[str]) -> Iterator[str]:
        """The file system from inside. Parents come before what is below them, and what is hidden comes last."""
        root = self._workspace.root
        above = [each for each in self._hidden if is_within(root, each)]
        kept = [each for each in _mountable(repositories) if is_within(each, root) and each != root]
        held = [each for each in kept if not any(is_within(each, path) for path in granted)]
        inside = sorted([(each, "--bind") for each in held] + [(each, "--ro-bind") for each in closed])
        yield from (self._program or "bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc")
        yield from (part for each in _KERNEL for part in ("--ro-bind-try", each, each))
        yield from ("--bind", self._private(), "/tmp")  # noqa: S108, the sandbox's own
        if not self._sockets:
            yield from _mask(_SERVANTS)
        yield from _mask(above)
        yield from ("--bind", root, root)
        yield from (part for path, how in inside for part in (how, path, path))
        yield from _mask([each for each in self._hidden if each not in above])

    def _apart(self, filters: Sequence[int]) -> Iterator[str]:
        yield from ("--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try")
        yield from ("--cap-drop", "ALL", "--die-with-parent", "--chdir", self._workspace.root)
        count = os.environ.get("GIT_CONFIG_COUNT", "")
        number = int(count) if count.isdigit() else 0
        given = {f"GIT_CONFIG_KEY_{number}": _TRACKING[0], f"GIT_CONFIG_VALUE_{number}": _TRACKING[1]}
        for name, held in {**given, "GIT_CONFIG_COUNT": str(number + 1), "TMPDIR": "/tmp"}.items():  # noqa: S108
            yield from ("--setenv", name, held)
        yield from (part for each in filters for part in ("--seccomp", str(each)))

    def prepare(self) -> None:
        """Makes the directories that have to be there in order to be closed. Call it before looking at what is."""
        with suppress(OSError):
            Logs(self._workspace).prepare()
        git = os.path.join(self._workspace.root, ".git")
        for name in ("hooks", "info"):
            with suppress(OSError):
                if os.path.isdir(git) and not os.path.islink(git):
                    os.makedirs(os.path.join(git, name), exist_ok=True)

    def _private(self) -> str:
        if not self._tmp:
            self._tmp = tempfile.mkdtemp(prefix="baton-")
            weakref.finalize(self, shutil.rmtree, self._tmp, ignore_errors=True)
        return self._tmp

    def _try(self) -> bool:
        try:
            self.prepare()
            with self.enclose(["true"]) as cage:
                done = subprocess.run(
                    cage.argv, capture_output=True, timeout=_PROBE_SECONDS, check=False, pass_fds=cage.descriptors
                )
        except (OSError, subprocess.TimeoutExpired) as error:
            self._why_not = f"bubblewrap does not work here: {error}"
            return False
        said = done.stderr.decode(errors="replace").strip()[-200:]
        self._why_not = f"bubblewrap does not work here: {said}" if done.returncode else ""
        return done.returncode == 0


@contextmanager
def _no_filter() -> Generator[None]:
    yield None


def _mountable(paths: Sequence[str]) -> list[str]:
    """Those that exist. Nothing can be mounted on a link; what it leads to, if that acts, is among the others."""
    return sorted({each for each in paths if os.path.exists(each) and os.path.realpath(each) == each})


def _concerns(path: str, granted: Collection[str]) -> bool:
    return any(is_within(path, each) or is_within(each, path) for each in granted)


def _mask(paths: Sequence[str]) -> Iterator[str]:
    """Directories look empty, and anything else like an empty file."""
    for path in paths:
        if os.path.isdir(path):
            yield from ("--tmpfs", path)
        elif os.path.exists(path):
            yield from ("--ro-bind", "/dev/null", path)
