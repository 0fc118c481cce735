"""A command tries, in more than a hundred ways, to get out or to leave what acts later. None succeeds unasked.

The workspace is not below /tmp, where the sandbox's own /tmp would hide what went wrong.
"""

from __future__ import annotations

import os
import random
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest

from baton.adapters.bash_syntax import BashSyntax
from baton.adapters.files.powerful import is_powerful
from baton.adapters.files.workspace import Workspace
from baton.adapters.tools.registry import tools
from baton.core.agent.approval import ACCEPT_EDITS, ALLOW, ASK, DENY, MODES, READ_ONLY, UNATTENDED, verdict
from baton.core.errors import ToolError
from baton.core.value import value
from baton.ports.tool import Outcome, Tool
from tests.e2e.test_tools_processes import alive
from tests.support.sandbox_attempts import GIT, LASTING, POWERFUL, REACH, WAYS
from tests.unit.tools.kit import silent

pytestmark = pytest.mark.anyio
IDENTITY = {"GIT_AUTHOR_NAME": "x", "GIT_AUTHOR_EMAIL": "x@x", "GIT_COMMITTER_NAME": "x", "GIT_COMMITTER_EMAIL": "x@x"}
USED = (["status"], ["diff"], ["commit", "-qam", "x", "--allow-empty"], ["fetch", "-q", "--all"])


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@value
class Place:
    root: Path
    outside: Path
    payload: Path
    canary: Path

    def fill(self, command: str, **more: object) -> str:
        given = {"payload": self.payload, "outside": self.outside, "python": os.path.realpath(sys.executable)}
        for name, held in {**given, "pid": os.getpid(), **more}.items():
            command = command.replace(f"{{{name}}}", str(held))
        return command

    def powerful(self) -> dict[str, str]:
        """Every file in the workspace that makes programs act, git's data left out."""
        found: dict[str, str] = {}
        for above, _, names in os.walk(self.root):
            for name in names:
                path = os.path.join(above, name)
                if is_powerful(path, str(self.root)) and "/.git/" not in path and "/.baton/" not in path:
                    found[path] = Path(path).read_text(errors="replace") if os.path.isfile(path) else "?"
        config = self.root / ".baton" / "config.yaml"
        return {**found, **({str(config): config.read_text()} if config.exists() else {})}


@pytest.fixture
def place(monkeypatch: pytest.MonkeyPatch) -> Iterator[Place]:
    with tempfile.TemporaryDirectory(dir="/var/tmp", prefix="baton-attempts-", ignore_cleanup_errors=True) as top:
        made = Place(Path(top, "work"), Path(top, "outside"), Path(top, "payload"), Path(top, "canary"))
        for directory in (made.root, made.outside, Path(top, "home")):
            directory.mkdir()
        made.payload.write_text(f"#!/bin/sh\necho hit >> {made.canary}\nexit 0\n")
        made.payload.chmod(0o755)
        (made.outside / "secret").write_text("secret")
        (made.root / "README").write_text("hello\n")
        monkeypatch.setenv("HOME", str(Path(top, "home")))
        monkeypatch.chdir(made.root)
        yield made


@pytest.fixture(params=["caged", "bare"])
def shell(request: pytest.FixtureRequest, place: Place) -> Tool:
    return make_shell(place, caged=request.param == "caged")


@pytest.fixture
def caged(place: Place) -> Tool:
    return make_shell(place, caged=True)


def make_shell(place: Place, *, caged: bool) -> Tool:
    every = tools(Workspace(place.root), sandbox=caged, parse=BashSyntax().parse)
    note = every[0].note()  # pyright: ignore[reportAttributeAccessIssue]
    if caged and "bubblewrap sandbox" not in note:
        pytest.skip(note)
    return every[0]


def begin_repository(root: Path) -> None:
    git(root, "init", "-q", "-b", "main")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "first")


