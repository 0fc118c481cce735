"""What each step of a message costs on PostgreSQL: the figures behind docs/explanation/scale.md.

`python -m bench.postgres_units [--postgres URL] [--conversations N]` fills a schema of its own, measures one step at a
time and eight clients at once, with the wake-up of other gateways and without, and prints a table.
"""

from __future__ import annotations

import argparse
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import closing

from baton.adapters.stores.open import open_store
from baton.core.log.entry import NewEntry
from baton.core.transfer.place import Place
from baton.ports.store import Store
from bench import server
from bench.bed import postgres_ground
from bench.progress import say

ROUNDS = 300
CLIENTS = 8
SECONDS = 3.0
OWNER = "bench"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.postgres_units", description=__doc__)
    parser.add_argument("--postgres", default=server.AUTO, metavar="URL|auto")
    parser.add_argument("--conversations", type=int, default=20_000)
    options = parser.parse_args(arguments)
    with server.postgres(options.postgres) as url:
        assert url is not None, "there is no PostgreSQL"
        with postgres_ground(url) as ground, closing(ground.open()) as store:
            say(f"filling in {options.conversations} bound conversations")
            ids = _fill(store, options.conversations)
            for name, milliseconds in _alone(store, ids):
                print(f"{name:<52}{milliseconds:8.2f} ms")
            for name, per_second in _together(ground.url, ids):
                print(f"{name:<52}{per_second:8.0f} /s")


def _fill(store: Store, count: int) -> list[str]:
    ids: list[str] = []
    for number in range(count):
        conversation, _ = store.conversations.start(f"conversation {number}")
        store.bindings.bind(Place("telegram", str(number)), conversation.id)
        ids.append(conversation.id)
    return ids


def _alone(store: Store, ids: list[str]) -> list[tuple[str, float]]:
    """Wall milliseconds of one step, one after the other."""
    since = time.time_ns() // 1000
    head = store.conversations.get(ids[0]).head_id
    said = [NewEntry("user", {"text": "When does the tide turn?"})]
    numbers = iter(range(1_000_000))
    proof = store.conversations.claim(ids[0], OWNER, 600)
    found = [
        ("append an entry (wakes)", _time(lambda: store.entries.append(proof, head, said))),
        ("renew a lease", _time(lambda: store.conversations.renew(proof, 600))),
        ("look for jobs, none there", _time(lambda: store.inbox.is_due(["telegram"]))),
        ("take, nothing there", _time(lambda: store.inbox.take(["telegram"], OWNER, 60))),
        ("what changed lately, nothing", _time(lambda: store.bindings.list_conversations(["telegram"], since * 2))),
        ("what changed lately, a page of 200", _time(lambda: store.bindings.list_conversations(["telegram"], 0))),
        ("all with an owner, of all conversations", _time(lambda: _owned(store), 5)),
        ("put a message (wakes)", _time(lambda: store.inbox.put(*_message(next(numbers))))),
        (f"look for jobs, {ROUNDS} places wait", _time(lambda: store.inbox.is_due(["telegram"]))),
        (f"take and settle, {ROUNDS} places wait", _time(lambda: _take(store), ROUNDS)),
    ]
    store.conversations.release(proof)
    return found


def _owned(store: Store) -> None:
    store.bindings.list_conversations(["telegram"], 0, owned=True)


def _message(number: int) -> tuple[str, Place, dict[str, str]]:
    return f"m{number}", Place("telegram", str(number)), {"text": "hi"}


def _take(store: Store) -> None:
    taken = store.inbox.take(["telegram"], OWNER, 60)
    if taken:
        store.inbox.settle(taken[1], "done")


def _time(act: Callable[[], object], rounds: int = ROUNDS) -> float:
    act()
    began = time.perf_counter()
    for _ in range(rounds):
        act()
    return (time.perf_counter() - began) / rounds * 1e3


def _together(url: str, ids: list[str]) -> list[tuple[str, float]]:
    """Commits a second of several clients, each on conversations of its own."""

    def renewing(store: Store, client: int) -> Callable[[], object]:
        proof = store.conversations.claim(ids[client + 1], OWNER, 600)
        return lambda: store.conversations.renew(proof, 600)

    def appending(store: Store, client: int) -> Callable[[], object]:
        proof = store.conversations.claim(ids[client + 100], OWNER, 600)
        head = store.conversations.get(ids[client + 100]).head_id
        return lambda: store.entries.append(proof, head, [NewEntry("user", {"text": "hi"})])

    return [
        (f"commits that wake nobody, {CLIENTS} clients", _race(url, renewing)),
        (f"commits that wake (NOTIFY), {CLIENTS} clients", _race(url, appending)),
    ]


def _race(url: str, make: Callable[[Store, int], Callable[[], object]]) -> float:
    counts = [0] * CLIENTS
    end = time.monotonic() + SECONDS

    def run(client: int) -> None:
        with closing(open_store(url, busy_timeout=30, backup_dir=".")) as store:
            act = make(store, client)
            while time.monotonic() < end:
                act()
                counts[client] += 1

    threads = [threading.Thread(target=run, args=(client,)) for client in range(CLIENTS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(counts) / SECONDS


if __name__ == "__main__":
    main()
