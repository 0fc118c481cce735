"""What a command may do stays possible: git keeps working, what was asked for is done, and nothing hangs or stays."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from baton.adapters.files.workspace import Workspace
from baton.adapters.stores.open import open_store
from baton.adapters.tools.git import branch, files
from baton.adapters.tools.registry import tools
from baton.adapters.workspace.git import GitFailed
from baton.adapters.workspace.repository import find_repository
from baton.core.agent.approval import ALLOW, UNATTENDED, verdict
from baton.core.errors import StoreError, ToolError
from baton.ports.tool import Tool
from tests.e2e.test_sandbox_attempts import Place, begin_repository, git, make_shell, place
from tests.e2e.test_tools_processes import alive
from tests.support.patience import PATIENCE
from tests.unit.tools.kit import intended, used

pytestmark = pytest.mark.anyio
__all__ = ["place"]


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(params=["caged", "bare"])
def shell(request: pytest.FixtureRequest, place: Place) -> Tool:
    return make_shell(place, caged=request.param == "caged")


WORK = (
    "echo more >> README; git add README; git commit -qm second",
    "git checkout -q -b topic; echo t > t; git add t; git commit -qm topic; git checkout -q main; git merge -q topic",
    "echo dirty >> README; git stash -q; git stash pop -q; git checkout -q README",
    "git branch other; git branch -d other; git tag v1; git reset -q --hard HEAD~0; git gc -q",
    "git rebase -q main topic; git checkout -q main; git cherry-pick --allow-empty HEAD || git cherry-pick --skip",
    "git worktree add -q linked; cd linked; echo w > w; git add w; git commit -qm w",
    "git clone -q . copy; cd copy; echo c > c; git add c; git commit -qm c; git push -q origin HEAD:refs/heads/pushed",
    "git init -q fresh; cd fresh; echo f > f; git add f; git commit -qm f",
    "git checkout -q -b tracking origin/main",
)


async def test_git_keeps_working(shell: Tool, place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{name}_NAME", "x")
        monkeypatch.setenv(f"GIT_{name}_EMAIL", "x@x")
    begin_repository(place.root)
    git(place.root, "remote", "add", "origin", str(place.root))
    git(place.root, "fetch", "-q", "origin")
    for command in WORK:
        outcome = await used(shell, command=f"set -e; {command}")
        assert outcome.ok, (command, outcome.text)
    assert b"second" in git(place.root, "log", "--oneline", "main").stdout
    assert (place.root / "copy" / ".git" / "config").exists()
    assert not (place.root / ".baton" / "aside").exists()


async def test_a_repository_can_be_made_where_there_was_none(shell: Tool, place: Place) -> None:
    outcome = await used(shell, command="git init -q && git config user.name x && git add . && ls .git")
    assert outcome.ok, outcome.text
    assert (place.root / ".git" / "config").read_text().count("name = x") == 1


async def test_what_a_command_names_is_asked_for_and_then_done(shell: Tool, place: Place) -> None:
    begin_repository(place.root)
    (place.root / ".envrc").write_text("old\n")
    for command, named in (
        ("echo new > .envrc", ".envrc"),
        ("mkdir -p .vscode && echo '{}' > .vscode/tasks.json", ".vscode"),
        ("cp README .git/hooks/pre-commit", ".git/hooks/pre-commit"),
        ("printf x | tee .npmrc >/dev/null", ".npmrc"),
    ):
        intent = await intended(shell, command=command)
        assert named in intent.outside
        assert verdict(UNATTENDED, intent.effect, intent.outside, (), ()).answer != ALLOW
        outcome = await used(shell, command=command)
        assert outcome.ok, outcome.text
    assert (place.root / ".envrc").read_text() == "new\n"
    assert (place.root / ".vscode/tasks.json").exists()
    assert (place.root / ".git/hooks/pre-commit").exists()


@pytest.mark.parametrize(
    "command", ["cat .envrc", "grep -r x --exclude-dir=.git .", "cp .envrc copy", "ls .git > list", "git status"]
)
async def test_reading_such_a_file_is_not_asked_for(shell: Tool, place: Place, command: str) -> None:
    begin_repository(place.root)
    assert (await intended(shell, command=command)).outside == ()


async def test_what_was_undone_is_told_and_kept(shell: Tool, place: Place) -> None:
    outcome = await used(shell, command="f=.envrc; echo planted > $f")
    assert not outcome.ok
    assert outcome.details["undone"] == [".envrc"]
    assert "nobody was asked" in outcome.text
    kept = list((place.root / ".baton" / "aside").glob("*/*.aside"))
    assert [each.read_text() for each in kept] == ["planted\n"]
    assert b".baton" not in git(place.root, "status", "--porcelain").stdout


async def test_a_home_directory_as_workspace_keeps_its_configuration(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(place.root))
    (place.root / ".bashrc").write_text("mine\n")
    shell = make_shell(place, caged=True)
    await used(shell, command="for f in .bashrc .ssh/authorized_keys .config/autostart/x .new; do "
               "mkdir -p $(dirname $f); echo x >> $f; done; echo x > notes")  # fmt: skip
    assert (place.root / ".bashrc").read_text() == "mine\n"
    assert (place.root / "notes").exists()
    assert [
        each for each in (".ssh/authorized_keys", ".config/autostart/x", ".new") if (place.root / each).exists()
    ] == []


RUN = """
import asyncio, sys
from baton.adapters.files.workspace import Workspace
from baton.adapters.tools.registry import tools
shell = tools(Workspace("."), sandbox=sys.argv[1] == "caged")[0]
asyncio.run(shell.run({"command": sys.argv[2], "timeout": 600}, lambda _: None))
"""
LEFT = (
    "sleep {mark}",
    "env -i setsid sleep {mark} >/dev/null 2>&1 & sleep {mark}",
    "env -i sh -c '(setsid sleep {mark} &) &'; trap '' TERM HUP; sleep {mark}",
)


@pytest.mark.parametrize("command", LEFT)
@pytest.mark.parametrize("kind", ["caged", "bare"])
def test_what_a_command_started_ends_when_baton_is_killed(place: Place, kind: str, command: str) -> None:
    make_shell(place, caged=kind == "caged")
    mark = new_mark()
    with subprocess.Popen([sys.executable, "-c", RUN, kind, command.format(mark=mark)], cwd=place.root) as baton:
        wait_until(lambda: any("'sleep" in each for each in alive(mark)))
        os.kill(baton.pid, signal.SIGKILL)
        baton.wait()
    wait_until(lambda: not alive(mark))


@pytest.mark.parametrize("kind", ["caged", "bare"])
def test_a_command_that_is_just_being_started_ends_when_baton_is_killed(place: Place, kind: str) -> None:
    """bubblewrap binds itself to its parent's life a moment after it has begun, and the command's later still."""
    make_shell(place, caged=kind == "caged")
    for pause in (0.0, 0.003, 0.006, 0.010, 0.016):
        mark = new_mark()
        command = LEFT[1].format(mark=mark)
        with subprocess.Popen([sys.executable, "-c", RUN, kind, command], cwd=place.root) as baton:
            wait_until(lambda mark=mark, pid=baton.pid: [each for each in alive(mark) if each.split()[0] != str(pid)])
            time.sleep(pause)
            os.kill(baton.pid, signal.SIGKILL)
            baton.wait()
        wait_until(lambda mark=mark: not alive(mark))


def new_mark() -> str:
    return f"9{random.SystemRandom().randrange(10**8, 10**9)}"


def wait_until(true: object) -> None:
    assert callable(true)
    until = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < until
        time.sleep(0.05)


@pytest.mark.parametrize(
    "path", [".git/HEAD", ".git/config", ".gitignore", "sub/.gitignore", ".git/index", ".gitattributes"]
)
async def test_a_pipe_in_place_of_a_file_hangs_nothing(shell: Tool, place: Place, path: str) -> None:
    begin_repository(place.root)
    (place.root / "sub").mkdir()
    (place.root / "sub" / "file").write_text("hello\n")
    (place.root / path).unlink(missing_ok=True)
    os.mkfifo(place.root / path)
    workspace = Workspace(place.root)
    every = {tool.spec.name: tool for tool in tools(workspace, sandbox=False)}
    begun = time.monotonic()
    branch(workspace)
    files(workspace)
    for name, args in (("list", {}), ("search", {"pattern": "hello"})):
        await used(every[name], **args)
    for name, args in (("read", {"path": path}), ("search", {"pattern": "x", "path": path})):
        with pytest.raises(ToolError, match="not a regular file"):
            await used(every[name], **args)
    try:
        repository = find_repository(str(place.root))
        assert repository
        repository.git.run("status", "--porcelain")
    except GitFailed:
        pass
    await used(shell, command="true")
    assert time.monotonic() - begun < 10


@pytest.mark.parametrize(
    "name",
    ["baton.db", "baton.db-wal", "baton.db-shm", "baton.db.d/queue", "baton.db.d/queue-next", "baton.db.d/search.db"],
)
def test_a_pipe_in_place_of_a_store_file_hangs_nothing(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    os.mkfifo(path)
    begun = time.monotonic()
    with contextlib.suppress(StoreError):
        open_store(str(tmp_path / "baton.db"), busy_timeout=2, backup_dir=str(tmp_path)).close()
    assert time.monotonic() - begun < 10


@pytest.mark.parametrize("with_ripgrep", [True, False])
async def test_search_follows_no_link_out_of_the_workspace(
    place: Place, monkeypatch: pytest.MonkeyPatch, with_ripgrep: bool
) -> None:
    from baton.adapters.tools import search as module

    if not with_ripgrep:
        found = module.find_program
        monkeypatch.setattr(module, "find_program", lambda name, where: None if name == "rg" else found(name, where))
    elif module.find_program("rg", Workspace(place.root)) is None:
        pytest.skip("ripgrep (rg) is not installed")
    (place.root / "d" / "e").mkdir(parents=True)
    for each in ("d/secret", "d/e/secret", "f"):
        (place.root / each).write_text("plain")
    begin_repository(place.root)
    subprocess.run(["rm", "-r", "d", "f"], cwd=place.root, check=True)
    os.symlink(place.outside, place.root / "d")
    os.symlink(place.outside / "secret", place.root / "f")
    os.symlink("/", place.root / "root")
    search = next(tool for tool in tools(Workspace(place.root)) if tool.spec.name == "search")
    for args in ({"pattern": "secret"}, {"pattern": "s.cret", "glob": "**/secret"}, {"pattern": "secret", "path": "."}):
        assert "Nothing found" in (await used(search, **args)).text
    for path in ("d", "f", "d/secret"):
        assert (await intended(search, pattern="secret", path=path)).outside
