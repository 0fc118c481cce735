"""Disks that are full or cannot be written, and who may read what is on them."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from baton.adapters.stores.sqlite.open import open_sqlite
from baton.adapters.stores.sqlite.repair import repair
from baton.core.log.entry import NewEntry
from baton.ports.store import Store

ROOT = Path(__file__).resolve().parents[2]

FILL = """
import json, sys
from baton.adapters.stores.sqlite.open import open_sqlite
from baton.core.log.entry import NewEntry
from baton.core.errors import StoreFull
store = open_sqlite(sys.argv[1])
conversation, session = store.conversations.start("Full")
proof = store.conversations.claim(conversation.id, "me", 600)
acknowledged, code, again = 0, "", ""
try:
    while True:
        store.entries.append(proof, session.id, [NewEntry("user", {"text": f"{acknowledged} " + "x" * 5000})])
        acknowledged += 1
except StoreFull as full:
    code = full.code
try:
    store.packets.add(session.id, "x" * 500_000, {})
except StoreFull as full:
    again = full.code
there = len(store.entries.load(session.id))
"""
REPORT = """
print(json.dumps({"acknowledged": acknowledged, "code": code, "again": again, "there": there, "session": session.id}))
"""
ROOM_RETURNS = """
import os, subprocess
from baton.adapters.stores.sqlite.repair import repair
def code_of(act, *given):
    try:
        act(*given)
    except StoreFull as full:
        return full.code
store.close()
filler = os.open(os.path.join(os.path.dirname(sys.argv[1]), "filler"), os.O_CREAT | os.O_WRONLY)
try:
    while os.write(filler, b"x" * 4096):
        pass
except OSError:
    os.close(filler)
def write(path):
    store = open_sqlite(path)
    try:
        store.conversations.start("No room")
    finally:
        store.close()
written = code_of(write, sys.argv[1])
with open(sys.argv[1], "r+b") as file:
    kept = file.read(100)
    file.seek(0)
    file.write(b"\\xff" * 100)
names = sorted(os.listdir(os.path.dirname(sys.argv[1])))
repaired = code_of(repair, sys.argv[1])
left = sorted(set(os.listdir(os.path.dirname(sys.argv[1]))) - set(names) - {"baton.db-shm"})
with open(sys.argv[1], "r+b") as file:
    file.write(kept)
os.unlink(os.path.join(os.path.dirname(sys.argv[1]), "filler"))
subprocess.run(["mount", "-o", "remount,size=16m", sys.argv[2]], check=True)
store = open_sqlite(sys.argv[1])
proof = store.conversations.claim(conversation.id, "me", 600)
store.entries.append(proof, session.id, [NewEntry("user", {"text": "room again"})])
there_after = len(store.entries.load(session.id))
levels = [finding.level for finding in store.upkeep.check()]
store.close()
print(json.dumps({"acknowledged": acknowledged, "code": code, "again": again, "there": there, "written": written,
                  "repaired": repaired, "left": left, "there_after": there_after, "levels": levels}))
"""
READ_ONLY = """
import json, os, sys
from baton.adapters.stores.sqlite.open import open_sqlite
from baton.adapters.stores.sqlite.repair import repair
from baton.core.errors import StoreReadOnly
def write(path):
    open_sqlite(path).conversations.start("new")
codes = {}
for name, act, path in (
    ("read", lambda path: open_sqlite(path).conversations.page(1), sys.argv[1]),
    ("written", write, sys.argv[1]),
    ("new", open_sqlite, os.path.join(os.path.dirname(sys.argv[1]), "new.db")),
    ("whole already", repair, sys.argv[1]),
):
    try:
        act(path)
    except StoreReadOnly as error:
        codes[name] = error.code
