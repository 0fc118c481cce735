"""Packets on a disk that refuses: a typed error, the old session as it was, and the next try works."""

from __future__ import annotations

import asyncio
import errno
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from baton.adapters import artifacts
from baton.adapters.artifacts import PacketFiles
from baton.adapters.redaction.redactor import open_redactor
from baton.adapters.stores.sqlite.open import open_sqlite
from baton.core.errors import PacketNotSaved
from baton.core.value import replace
from baton.engine.handoff.handoff import Cause
from baton.engine.turns.runtime import Runtime
from baton.ports.store import Store
from tests.support.handoffs import kit, repository
from tests.support.killed_handoffs import ENTRIES
from tests.support.workers import handing

ID = "20260527_123456_abcdef"
TWIN = {"ledger": {}}
LIMITED = """
import resource, sys
from baton.adapters.artifacts import PacketFiles
from baton.core.errors import PacketNotSaved
files = PacketFiles(sys.argv[1], ".baton/handoffs")
resource.setrlimit(resource.RLIMIT_FSIZE, (100, resource.RLIM_INFINITY))
try:
    files.write("20260527_123456_abcdef", "x" * 5000, {})
except PacketNotSaved as error:
    print(error.code)
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
print(files.write("20260527_123456_abcdef", "x" * 5000, {}))
"""
FULL = """
import os, subprocess, sys
from baton.adapters.artifacts import PacketFiles
from baton.core.errors import PacketNotSaved
root = sys.argv[1]
subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", root], check=True)
files = PacketFiles(root, ".baton/handoffs")
for number in range(100):
    try:
        files.write("20260527_123456_abcdef", "x" * 5000, {})
    except PacketNotSaved as error:
        print(error.code)
        break
names = os.listdir(f"{root}/.baton/handoffs")
print(sorted({name.rpartition(".")[2] for name in names}))
for name in names:
    if name.endswith(".md"):
        assert os.path.getsize(f"{root}/.baton/handoffs/{name}") == 5000
        os.unlink(f"{root}/.baton/handoffs/{name}")
print(files.write("20260527_123456_abcdef", "x" * 5000, {})[:15])
subprocess.run(["mount", "-o", "remount,ro", root], check=True)
try:
    files.write("20260527_123456_abcdef", "x" * 5000, {})
except PacketNotSaved as error:
    print(error.code, "read-only" in str(error))
"""


class Doing:
    def __init__(self, store: Store, directory: Path) -> None:
        self.store = store
        self.root = repository(directory / "repo")
        self.kit = kit(self.root, directory / "home")
        self.runtime: Runtime = handing.runtime(store, handing.TellingModel(handing.Fuse("-")), self.kit)
        conversation, session = store.conversations.start("files")
        proof = store.conversations.claim(conversation.id, "test", 60)
        store.entries.append(proof, session.id, ENTRIES)
        store.conversations.release(proof)
        self.id = conversation.id
        self.before = (store.conversations.get(conversation.id).head_id, store.entries.load(session.id))

    def now(self) -> Any:
        return asyncio.run(self.runtime.hand_off(self.id, lambda handoff: handoff.now(Cause())))

    def refused(self) -> str:
        with pytest.raises(PacketNotSaved) as raised:
            self.now()
        head_id = self.store.conversations.get(self.id).head_id
        assert (head_id, self.store.entries.load(head_id)) == self.before
        assert self.store.drafts.list_waiting(self.id) == []
        assert self.store.packets.of(self.id) == []
        return str(raised.value)


@pytest.fixture
def doing(tmp_path: Path) -> Iterator[Doing]:
    store = open_sqlite(str(tmp_path / "store" / "baton.db"))
    yield Doing(store, tmp_path)
    store.close()


def test_a_link_in_the_way_is_not_followed(doing: Doing, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (doing.root / ".baton").symlink_to(outside)
    assert "a link stands in its way" in doing.refused()
    (doing.root / ".baton").unlink()
    (doing.root / ".baton").mkdir()
    (doing.root / ".baton/handoffs").symlink_to(outside)
    assert "a link stands in its way" in doing.refused()
    assert list(outside.iterdir()) == []
    (doing.root / ".baton/handoffs").unlink()
    assert doing.now().edge == "handoff"


def test_a_file_in_the_way_is_not_replaced(doing: Doing) -> None:
    (doing.root / ".baton").write_text("mine")
    doing.refused()
    assert (doing.root / ".baton").read_text() == "mine"
    (doing.root / ".baton").unlink()
    assert doing.now().edge == "handoff"


def test_a_link_with_the_packets_own_name_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "target"
    monkeypatch.setattr(time, "strftime", lambda *_: "20260527T123456Z")
    directory = tmp_path / ".baton/handoffs"
    directory.mkdir(parents=True)
    (directory / f"{ID}-20260527T123456Z.md").symlink_to(target)
    path = PacketFiles(str(tmp_path), ".baton/handoffs").write(ID, "# Packet", TWIN)
    assert path == f".baton/handoffs/{ID}-20260527T123456Z-2.md"
    assert not target.exists()


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO])
@pytest.mark.parametrize("call", [1, 2, 3])
def test_a_disk_that_refuses_leaves_the_old_session_and_no_part_of_a_packet(
    doing: Doing, monkeypatch: pytest.MonkeyPatch, number: int, call: int
) -> None:
    """At the first, second and third file that is synced: what git ignores, the twin, the packet."""
    fill, calls = artifacts._fill, iter(range(1, 100))

    def refusing(descriptor: int, data: bytes) -> None:
        if next(calls) == call:
            os.write(descriptor, data[:3])
            raise OSError(number, os.strerror(number))
        fill(descriptor, data)

    monkeypatch.setattr(artifacts, "_fill", refusing)
    assert os.strerror(number).lower() in doing.refused()
    names = sorted(path.name for path in (doing.root / ".baton/handoffs").iterdir())
    assert not [name for name in names if name.endswith(".md") or name.startswith(".packet")]
    monkeypatch.setattr(artifacts, "_fill", fill)
    assert doing.now().edge == "handoff"


