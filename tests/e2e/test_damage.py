"""Damage is never silent: it is noticed when the store is opened, read or checked, and repaired with little loss."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from baton.adapters.stores.sqlite.open import open_sqlite
from baton.adapters.stores.sqlite.repair import Repair, repair
from baton.core.errors import LogMissing, NotFound, StoreDamaged, StoreError
from baton.testing.clock import FrozenClock
from tests.support.stocked import Stocked, entries_of, everything

FLIPS = int(os.environ.get("BATON_TEST_FLIPS", "50"))
WIDTH = 64
PAGE = 4096
ROOT = Path(__file__).resolve().parents[2]
WRITER = """
import sys
from baton.adapters.stores.sqlite.open import open_sqlite
from baton.core.log.entry import NewEntry
store = open_sqlite(sys.argv[1])
conversation, session = store.conversations.start("Killed")
store.close()
store = open_sqlite(sys.argv[1])
proof = store.conversations.claim(conversation.id, "writer", 60)
print(session.id, flush=True)
for number in range(10_000):
    store.entries.append(proof, session.id, [NewEntry("user", {"text": f"entry {number} " + "x" * 500})])
    print(number, flush=True)
"""


@pytest.fixture(scope="module")
def scratch() -> Iterator[Path]:
    """In memory where that can be had: these tests are about bytes, not about the disk's speed."""
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    directory = Path(tempfile.mkdtemp(prefix="baton-damage-", dir=memory))
    yield directory
    shutil.rmtree(directory)


@pytest.fixture(scope="module")
def stocked(scratch: Path) -> Stocked:
    return Stocked(scratch)


@dataclass
class Tally:
    noticed: Counter[str] = field(default_factory=Counter[str])
    entries: int = 0
    survived: int = 0


