from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from baton.adapters.tools.approvals import MOST, ApprovalMemory
from baton.core.agent.approval import fingerprint

ONE, TWO = fingerprint("shell", {"command": "ls"}), fingerprint("shell", {"command": "pwd"})


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home" / "baton"


def file(home: Path) -> Path:
    return next((home / "approvals").glob("*.json"))


def test_what_is_remembered_is_allowed_in_this_workspace_only(home: Path, root: Path, tmp_path: Path) -> None:
    memory = ApprovalMemory(home, str(root))
    assert set(memory.list_allowed()) == set()
    memory.remember(ONE, "Run ls")
    memory.remember(TWO, "Run pwd\x1b[31m")
    assert set(memory.list_allowed()) == {ONE, TWO}
    assert set(ApprovalMemory(home, str(root)).list_allowed()) == {ONE, TWO}
    assert set(ApprovalMemory(home, str(tmp_path)).list_allowed()) == set()
    assert "\x1b" not in file(home).read_text()


def test_the_file_is_private(home: Path, root: Path) -> None:
    ApprovalMemory(home, str(root)).remember(ONE, "x")
    assert stat.S_IMODE(os.stat(file(home)).st_mode) == 0o600
    assert stat.S_IMODE(os.stat(home / "approvals").st_mode) == 0o700


@pytest.mark.parametrize(
    "damage",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"version": 2, "allowed": []}',
        json.dumps({"version": 1, "workspace": "/elsewhere", "allowed": [{"fingerprint": ONE}]}).encode(),
        b"x" * 2_000_000,
    ],
)
def test_a_torn_or_foreign_file_allows_nothing_and_is_told_once(home: Path, root: Path, damage: bytes) -> None:
    ApprovalMemory(home, str(root)).remember(ONE, "x")
    file(home).write_bytes(damage)
    told: list[str] = []
    memory = ApprovalMemory(home, str(root), told.append)
    assert set(memory.list_allowed()) == set()
    memory.list_allowed()
    assert len(told) == 1
    assert "ignored" in told[0]
    memory.remember(TWO, "y")
    assert set(ApprovalMemory(home, str(root)).list_allowed()) == {TWO}


def test_every_torn_tail_allows_nothing(home: Path, root: Path) -> None:
    ApprovalMemory(home, str(root)).remember(ONE, "x")
    whole = file(home).read_bytes()
    for length in range(len(whole) - 1):
        file(home).write_bytes(whole[:length])
        assert set(ApprovalMemory(home, str(root)).list_allowed()) == set()


@pytest.mark.parametrize("mode", [0o620, 0o602])
def test_a_file_that_others_can_write_allows_nothing(home: Path, root: Path, mode: int) -> None:
    ApprovalMemory(home, str(root)).remember(ONE, "x")
    os.chmod(file(home), mode)
    assert set(ApprovalMemory(home, str(root)).list_allowed()) == set()


def test_a_link_is_not_followed(home: Path, root: Path, tmp_path: Path) -> None:
    ApprovalMemory(home, str(root)).remember(ONE, "x")
    os.rename(file(home), tmp_path / "elsewhere.json")
    os.symlink(tmp_path / "elsewhere.json", home / "approvals" / file_name(root))
    assert set(ApprovalMemory(home, str(root)).list_allowed()) == set()


def file_name(root: Path) -> str:
    from hashlib import sha256

    return f"{sha256(os.fsencode(os.path.realpath(root))).hexdigest()}.json"


def test_where_nothing_can_be_written_it_holds_for_this_process(home: Path, root: Path) -> None:
    home.mkdir(parents=True)
    (home / "approvals").write_text("in the way")
    told: list[str] = []
    memory = ApprovalMemory(home, str(root), told.append)
    memory.remember(ONE, "x")
    assert set(memory.list_allowed()) == {ONE}
    assert any("until Baton ends" in each for each in told)


def test_many_processes_lose_nothing(home: Path, root: Path) -> None:
    code = (
        "import sys; from baton.adapters.tools.approvals import ApprovalMemory as M; m = M(sys.argv[1], sys.argv[2])\n"
        "for n in range(10): m.remember(f'{int(sys.argv[3]) * 100 + n:064x}', 't')"
    )
    workers = [subprocess.Popen([sys.executable, "-c", code, str(home), str(root), str(n)]) for n in range(4)]
    assert [worker.wait() for worker in workers] == [0] * 4
    assert len(set(ApprovalMemory(home, str(root)).list_allowed())) == 40


def test_the_oldest_are_forgotten_when_there_are_too_many(home: Path, root: Path) -> None:
    memory = ApprovalMemory(home, str(root))
    memory.remember(ONE, "x")
    body = json.loads(file(home).read_text())
    body["allowed"] = [{"fingerprint": f"{number:064x}", "title": "t"} for number in range(MOST)]
    file(home).write_text(json.dumps(body))
    memory.remember(TWO, "y")
    kept = set(ApprovalMemory(home, str(root)).list_allowed())
    assert len(kept) == MOST
    assert TWO in kept
    assert f"{0:064x}" not in kept
