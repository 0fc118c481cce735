"""Times Hermes Agent from inside its own environment and prints one JSON object; progress goes to standard error.

    python -m bench.peers.hermes_probe --home DIR [--messages N] [--sessions N] …

Only the standard library, `bench.texts`, `hermes_turn` and Hermes are imported, Hermes where it is used, so that
`Sizes` can be read without it. Every operation is Hermes's own call with Hermes's own settings, and its answer is
checked. Where there is a choice it is made in Hermes's favour: its search index is merged before it is searched, and
its update check finds a fresh answer instead of asking the network.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import dataclasses
import functools
import importlib.metadata
import inspect
import json
import math
import multiprocessing
import os
import platform
import sqlite3
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from bench import texts
from bench.peers import hermes_turn

Figures = dict[str, float]

SHOWN = 20
LONG_SOURCE = "telegram"
LISTED = 50
IMPORT_SESSIONS = 250
GATE_SECONDS = 120
WATCHER_STARTS_AFTER = 5.5
NOT_HERMES = ("pip", "setuptools", "pkg_resources", "_distutils_hack")


@dataclasses.dataclass(frozen=True, slots=True)
class Sizes:
    """How much is put in and how often each operation is timed."""

    messages: int = 100_000
    sessions: int = 10_000
    long_session: int = 10_000
    message_bytes: int = 500
    appends: int = 500
    loads: int = 9
    lists: int = 30
    searches: int = 15
    handoffs: int = 100
    wake_ups: int = 20
    writers: int = 8
    writer_appends: int = 300
    starts: int = 11

    def __post_init__(self) -> None:
        if self.long_session > self.messages or self.sessions < 2:
            raise ValueError("long_session must fit into messages, and sessions must leave room for a short one")

    @classmethod
    def known(cls, sizes: Mapping[str, int]) -> Sizes:
        """Those of `sizes` that are fields here, over the defaults."""
        names = [field.name for field in dataclasses.fields(cls)]
        return cls(**{name: sizes[name] for name in names if name in sizes})

    def as_arguments(self) -> list[str]:
        return [f"--{name.replace('_', '-')}={value}" for name, value in dataclasses.asdict(self).items()]


def main() -> None:
    parser = argparse.ArgumentParser(description="Times Hermes Agent; prints one JSON object.")
    parser.add_argument("--home", type=Path, required=True, help="an empty folder, used as HERMES_HOME")
    for field in dataclasses.fields(Sizes):
        parser.add_argument(f"--{field.name.replace('_', '-')}", type=int, default=field.default)
    given = vars(parser.parse_args())
    home = given.pop("home").resolve()
    settle(home)
    with contextlib.redirect_stdout(sys.stderr):
        figures = probe(home, Sizes(**given))
    print(json.dumps(figures, indent=2))


def settle(home: Path) -> None:
    """Makes `home` Hermes's home for this process and its children, without installs at run time."""
    os.environ.update(HERMES_HOME=str(home), HERMES_DISABLE_LAZY_INSTALLS="1")
    os.chdir(home)
    furnish(home)


def furnish(home: Path) -> None:
    """A home whose configuration forbids installs and whose update check was done just now."""
    home.mkdir(exist_ok=True)
    (home / "config.yaml").write_text("security:\n  allow_lazy_installs: false\n")
    checked = {"ts": time.time(), "behind": 0, "rev": None, "ver": importlib.metadata.version("hermes-agent")}
    (home / ".update_check").write_text(json.dumps(checked))


def probe(home: Path, sizes: Sizes) -> dict[str, Any]:
    """All figures. Keys of `milliseconds` hold what `summary` gives, some with more beside it."""
    filled = home / "state.db"
    text_bytes = fill(filled, sizes)
    database_bytes = filled.stat().st_size
    times: dict[str, Any] = {"append_fresh": append_fresh(home / "fresh.db", sizes)}
    times |= filled_store(filled, sizes)
    times |= starts(home, sizes)
    contention = writers(home / "shared.db", sizes)
    times["wake_up"] = asyncio.run(wake_up(filled, sizes))
    say("turns on a model server that answers at once")
    times["turn"] = summary(*hermes_turn.measure(home))
    return {
        "peer": "hermes-agent",
        "versions": versions(),
        "settings": settings(filled),
        "sizes": dataclasses.asdict(sizes),
        "milliseconds": times,
        "writers": contention,
        "bytes": {"text": text_bytes, "database": database_bytes, "installed": installed_bytes()},
    }