def flipped(data: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(len(data) - WIDTH)
    return data[:at] + chance.randbytes(WIDTH) + data[at + WIDTH :]


def noticed(path: Path, stocked: Stocked) -> str:
    """When the damage shows, or "harmless" if everything can still be seen as it was.

    Reading may also stumble over damage without calling it so (a row that its index does not know); then the check must
    find it.
    """
    stage, same = "open", False
    try:
        with closing(open_sqlite(str(path), clock=FrozenClock())) as store:
            stage = "read"
            with suppress(NotFound, AttributeError):
                same = everything(store) == stocked.everything
            stage = "check"
            found = [finding for finding in store.upkeep.check() if finding.level == "error"]
    except StoreError:
        return stage
    return "check" if found else "harmless" if same else "never"


def mend(path: Path) -> tuple[Repair, set[str], set[tuple[str, int, int]]]:
    """What came back, after a repair that left the store clean and a copy of what it found."""
    before = path.read_bytes()
    done = repair(str(path), clock=FrozenClock())
    assert done.quarantine is not None
    assert Path(done.quarantine).read_bytes() == before
    with closing(open_sqlite(str(path), clock=FrozenClock())) as store:
        assert [finding.level for finding in store.upkeep.check()] == ["ok"]
        return done, set(store.upkeep.ids()), entries_of(store)


@pytest.mark.timeout(600)
def test_64_random_bytes_anywhere_are_harmless_or_noticed_and_repaired(scratch: Path, stocked: Stocked) -> None:
    tally = Tally()
    for seed in range(FLIPS):
        path = stocked.copy(scratch / "flipped")
        path.write_bytes(flipped(stocked.data, random.Random(seed)))
        stage = noticed(path, stocked)
        tally.noticed[stage] += 1
        assert stage != "never", f"seed {seed}: the damage was not noticed"
        if stage != "harmless":
            _, ids, entries = mend(path)
            assert ids >= stocked.ids, f"seed {seed}: a conversation is gone"
            tally.entries += len(stocked.entries)
            tally.survived += len(entries & stocked.entries)
        shutil.rmtree(path.parent)
    print(f"{tally.noticed}, {tally.survived / tally.entries:.4%} of all entries survived")
    assert tally.survived >= 0.99 * tally.entries
    assert tally.noticed["harmless"] < FLIPS / 2


@pytest.mark.parametrize(
    ("left", "kept"),
    [
        pytest.param(lambda size: size - PAGE, 0.95, id="all-but-a-page"),
        pytest.param(lambda size: size - 1, 0.95, id="all-but-a-byte"),
        pytest.param(lambda size: size // 2, 0.3, id="half"),
        pytest.param(lambda size: 50, 0.0, id="50-bytes"),
        pytest.param(lambda size: 0, 0.0, id="nothing"),
    ],
)
def test_a_file_that_was_cut_is_noticed_and_what_is_left_comes_back(
    tmp_path: Path, stocked: Stocked, left, kept
) -> None:
    path = stocked.copy(tmp_path / "cut")
    os.truncate(path, left(stocked.size))
    with pytest.raises(StoreDamaged) as caught:
        open_sqlite(str(path))
    assert "baton doctor --repair" in str(caught.value)
    done, _, entries = mend(path)
    assert len(entries & stocked.entries) >= kept * len(stocked.entries)
    assert done.entries_kept == len(entries & stocked.entries)


def test_a_file_that_is_gone_does_not_become_an_empty_store(tmp_path: Path, stocked: Stocked) -> None:
    path = stocked.copy(tmp_path / "gone")
    os.unlink(path)
    with pytest.raises(StoreDamaged, match="empty or gone"):
        open_sqlite(str(path))
    assert not path.exists()


def killed_writer(path: Path, acknowledged: int) -> str:
    """Leaves a database with its log, as `kill -9` in the middle of writing does; says which session was written."""
    with subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True, cwd=ROOT
    ) as writer:
        assert writer.stdout is not None
        session_id = writer.stdout.readline().strip()
        while int(writer.stdout.readline()) < acknowledged - 1:
            pass
        os.kill(writer.pid, signal.SIGKILL)
    assert (path.parent / "baton.db-wal").stat().st_size > 0
    return session_id


def count(path: Path, session_id: str) -> int:
    """How many entries there are; they must be the first ones, in order."""
    with closing(open_sqlite(str(path))) as store:
        texts = [entry.text.split()[1] for entry in store.entries.load(session_id)]
    assert texts == [str(number) for number in range(len(texts))]
    return len(texts)


def test_a_log_deleted_after_a_kill_is_explained_and_accepted_by_a_repair(tmp_path: Path) -> None:
    path = tmp_path / "store" / "baton.db"
    session_id = killed_writer(path, 20)
    os.unlink(f"{path}-wal")
    with pytest.raises(LogMissing) as caught:
        open_sqlite(str(path))
    what, kept, todo = caught.value.parts()
    assert what.startswith(f"The write-ahead log of {path} is gone, and with it the last writes: entry ")
    assert kept == "What had been moved from the log into the database before is there."
    assert f"Put the file {path}-wal back if you moved it" in todo
    done, _, entries = mend(path)
    assert done.entries_lost >= 20
    assert session_id in done.sentences[0]
    assert (count(path, session_id), len(entries)) == (0, 0)


def test_a_log_put_back_is_all_that_is_needed(tmp_path: Path) -> None:
    path = tmp_path / "store" / "baton.db"
    session_id = killed_writer(path, 20)
    os.rename(f"{path}-wal", tmp_path / "elsewhere")
    with pytest.raises(LogMissing):
        open_sqlite(str(path))
    for made in ("-wal", "-shm"):
        Path(f"{path}{made}").unlink(missing_ok=True)
    os.rename(tmp_path / "elsewhere", f"{path}-wal")
    assert count(path, session_id) >= 20


@pytest.mark.parametrize("part", [0.02, 0.3, 0.55, 0.8, 0.999])
def test_a_log_cut_short_is_explained_and_what_is_left_is_consistent(tmp_path: Path, part: float) -> None:
    path = tmp_path / "store" / "baton.db"
    session_id = killed_writer(path, 30)
    os.truncate(f"{path}-wal", int(os.path.getsize(f"{path}-wal") * part))
    try:
        assert count(path, session_id) >= 30
    except LogMissing:
        done, _, entries = mend(path)
        assert done.quarantine is not None
        assert count(path, session_id) == len(entries)


@pytest.mark.timeout(300)
@pytest.mark.parametrize(("kind", "at_least"), [("moments", 20), ("steps", 15)])
def test_a_killed_repair_is_finished_by_the_next(scratch: Path, kind: str, at_least: int) -> None:
    directory = scratch / f"killed-{kind}"
    directory.mkdir()
    path = Stocked(directory, 8).copy(directory / "damaged")
    data = bytearray(path.read_bytes())
    data[:100] = b"\xff" * 100
    path.write_bytes(data)
    command = [sys.executable, "-W", "error", "-m", "tests.support.killed_repairs", kind, path.parent, directory]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert int(run.stdout) >= at_least
