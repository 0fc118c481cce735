"""A process that is killed while it pins loses no rule it acknowledged, and leaves none half stored."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from baton.adapters.stores.sqlite.open import open_sqlite
from baton.core.log.payloads import RulePinned
from baton.core.log.pins import find_pins
from baton.engine.turns.writer import live_entries
from tests.support.patience import PATIENCE

CHILD = """
import asyncio, sys
from baton.adapters.stores.sqlite.open import open_sqlite
from baton.engine.handoff import rules
from baton.engine.turns.runtime import Runtime

async def main(path, conversation_id, start):
    runtime = Runtime(open_sqlite(path), lambda _: None, surface="test", lease=0.2)
    for number in range(start, 500):
        made = await runtime.write(conversation_id, lambda writer: rules.pin(writer, f"Rule {number}."))
        print(number, made.rule.number, flush=True)

asyncio.run(main(sys.argv[1], sys.argv[2], int(sys.argv[3])))
"""


@pytest.mark.parametrize("seed", range(3))
def test_what_was_acknowledged_is_there(tmp_path: Path, seed: int) -> None:
    moments = random.Random(seed)
    path = str(tmp_path / "baton.db")
    with closing(open_sqlite(path)) as store:
        conversation_id = store.conversations.start("pins")[0].id
    acknowledged: list[int] = []
    for _ in range(3):
        acknowledged += _kill_one(path, conversation_id, len(acknowledged) * 10, moments)
        pins = _pins(path, conversation_id)
        texts = [pin.text for pin in pins]
        assert {f"Rule {number}." for number in acknowledged} <= set(texts)
        assert len(set(texts)) == len(texts) <= len(acknowledged) + 3
        assert [pin.number for pin in pins] == list(range(1, len(pins) + 1))


def _kill_one(path: str, conversation_id: str, start: int, moments: random.Random) -> list[int]:
    """What a process acknowledged before it was killed."""
    command = [sys.executable, "-c", CHILD, path, conversation_id, str(start)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        said = [child.stdout.readline() for _ in range(moments.randrange(1, 12))]
        time.sleep(moments.uniform(0, 0.01))
        child.kill()
        said += child.stdout.readlines()
        child.wait(PATIENCE)
    return [int(line.split()[0]) for line in said if line.endswith("\n")]


def _pins(path: str, conversation_id: str) -> list[RulePinned]:
    with closing(open_sqlite(path)) as store:
        time.sleep(0.3)
        return find_pins(live_entries(store, store.sessions.get(store.conversations.get(conversation_id).head_id)))
