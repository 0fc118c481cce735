"""A database that others hold: waits are bounded, errors name the holder, nothing leaks, nothing is replaced."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from baton.adapters.stores.sqlite.exclusive import exclusive_turn
from baton.adapters.stores.sqlite.files import Files
from baton.adapters.stores.sqlite.open import open_sqlite
from baton.adapters.stores.sqlite.repair import repair
from baton.core.errors import StoreBusy, StoreDamaged
from baton.core.log.entry import NewEntry
from baton.ports.store import Store
from tests.support.patience import PATIENCE

ROOT = Path(__file__).resolve().parents[2]
TIMEOUT = 0.5
BOUND = 5.0
REPEATS = 20

RAW_WRITER = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("BEGIN IMMEDIATE")
print("held", flush=True)
sys.stdin.readline()
connection.execute("COMMIT")
connection.close()
"""
QUEUE_HOLDER = """
import sys
from baton.adapters.stores.sqlite.queue import WriterQueue
queue = WriterQueue(sys.argv[1] + ".d/queue")
assert queue.enter(5)
print("held", flush=True)
sys.stdin.readline()
queue.leave()
queue.close()
"""
OPEN_AND_IDLE = """
import sys
from baton.adapters.stores.sqlite.open import open_sqlite
store = open_sqlite(sys.argv[1])
print("held", flush=True)
sys.stdin.readline()
store.close()
"""
OPENER = """
import sys
from baton.adapters.stores.sqlite.open import open_sqlite
from baton.core.errors import StoreBusy
try:
    open_sqlite(sys.argv[1], busy_timeout=0.3).close()
except StoreBusy as busy:
    print(busy.code)
"""


@contextmanager
def process(code: str, path: Path) -> Iterator[subprocess.Popen[str]]:
    """A process that holds something from here on until it is told to end."""
    pipe = subprocess.PIPE
    command = [sys.executable, "-W", "error", "-c", code, str(path)]
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, cwd=ROOT) as held:
        assert held.stdout is not None
        assert held.stdout.readline() == "held\n"
        try:
            yield held
        finally:
            if held.poll() is None:
                os.kill(held.pid, signal.SIGCONT)
            end(held)
    assert held.returncode == 0


def end(held: subprocess.Popen[str]) -> None:
    if held.stdin is not None and not held.stdin.closed:
        held.stdin.close()
    held.wait(PATIENCE)


def append(store: Store) -> None:
    conversation, session = store.conversations.start("Locked")
    proof = store.conversations.claim(conversation.id, "me", 60)
    store.entries.append(proof, session.id, [NewEntry("user", {"text": "written"})])


def busy(store: Store) -> StoreBusy:
    start = time.monotonic()
    with pytest.raises(StoreBusy) as caught:
        append(store)
    assert time.monotonic() - start < BOUND
    return caught.value


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "store" / "baton.db"
    with closing(open_sqlite(str(path))) as store:
        append(store)
    return path


def test_a_writer_that_does_not_queue_is_waited_for_a_bounded_time(path: Path) -> None:
    with closing(open_sqlite(str(path), busy_timeout=TIMEOUT)) as store:
        with process(RAW_WRITER, path) as held:
            assert "Nothing was written" in str(busy(store))
            assert store.conversations.count() == 1, "reading waits for nobody"
            end(held)
            append(store)
        assert store.conversations.count() == 2


def test_a_stopped_writer_is_named_and_waiting_for_it_leaks_nothing(path: Path) -> None:
    with closing(open_sqlite(str(path), busy_timeout=TIMEOUT / 5)) as store, process(QUEUE_HOLDER, path) as held:
        os.kill(held.pid, signal.SIGSTOP)
        assert f"another process ({held.pid})" in str(busy(store))
        threads, files = threading.active_count(), len(os.listdir("/proc/self/fd"))
        for _ in range(REPEATS):
            busy(store)
        assert (threading.active_count(), len(os.listdir("/proc/self/fd"))) == (threads, files)
        os.kill(held.pid, signal.SIGCONT)
        end(held)
        append(store)
        assert store.conversations.count() == 2
        settle(threads)


def settle(threads: int) -> None:
    """The thread that waited in the queue ends once its turn came."""
    limit = time.monotonic() + PATIENCE
    while threading.active_count() > threads and time.monotonic() < limit:
        time.sleep(0.01)
    assert threading.active_count() <= threads


def test_a_place_in_the_queue_is_kept_from_one_attempt_to_the_next(path: Path) -> None:
    with closing(open_sqlite(str(path), busy_timeout=TIMEOUT / 5)) as store, process(QUEUE_HOLDER, path) as held:
        busy(store)
        end(held)
        time.sleep(TIMEOUT)
        for _ in range(3):
            append(store)
        assert store.conversations.count() == 4


def damage(path: Path) -> bytes:
    path.write_bytes(path.read_bytes().replace(b"written", b"\xff\xff\xff\xff\xff\xff\xff"))
    return path.read_bytes()


@pytest.mark.parametrize(("holder", "named"), [(QUEUE_HOLDER, "({pid})"), (OPEN_AND_IDLE, "which has it open")])
def test_a_repair_waits_for_others_and_touches_nothing_while_they_are_there(
    path: Path, holder: str, named: str
) -> None:
    damaged = damage(path)
    with process(holder, path) as held:
        with pytest.raises(StoreBusy) as caught:
            repair(str(path), busy_timeout=TIMEOUT)
        assert named.format(pid=held.pid) in str(caught.value)
        assert path.read_bytes() == damaged
        assert not list(path.parent.glob("*.damaged-*"))
    assert repair(str(path), busy_timeout=TIMEOUT).entries_lost == 1


def test_while_a_database_is_replaced_nobody_can_open_it(path: Path) -> None:
    """SQLite itself waits for ten seconds here."""
    command = [sys.executable, "-W", "error", "-c", OPENER, str(path)]
    with exclusive_turn(Files(str(path)), TIMEOUT):
        refused = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert (refused.returncode, refused.stdout) == (0, "store-busy\n"), refused.stderr
    assert subprocess.run(command, cwd=ROOT, capture_output=True, text=True).stdout == ""


def test_a_database_can_be_read_while_it_is_damaged_and_in_use(path: Path) -> None:
    with process(OPEN_AND_IDLE, path):
        damage(path)
        with closing(open_sqlite(str(path), busy_timeout=TIMEOUT)) as store:
            (row,) = store.conversations.page().rows
            with pytest.raises(StoreDamaged):
                store.entries.load(row.conversation.head_id)