def run(script: str, *words: str, before: tuple[str, ...] = ()) -> list[str]:
    done = subprocess.run([*before, sys.executable, "-c", script, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_a_limit_on_the_size_of_files_is_told_and_leaves_nothing(tmp_path: Path) -> None:
    code, path = run(LIMITED, str(tmp_path))
    assert code == "packet-not-saved"
    names = sorted(each.name for each in (tmp_path / ".baton/handoffs").iterdir())
    assert names == sorted([".gitignore", os.path.basename(path), f"{os.path.basename(path)[:-3]}.json"])


def test_a_full_disk_and_one_that_turns_read_only(tmp_path: Path) -> None:
    allowed = subprocess.run(["unshare", "-rm", "mount", "-t", "tmpfs", "tmpfs", str(tmp_path)], check=False)
    if allowed.returncode:
        pytest.skip("this system lets nobody mount")
    told = run(FULL, str(tmp_path), before=("unshare", "-rm"))
    assert told[0] == "packet-not-saved"
    assert set(json.loads(told[1].replace("'", '"'))) <= {"json", "md", "gitignore"}
    assert told[2:] == [".baton/handoffs", "packet-not-saved True"]


def test_what_a_death_left_is_swept_once_it_is_old(tmp_path: Path) -> None:
    files = PacketFiles(str(tmp_path), ".baton/handoffs")
    files.write(ID, "# Packet", TWIN)
    directory = tmp_path / ".baton/handoffs"
    alone = f"{ID}-20260101T000000Z.json"
    for name in (".packet-0123", alone, "notes.json", ".packet-new"):
        (directory / name).write_text("{}")
    old = time.time() - 7200
    for name in (".packet-0123", alone, "notes.json"):
        os.utime(directory / name, (old, old))
    files.write(ID, "# Packet", TWIN)
    names = {path.name for path in directory.iterdir()}
    assert {"notes.json", ".packet-new"} <= names
    assert not {".packet-0123", alone} & names
    assert len(names) == 7


def test_without_unnamed_files_a_temporary_name_is_used_and_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(artifacts, "_UNNAMED", 0)
    path = PacketFiles(str(tmp_path), "packets").write(ID, "# Packet", TWIN)
    assert (tmp_path / path).read_text() == "# Packet"
    assert len(list((tmp_path / "packets").iterdir())) == 2


@pytest.mark.parametrize("in_git", [True, False])
def test_everything_a_handoff_writes_is_its_owners_alone(tmp_path: Path, in_git: bool) -> None:
    """Also where the user's mask would let everybody in. What is below a private directory is private."""
    mask = os.umask(0)
    try:
        store = open_sqlite(str(tmp_path / "baton" / "baton.db"))
        doing = Doing(store, tmp_path)
        home = tmp_path / "baton-home"
        root = doing.root
        if not in_git:
            root = tmp_path / "plain"
            root.mkdir()
            (root / "a.txt").write_text("a")
        given = replace(kit(root, home), redactor=lambda _: open_redactor(str(root), {}, [], str(home / "cache")))
        doing.runtime = handing.runtime(store, handing.TellingModel(handing.Fuse("-")), given)
        doing.now()
        store.close()
    finally:
        os.umask(mask)
    assert (home / "checkpoints").exists() is not in_git
    assert list((home / "cache").iterdir())
    for top in (root / ".baton", home, tmp_path / "baton"):
        assert [path for path in _reachable(top) if path.lstat().st_mode & 0o077] == []


def _reachable(top: Path) -> Iterator[Path]:
    """What somebody else could come to: nothing below a directory that only its owner may enter."""
    yield top
    if top.is_dir() and top.stat().st_mode & 0o077:
        for path in top.iterdir():
            yield from _reachable(path)
    elif top.is_dir():
        yield from (path for path in top.rglob("*") if path.suffix in (".md", ".json", ".hs", ".db"))
