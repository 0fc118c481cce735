"""Undoes in a process that is killed at one line after another; says how the conversation stands after each.

`python -m tests.support.killed_undo FOLDER KIND POINTS` prints for each point how many lines were run before the kill,
whether the process survived its line, and what is stored: the edges of the sessions and the messages of the context.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import sys
import threading
from pathlib import Path
from types import FrameType
from typing import Any

from baton.adapters.stores.sqlite.open import open_sqlite
from baton.core.log.context import project
from baton.core.log.entry import NewEntry
from baton.core.log.payloads import Compression, PacketOpening, new_entry
from baton.engine.turns.runtime import Runtime

SAID = [NewEntry("user", {"text": f"request {number}"}) for number in range(6)]
SUMMARY = Compression("compressed", "", 0.0, 5, "", (), "a summary", "a summary", 0)
OPENING = PacketOpening("the packet", "p_1", "", "", "", ())


def fill(path: str, kind: str) -> str:
    store = open_sqlite(path)
    conversation, head = store.conversations.start("test")
    mine = store.conversations.claim(conversation.id, "test", 60)
    store.entries.append(mine, head.id, SAID)
    if kind == "in place":
        store.entries.append(mine, head.id, [new_entry(SUMMARY)])
    else:
        store.sessions.advance(mine, head.id, edge="handoff", end_reason="handoff", entries=[new_entry(OPENING)])
    store.conversations.release(mine)
    store.close()
    return conversation.id


def undo(path: str, conversation_id: str, deadly: int) -> int:
    """Returns how many lines of Baton it ran; dies at line number `deadly`."""
    count = 0

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal count
        if "/baton/" not in frame.f_code.co_filename:
            return None
        count += event == "line"
        if count == deadly:
            os.kill(os.getpid(), signal.SIGKILL)
        return trace

    threading.settrace(trace)
    sys.settrace(trace)
    store = open_sqlite(path)
    asyncio.run(Runtime(store, _no_parts, surface="victim", lease=1).undo(conversation_id))
    sys.settrace(None)
    threading.settrace(None)  # type: ignore[arg-type]
    store.close()
    return count


def _no_parts(_: str) -> Any:
    raise AssertionError


def stands(path: str, conversation_id: str) -> dict[str, Any]:
    store = open_sqlite(path)
    sessions = store.sessions.of(conversation_id)
    head = store.conversations.get(conversation_id).head_id
    messages = project(store.entries.load(head)).messages
    live = sum(each.live for each in sessions)
    store.close()
    return {"edges": [each.edge for each in sessions], "live": live, "texts": [message.text for message in messages]}


def in_child(folder: Path, kind: str, conversation_id: str, deadly: int) -> bool:
    """Whether the process lived to its end."""
    shutil.rmtree(folder / "copy", ignore_errors=True)
    shutil.copytree(folder / "whole", folder / "copy")
    child = os.fork()
    if not child:
        undo(str(folder / "copy" / "baton.db"), conversation_id, deadly)
        os._exit(0)
    return os.waitpid(child, 0)[1] == 0


def main(folder: Path, kind: str, points: int) -> None:
    conversation_id = fill(str(folder / "whole" / "baton.db"), kind)
    shutil.copytree(folder / "whole", folder / "counted")
    lines = undo(str(folder / "counted" / "baton.db"), conversation_id, deadly=-1)
    for point in range(points):
        deadly = 1 + point * lines // points
        lived = in_child(folder, kind, conversation_id, deadly)
        found = stands(str(folder / "copy" / "baton.db"), conversation_id)
        sys.stdout.write(json.dumps({"line": deadly, "lived": lived, **found}) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
