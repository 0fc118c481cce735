"""A packet without a model: from the stored conversation to the saved file, at three lengths.

Everything is real: the store, a git repository with changes, the redactor with its compiled rules at hand, the files.
Times are of CPU, git's included: what else the machine does is none of its doing.
"""

from __future__ import annotations

import asyncio
import os
import statistics
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any

from baton.adapters.artifacts import PacketFiles
from baton.adapters.redaction.redactor import open_redactor
from baton.adapters.stores.sqlite.open import open_sqlite
from baton.adapters.workspace.directory import DirectoryWorkspace
from baton.core.log.entry import ASSISTANT, SEQ_BITS, TOOL_CALL, TOOL_RESULT, USER, NewEntry
from baton.engine.handoff.packets import HandoffKit, PacketWriter
from baton.ports.store import Store
from bench import texts
from bench.bed import sqlite_ground
from bench.figure import SQLITE, Figure, against_floor
from bench.floor import ENTRY_RANGE, SESSION_NUMBER, Raw
from bench.plan import MESSAGE_BYTES, Plan, Size
from bench.progress import say
from bench.timing import Pair

LENGTHS = (1_000, 10_000, 30_000)
FLOOR_IS = "one SELECT of the same entries"
COMMAND_ENTRIES = 20_000
BUDGET = 1000.0
_PAGE = 2_000
_ENDS = (0, 0, 0, 1)


def measure(work: Path, plan: Plan) -> list[Figure]:
    say(f"packets of conversations of {', '.join(map(str, LENGTHS))} entries, {plan.packets} of each")
    root = _repository(work / "repository")
    kit = _kit(root, work)
    with sqlite_ground(work) as ground:
        with closing(ground.open()) as store:
            sessions = [_filled(store, entries) for entries in LENGTHS]
        ground.mirror()
        with closing(ground.open()) as store, closing(ground.raw()) as raw:
            figures = [_measured(store, raw, kit, session, plan) for session in sessions]
    return [*figures, _growth(figures), _command(work, root)]


def _command(work: Path, root: Path) -> Figure:
    """The whole process of `baton handoff --packet-only`, as a script runs it, on a conversation of 20,000 entries."""
    home = work / "home"
    home.mkdir()
    with closing(open_sqlite(str(home / "baton.db"))) as store:
        _filled(store, COMMAND_ENTRIES, str(root))
    kept = {name: given for name, given in os.environ.items() if not name.endswith(("_API_KEY", "_TOKEN"))}
    environ = {**kept, "BATON_HOME": str(home)}
    spent: list[float] = []
    for _ in range(3):  # the first one compiles the redactor's rules, which are kept
        began = _cpu()
        command = [sys.executable, "-m", "baton", "handoff", "--packet-only"]
        subprocess.run(command, cwd=root, env=environ, check=True, capture_output=True)
        spent.append(_cpu() - began)
    size = Size(1, COMMAND_ENTRIES, COMMAND_ENTRIES)
    return Figure("packet_command", SQLITE, size, facts={"milliseconds": min(spent), "first": spent[0]})


def _measured(store: Store, raw: Raw, kit: HandoffKit, session: tuple[str, int], plan: Plan) -> Figure:
    session_id, entries = session
    asyncio.run(PacketWriter(store, kit, None).write(session_id, "measured"))
    ours, theirs = list[float](), list[float]()
    tokens = 0
    for _ in range(plan.packets):
        began = _cpu()
        tokens = asyncio.run(PacketWriter(store, kit, None).write(session_id, "measured")).packet.tokens
        ours.append(_cpu() - began)
        began = _cpu()
        number, _ = raw.read(SESSION_NUMBER, (session_id,))[0]
        raw.read(ENTRY_RANGE, (number << SEQ_BITS, (number + 1) << SEQ_BITS))
        theirs.append(max(0.001, _cpu() - began))
    facts = {"milliseconds": statistics.median(ours), "tokens": tokens}
    size = Size(1, entries, entries)
    return against_floor("packet", SQLITE, size, Pair.of([(ours, theirs)]), FLOOR_IS, facts)


def _growth(figures: list[Figure]) -> Figure:
    """How many times more an entry costs at the longest than at ten thousand; 1 is linear."""
    per_entry = [figure.facts["milliseconds"] / length for figure, length in zip(figures, LENGTHS, strict=True)]
    size = Size(1, LENGTHS[-1], LENGTHS[-1])
    return Figure("packet_growth", SQLITE, size, facts={"growth": per_entry[-1] / per_entry[1]})


def _cpu() -> float:
    """Milliseconds of this process and of the programs it has run."""
    spent = os.times()
    return (time.process_time() + spent.children_user + spent.children_system) * 1000


def _kit(root: Path, work: Path) -> HandoffKit:
    return HandoffKit(
        workspace=DirectoryWorkspace(str(root), str(work / "own")),
        redactor=lambda _: open_redactor(str(root), {"API_TOKEN": "0f1e2d3c4b5a69788796a5b4"}, [], str(work / "rules")),
        artifacts=PacketFiles(str(root), ".baton/handoffs"),
        risk=lambda _: "",
    )


def _repository(root: Path) -> Path:
    root.mkdir()
    identity = ["-c", "user.name=bench", "-c", "user.email=bench@example.org", "-c", "init.defaultBranch=main"]

    def git(*words: str) -> None:
        subprocess.run(["git", *identity, "-C", root, *words], check=True, capture_output=True)

    git("init", "-q")
    for number in range(200):
        (root / f"module_{number}.py").write_text(texts.message(number, MESSAGE_BYTES))
    git("add", ".")
    git("commit", "-qm", "first")
    for number in range(20):
        (root / f"module_{number}.py").write_text("changed\n")
    return root


def _filled(store: Store, entries: int, workspace: str = "") -> tuple[str, int]:
    conversation, session = store.conversations.start("packets", workspace)
    proof = store.conversations.claim(conversation.id, "filler", 600)
    for first in range(0, entries, _PAGE):
        made = [_entry(number) for number in range(first, min(entries, first + _PAGE))]
        store.entries.append(proof, session.id, made)
    store.conversations.release(proof)
    return session.id, entries


def _entry(number: int) -> NewEntry:
    """A working session: in a hundred entries one request, and thirty-three calls with their results."""
    text, call = texts.message(number, MESSAGE_BYTES), number // 3
    if number % 99 == 0:
        return NewEntry(USER, {"text": f"{text[:300]} Never break promise {number // 99 % 40}."})
    name, args, details = _call(call)
    held = {"id": f"c{call}", "name": name, "args": args}
    if number % 3 == 0:
        return NewEntry(ASSISTANT, {"text": text, "calls": [held]})
    if number % 3 == 1:
        return NewEntry(TOOL_CALL, {**held, "title": name})
    ok = details.get("exit", 0) == 0
    return NewEntry(TOOL_RESULT, {"id": f"c{call}", "name": name, "text": text, "ok": ok, "details": details})


def _call(number: int) -> tuple[str, dict[str, Any], dict[str, Any]]:
    if number % 2:
        path = f"src/module_{number % 120}.py"
        return "edit", {"path": path}, {"path": path}
    command = f"pytest tests/test_{number % 60}.py -q"
    return "shell", {"command": command}, {"command": command, "exit": _ENDS[number // 2 % len(_ENDS)]}