print(json.dumps(codes))
"""


def run(code: str, *given: object, within: str = "", prefix: tuple[str, ...] = ()) -> dict[str, Any]:
    """What a Python process says; `within` is a shell line that prepares its own view of the file system."""
    python = [sys.executable, "-W", "error", "-c", code, *map(str, given)]
    command = ["unshare", "-m", "sh", "-c", f'{within} && exec "$@"', "sh", *python] if within else [*prefix, *python]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def require(*command: str) -> None:
    try:
        tried = subprocess.run(command, capture_output=True, text=True)
        reason = tried.stderr.strip() if tried.returncode else ""
    except OSError as error:
        reason = str(error)
    if reason:
        pytest.skip(f"not permitted here: {' '.join(command)}: {reason}")


def test_a_full_disk_undoes_one_write_and_everything_works_again_with_room(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    require("unshare", "-m", "mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", str(disk))
    mount = f"mount -t tmpfs -o size=3m tmpfs {disk}"
    said = run(FILL + ROOM_RETURNS, disk / "baton.db", disk, within=mount)
    acknowledged = said.pop("acknowledged")
    assert acknowledged > 50
    assert said == {
        "code": "store-full",
        "again": "store-full",
        "there": acknowledged,
        "written": "store-full",
        "repaired": "store-full",
        "left": [],
        "there_after": acknowledged + 1,
        "levels": ["ok"],
    }


def test_a_limit_on_the_size_of_files_is_a_full_disk_too(tmp_path: Path) -> None:
    require("prlimit", "--fsize=1000000", "true")
    path = tmp_path / "store" / "baton.db"
    said = run(FILL + REPORT, path, prefix=("prlimit", "--fsize=1000000"))
    assert said["acknowledged"] > 10
    assert (said["code"], said["again"], said["there"]) == ("store-full", "store-full", said["acknowledged"])
    with closing(open_sqlite(str(path))) as store:
        assert len(store.entries.load(said["session"])) == said["acknowledged"]
        store.conversations.start("Room again")
        assert [finding.level for finding in store.upkeep.check()] == ["ok"]


def test_a_directory_that_cannot_be_written_can_be_read_and_refuses_the_rest_in_words(tmp_path: Path) -> None:
    path = tmp_path / "store" / "baton.db"
    open_sqlite(str(path)).close()
    require("unshare", "-m", "mount", "--bind", "-o", "ro", str(path.parent), str(path.parent))
    bind = f"mount --bind {path.parent} {path.parent} && mount -o remount,bind,ro {path.parent}"
    codes = run(READ_ONLY, path, within=bind)
    assert codes == dict.fromkeys(("written", "new"), "store-read-only")


@pytest.fixture
def no_umask() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


def modes(directory: Path) -> dict[str, str]:
    found = {directory: directory.stat(), **{path: path.stat() for path in directory.rglob("*")}}
    return {str(path.relative_to(directory.parent)): oct(stat.S_IMODE(each.st_mode)) for path, each in found.items()}


def use(store: Store) -> str:
    conversation, session = store.conversations.start("Private")
    proof = store.conversations.claim(conversation.id, "me", 60)
    store.entries.append(proof, session.id, [NewEntry("user", {"text": "findable"})])
    assert store.search.find("findable")
    return session.id


def assert_private(directory: Path, *expected: str) -> None:
    found = modes(directory)
    assert {name.partition("/")[2] for name in found} >= set(expected)
    directories = {name for name in found if (directory.parent / name).is_dir()}
    assert found == {name: "0o700" if name in directories else "0o600" for name in found}


@pytest.mark.usefixtures("no_umask")
def test_every_file_is_private_whatever_the_umask_allows(tmp_path: Path) -> None:
    top = tmp_path / "made"
    path = top / "deep" / "baton.db"
    with closing(open_sqlite(str(path))) as store:
        use(store)
        store.upkeep.backup(str(path.parent / "backup.db"))
        side = [f"deep/baton.db.d/{name}" for name in ("queue", "wake-log", "wake-work", "search.db", "search.db-wal")]
        assert_private(top, "deep/baton.db", "deep/baton.db-wal", "deep/baton.db-shm", "deep/backup.db", *side)
    path.write_bytes(b"\xff" * 100 + path.read_bytes()[100:])
    done = repair(str(path))
    assert done.quarantine is not None
    assert_private(top, "deep/baton.db", str(Path(done.quarantine).relative_to(top)))


def test_a_database_that_others_could_read_is_tightened(tmp_path: Path) -> None:
    path = tmp_path / "store" / "baton.db"
    with closing(open_sqlite(str(path))) as store:
        use(store)
    path.chmod(0o644)
    (tmp_path / "store" / "baton.db.d").chmod(0o755)
    with closing(open_sqlite(str(path))) as store:
        use(store)
        assert_private(tmp_path / "store", "baton.db", "baton.db-wal", "baton.db-shm")