def git(root: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    """As the user would, outside, after the command."""
    env = {**os.environ, **IDENTITY}
    return subprocess.run(["git", *arguments], cwd=root, env=env, capture_output=True, check=False, timeout=20)


async def attempt(tool: Tool, mode: str = UNATTENDED, **args: object) -> Outcome | None:
    """As the toolbox does where nobody says yes: None if it was asked about or denied."""
    try:
        intent = await tool.intent(args)
        if verdict(mode, intent.effect, intent.outside, (), ()).answer != ALLOW:
            return None
        return await tool.run(args, silent)
    except ToolError as error:
        return Outcome(str(error), ok=False)


def use_git_everywhere(place: Place) -> None:
    """The user's next commands, at the top and in each directory."""
    for directory in (place.root, *(each for each in place.root.iterdir() if each.is_dir() and each.name != ".git")):
        for arguments in USED if directory == place.root else USED[:1]:
            git(directory, *arguments)


@pytest.mark.parametrize("kind", ["repository", "nothing", "linked"])
@pytest.mark.parametrize("name", GIT)
async def test_git_used_afterwards_runs_nothing_that_a_command_left(
    shell: Tool, place: Place, kind: str, name: str
) -> None:
    if kind == "repository":
        begin_repository(place.root)
    if kind == "linked":
        main = place.root.parent / "main"
        main.mkdir()
        (main / "README").write_text("hello\n")
        begin_repository(main)
        shutil.rmtree(place.root)
        assert git(main, "worktree", "add", "-q", str(place.root)).returncode == 0
    first = "git init -q; " if kind == "nothing" else ""
    await attempt(shell, command=first + place.fill(GIT[name]), timeout=20)
    use_git_everywhere(place)
    assert not place.canary.exists()
    assert place.powerful().keys() <= {str(place.root / ".git")}


def test_the_payload_would_be_noticed(place: Place) -> None:
    begin_repository(place.root)
    git(place.root, "config", "core.fsmonitor", str(place.payload))
    use_git_everywhere(place)
    assert place.canary.exists()


@pytest.mark.parametrize("exists", [False, True])
@pytest.mark.parametrize("path", POWERFUL)
async def test_a_file_that_programs_act_on_is_not_written_unasked(
    shell: Tool, place: Place, path: str, exists: bool
) -> None:
    if exists:
        (place.root / path).parent.mkdir(parents=True, exist_ok=True)
        (place.root / path).write_text("as it was")
    before = place.powerful()
    for way in WAYS:
        await attempt(shell, command=place.fill(way, path=path), timeout=20)
        assert place.powerful() == before, way


@pytest.mark.parametrize("path", POWERFUL)
async def test_write_and_edit_ask_for_the_same_files(place: Place, path: str) -> None:
    every = {tool.spec.name: tool for tool in tools(Workspace(place.root), sandbox=False)}
    for mode in MODES:
        assert await attempt(every["write"], mode, path=path, content="x") is None
    (place.root / path).parent.mkdir(parents=True, exist_ok=True)
    (place.root / path).write_text("as it was")
    for mode in MODES:
        assert await attempt(every["edit"], mode, path=path, old="was", new="is") is None
    assert (place.root / path).read_text() == "as it was"


@pytest.mark.parametrize("mode", [ASK, ACCEPT_EDITS, READ_ONLY])
async def test_in_other_modes_no_command_runs_unasked(shell: Tool, place: Place, mode: str) -> None:
    for command in (*GIT.values(), *REACH.values(), *LASTING.values()):
        intent = await shell.intent({"command": place.fill(command)})
        answer = verdict(mode, intent.effect, intent.outside, (), ()).answer
        assert answer == (DENY if mode == READ_ONLY else ASK)


@pytest.mark.parametrize("name", REACH)
async def test_nothing_outside_is_reached_from_the_sandbox(caged: Tool, place: Place, name: str) -> None:
    begin_repository(place.root)
    before = describe(place)
    with ExitStack() as stack:
        abstract = f"baton-{random.SystemRandom().randrange(10**12)}"
        heard = [listen(stack, kind, at) for kind, at in listeners(place, abstract)]
        await attempt(caged, command=place.fill(REACH[name], abstract=abstract), timeout=20)
        assert [each for each in heard if is_heard(each)] == []
    assert describe(place) == before
    assert not place.canary.exists()


def listeners(place: Place, abstract: str) -> list[tuple[int, str]]:
    return [
        (socket.SOCK_STREAM, f"{place.outside}/listening"),
        (socket.SOCK_DGRAM, f"{place.outside}/datagrams"),
        (socket.SOCK_STREAM, f"\0{abstract}"),
    ]


def listen(stack: ExitStack, kind: int, at: str) -> socket.socket:
    listening = stack.enter_context(socket.socket(socket.AF_UNIX, kind))
    with suppress(FileNotFoundError):
        os.unlink(at) if not at.startswith("\0") else None
    listening.bind(at)
    if kind == socket.SOCK_STREAM:
        listening.listen()
    listening.setblocking(False)
    return listening


def is_heard(listening: socket.socket) -> bool:
    try:
        if listening.type == socket.SOCK_DGRAM:
            return bool(listening.recv(10))
        listening.accept()[0].close()
    except BlockingIOError:
        return False
    return True


def describe(place: Place) -> object:
    """Everything that an attempt of `REACH` is after."""
    secret, top = place.outside / "secret", place.root.parent
    names = sorted(str(each.relative_to(top)) for each in top.rglob("*") if place.root not in (each, *each.parents))
    names = [each for each in names if each not in ("outside/listening", "outside/datagrams")]
    elsewhere = ["/dev/shm/baton-canary", "/etc/cron.d/x-canary", "/etc/ld.so.preload-canary", "/var/tmp/baton-canary"]
    elsewhere += ["/usr/local/bin/baton-canary", "/tmp/baton-canary"]
    there = [each for each in elsewhere if os.path.lexists(each)]
    settings = (Path("/proc/sys/kernel", each) for each in ("core_pattern", "modprobe"))
    kernel = [each.read_text() for each in settings if each.exists()]
    status = secret.stat()
    return names, there, kernel, secret.read_text(), status.st_mode, status.st_mtime_ns, os.listxattr(secret)


@pytest.mark.parametrize("name", LASTING)
async def test_what_a_command_started_ends_with_it(shell: Tool, place: Place, name: str) -> None:
    mark = f"9{random.SystemRandom().randrange(10**8, 10**9)}"
    outcome = await attempt(shell, command=place.fill(LASTING[name], mark=mark), timeout=20)
    assert outcome is not None
    assert alive(mark) == []


def test_there_are_more_than_a_hundred_attempts() -> None:
    assert len(GIT) * 3 + len(POWERFUL) * len(WAYS) * 2 + len(REACH) + len(LASTING) > 400
    assert len(GIT) + len(REACH) + len(LASTING) >= 100