def fill(path: Path, sizes: Sizes) -> int:
    """Fills a new store by Hermes's own bulk calls and closes it; returns the bytes of text put in."""
    db = open_store(path)
    db.create_session("long", LONG_SOURCE)
    db.replace_messages("long", conversation(0, sizes.long_session, sizes))
    for batch in batches(list(short_sessions(sizes)), IMPORT_SESSIONS):
        payload = [{**session, "messages": conversation(*session["messages"], sizes)} for session in batch]
        done = db.import_sessions(payload)
        expect(done["ok"], True, f"import of {len(payload)} sessions: {done['errors'][:1]}")
        say(f"filled {db.message_count()} of {sizes.messages} messages")
    expect(db.message_count(), sizes.messages, "messages after filling")
    db.close()
    return sum(len(texts.message(i, sizes.message_bytes)) for i in range(sizes.messages))


def short_sessions(sizes: Sizes) -> Iterator[dict[str, Any]]:
    """Every session but the long one, with its share of the other messages as a (first, end) pair."""
    count = sizes.sessions - 1
    rest = sizes.messages - sizes.long_session
    for j in range(count):
        share = (sizes.long_session + rest * j // count, sizes.long_session + rest * (j + 1) // count)
        yield {"id": f"s{j:06}", "source": "cli", "title": f"Session {j}", "started_at": 1.78e9 + j, "messages": share}


def conversation(first: int, end: int, sizes: Sizes) -> list[dict[str, Any]]:
    """Messages `first` … `end - 1`, user and assistant by turns."""
    return [
        {"role": ("user", "assistant")[(i - first) % 2], "content": texts.message(i, sizes.message_bytes)}
        for i in range(first, end)
    ]


def append_fresh(path: Path, sizes: Sizes) -> Figures:
    db = open_store(path)
    db.create_session("fresh", "cli")
    figures = append(db, "fresh", sizes)
    db.close()
    return figures


def append(db: Any, session: str, sizes: Sizes) -> Figures:
    """One message per call, each in its own durable transaction."""
    say(f"appending {sizes.appends} messages to {session}")
    before = db.message_count()
    contents = [texts.message(sizes.messages + i, sizes.message_bytes) for i in range(sizes.appends)]
    figures = timed(functools.partial(db.append_message, session, "user", content) for content in contents)
    expect(db.message_count() - before, sizes.appends, "messages appended")
    return figures


def filled_store(path: Path, sizes: Sizes) -> dict[str, Figures]:
    """The operations whose cost depends on how much is stored."""
    db = open_store(path)
    say("merging its search index")
    figures = {"merge_search_index": timed([db.optimize_fts])}
    say("loading, listing, searching")
    load = functools.partial(db.get_messages_as_conversation, "long")
    expect(len(load()), sizes.long_session, "messages loaded")
    figures["load_long_session"] = timed([load] * sizes.loads)
    listing = functools.partial(db.list_sessions_rich, limit=LISTED)
    expect(len(listing()), min(LISTED, sizes.sessions), "sessions listed")
    figures["list_50"] = timed([listing] * sizes.lists)
    figures["search_word"] = search(db, sizes, texts.rare_hits(sizes.messages))
    in_long = texts.rare_hits(sizes.long_session)
    figures["search_word_in_long_session"] = search(db, sizes, in_long, source_filter=[LONG_SOURCE])
    figures["append_filled"] = append(db, "long", sizes)
    figures |= handoffs(db, sizes)
    db.close()
    return figures


def search(db: Any, sizes: Sizes, hits: int, **narrowed: Any) -> Figures:
    """One word with a known number of hits, the best `SHOWN` of them returned.

    Hermes fetches each shown hit's neighbours by reading its whole session, so where the hits lie matters more than how
    many there are: the same search is timed over all sessions, nearly all short, and over the long one.
    """
    look_for = functools.partial(db.search_messages, texts.RARE_WORD, **narrowed)
    expect(len(look_for(limit=2 * hits)), hits, "hits of the rare word")
    look = functools.partial(look_for, limit=SHOWN)
    expect(len(look()), min(SHOWN, hits), "hits shown")
    return {**timed([look] * sizes.searches), "hits": hits}


def handoffs(db: Any, sizes: Sizes) -> dict[str, Figures]:
    """A handoff's three writes, each for one session after another."""
    ids = [f"s{j:06}" for j in range(min(sizes.handoffs, sizes.sessions - 1))]
    figures = {
        "handoff_request": timed(functools.partial(db.request_handoff, i, "telegram") for i in ids),
        "handoff_claim": timed(functools.partial(db.claim_handoff, i) for i in ids),
        "handoff_complete": timed(functools.partial(db.complete_handoff, i) for i in ids),
    }
    expect({db.get_handoff_state(i)["state"] for i in ids}, {"completed"}, "state of the handoffs")
    return figures


def writers(path: Path, sizes: Sizes) -> dict[str, Any]:
    """Several processes append to one store at once, each to a session of its own, starting together."""
    say(f"{sizes.writers} processes appending {sizes.writer_appends} messages each")
    db = open_store(path)
    for number in range(sizes.writers):
        db.create_session(f"w{number}", "cli")
    context = multiprocessing.get_context("spawn")
    with context.Manager() as manager, ProcessPoolExecutor(sizes.writers, mp_context=context) as pool:
        gate = manager.Barrier(sizes.writers)
        promised = [pool.submit(write, path, number, sizes, gate) for number in range(sizes.writers)]
        reports = [promise.result() for promise in promised]
    waits = [wait for report in reports for wait in report["waits"]]
    spent = max(report["ended"] for report in reports) - min(report["began"] for report in reports)
    return {
        "processes": sizes.writers,
        "tried": sizes.writers * sizes.writer_appends,
        "kept": db.message_count(),
        "failed": sum(report["failed"] for report in reports),
        "wait": summary(waits),
        "seconds": round(spent, 3),
    }


def write(path: Path, number: int, sizes: Sizes, gate: Any) -> dict[str, Any]:
    """One of the writers; a refused append counts as failed and is not tried again beyond Hermes's own retries."""
    db = open_store(path)
    contents = [texts.message(i, sizes.message_bytes) for i in range(sizes.writer_appends)]
    waits, failed = [], 0
    gate.wait(GATE_SECONDS)
    began = time.monotonic()
    for content in contents:
        started = time.perf_counter()
        try:
            db.append_message(f"w{number}", "user", content)
        except sqlite3.Error:
            failed += 1
        waits.append((time.perf_counter() - started) * 1000)
    return {"waits": waits, "failed": failed, "began": began, "ended": time.monotonic()}


async def wake_up(path: Path, sizes: Sizes) -> dict[str, Any]:
    """From a handoff's request to the moment the gateway's own watcher, run as it is, starts to process it.

    Only the processing itself is replaced, by a note of the time. Requests are spread evenly over two poll intervals.
    """
    from gateway.run import GatewayRunner
    from hermes_state import AsyncSessionDB

    say("waiting for its handoff watcher")
    interval = inspect.signature(GatewayRunner._handoff_watcher).parameters["interval"].default
    noticed: dict[str, float] = {}

    async def note(row: dict[str, Any]) -> None:
        noticed[row["id"]] = time.perf_counter()

    asker = open_store(path)
    gateway = SimpleNamespace(_running=True, _session_db=AsyncSessionDB(open_store(path)), _process_handoff=note)
    watcher = asyncio.create_task(GatewayRunner._handoff_watcher(gateway))
    await asyncio.sleep(WATCHER_STARTS_AFTER)
    asked: dict[str, float] = {}
    for j in range(min(sizes.wake_ups, sizes.sessions - 1)):
        asked[f"s{j:06}"] = time.perf_counter()
        await asyncio.to_thread(asker.request_handoff, f"s{j:06}", "telegram")
        await asyncio.sleep(2 * interval / sizes.wake_ups)
    await asyncio.sleep(1.5 * interval)
    watcher.cancel()
    expect(set(noticed), set(asked), "handoffs noticed")
    waits = [(noticed[i] - asked[i]) * 1000 for i in asked]
    return {**summary(waits), "poll_interval": interval * 1000, "how": "its own watcher loop, request to processing"}


def starts(home: Path, sizes: Sizes) -> dict[str, Figures]:
    """Whole processes, by turns in one loop after a first run each that is not counted and leaves the .pyc files."""
    say(f"starting its command line {sizes.starts} times")
    empty = home / "empty"
    furnish(empty)
    hermes = str(Path(sys.executable).with_name("hermes"))
    commands = {
        "start_python": ([sys.executable, "-c", "pass"], empty),
        "start_version": ([hermes, "--version"], empty),
        "start_sessions_list_empty": ([hermes, "sessions", "list"], empty),
        "start_sessions_list_filled": ([hermes, "sessions", "list"], home),
    }
    for command, where in commands.values():
        run(command, where)
    rounds = [{name: run(*how) for name, how in commands.items()} for _ in range(sizes.starts)]
    return {
        name: summary([a[name][0] for a in rounds], statistics.median(a[name][1] for a in rounds)) for name in commands
    }


def run(command: list[str], home: Path) -> tuple[float, float]:
    """Wall and CPU milliseconds of one process, its exec and exit included."""
    variables = {**os.environ, "HERMES_HOME": str(home)}
    variables.pop("PYTHONDONTWRITEBYTECODE", None)
    null = subprocess.DEVNULL
    started = time.perf_counter()
    process = subprocess.Popen(command, env=variables, cwd=home, stdin=null, stdout=null, stderr=null)
    _, status, used = os.wait4(process.pid, 0)
    wall = time.perf_counter() - started
    process.returncode = os.waitstatus_to_exitcode(status)
    expect(process.returncode, 0, f"exit code of {Path(command[0]).name} {' '.join(command[1:])}")
    return wall * 1000, (used.ru_utime + used.ru_stime) * 1000


def timed(calls: Iterable[Callable[[], object]]) -> Figures:
    """Each call once, in order; CPU is the mean of this process over all of them."""
    walls: list[float] = []
    cpu = time.process_time()
    for call in calls:
        started = time.perf_counter()
        call()
        walls.append((time.perf_counter() - started) * 1000)
    return summary(walls, (time.process_time() - cpu) * 1000 / len(walls))


def summary(walls: list[float], cpu: float | None = None) -> Figures:
    """Milliseconds: median, p99 (nearest rank: the maximum below 100 samples), min, max and, if known, CPU per call."""
    ranked = sorted(walls)
    figures = {
        "n": len(ranked),
        "median": statistics.median(ranked),
        "p99": ranked[math.ceil(len(ranked) * 0.99) - 1],
        "min": ranked[0],
        "max": ranked[-1],
    }
    if cpu is not None:
        figures["cpu"] = cpu
    return {name: round(value, 4) for name, value in figures.items()}


def open_store(path: Path) -> Any:
    from hermes_state import SessionDB

    return SessionDB(db_path=path)


def settings(path: Path) -> dict[str, Any]:
    """The durability Hermes chose for its own connection."""
    db = open_store(path)
    chosen = {name: db._conn.execute(f"PRAGMA {name}").fetchone()[0] for name in ("journal_mode", "synchronous")}
    db.close()
    return chosen


def versions() -> dict[str, str]:
    return {
        "hermes-agent": importlib.metadata.version("hermes-agent"),
        "python": platform.python_version(),
        "sqlite": sqlite3.sqlite_version,
    }


def installed_bytes() -> int:
    """Everything Hermes's installation brought along, compiled files included, without the installer itself."""
    packages = Path(str(importlib.metadata.distribution("hermes-agent").locate_file("")))
    files = (file for file in packages.rglob("*") if file.is_file())
    return sum(f.stat().st_size for f in files if not f.relative_to(packages).parts[0].startswith(NOT_HERMES))


def batches(items: list[Any], size: int) -> Iterator[list[Any]]:
    for start in range(0, len(items), size):
        yield items[start : start + size]


def expect(found: object, wanted: object, what: str) -> None:
    """A figure whose work was not done is worth nothing: ends the probe."""
    if found != wanted:
        raise SystemExit(f"{what}: expected {wanted}, found {found}")


def say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
