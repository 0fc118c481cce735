"""A waiter in one process, a writer in another."""

from __future__ import annotations

import subprocess
import sys
import time

from baton.ports.store import LOG, WORK, Store
from tests.contract.store.kit import begin

WRITER = """
import sys, time
from baton.adapters.stores.postgres.open import open_postgres
from baton.core.log.entry import NewEntry
from baton.core.log.lease import Ownership
url, conversation, session, epoch = sys.argv[1:]
store = open_postgres(url)
proof = Ownership("conversation", conversation, "alice", int(epoch))
print("ready", flush=True)
for line in sys.stdin:
    store.entries.append(proof, session, [NewEntry("user", {"text": line})])
    print(time.monotonic(), flush=True)
store.close()
"""


def test_a_write_in_another_process_wakes_at_once_and_only_its_topic(store: Store, url: str) -> None:
    work = begin(store)
    log, other = store.waiter(LOG), store.waiter(WORK)
    command = [sys.executable, "-c", WRITER, url, work.id, work.head.id, str(work.proof.epoch)]
    try:
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as writer:
            assert writer.stdin is not None
            assert writer.stdout is not None
            assert writer.stdout.readline() == "ready\n"
            for number in range(10):
                writer.stdin.write(f"{number}\n")
                writer.stdin.flush()
                assert log.wait(10) is True
                woken = time.monotonic()
                assert woken - float(writer.stdout.readline()) < 1
            assert other.wait(0) is False
            writer.stdin.close()
    finally:
        log.close()
        other.close()
    assert len(store.entries.load(work.head.id)) == 10
