"""Packets of the labelled messages, by the engine itself: with a model that nominates, or without one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from baton.adapters.artifacts import PacketFiles
from baton.adapters.redaction.redactor import open_redactor
from baton.adapters.workspace.directory import DirectoryWorkspace
from baton.core.log.entry import ASSISTANT, TOOL_CALL, TOOL_RESULT, USER, NewEntry
from baton.engine.handoff.packets import HandoffKit, PacketWriter
from baton.ports.model import Model
from baton.testing.memory import MemoryStore
from bench.continuity.labels.sentences import Message
from bench.continuity.redaction import CACHE

Nominate = Callable[[Message], Model | None]


class Desk:
    """One workspace, one redactor, many small conversations."""

    def __init__(self, folder: Path) -> None:
        root = folder / "workspace"
        root.mkdir()
        CACHE.mkdir(parents=True, exist_ok=True)
        redactor = open_redactor(str(root), {}, [], str(CACHE))
        self._kit = HandoffKit(
            workspace=DirectoryWorkspace(str(root), str(folder / "own")),
            redactor=lambda _: redactor,
            artifacts=PacketFiles(str(root), ".baton/handoffs"),
            risk=lambda _: "",
        )

    def packet(self, entries: Sequence[NewEntry], model: Model | None = None) -> str:
        store = MemoryStore()
        conversation, session = store.conversations.start("labels")
        proof = store.conversations.claim(conversation.id, "bench", 600)
        store.entries.append(proof, session.id, list(entries))
        store.conversations.release(proof)
        return asyncio.run(PacketWriter(store, self._kit, model).write(session.id, "measured")).packet.markdown


def conversation(message: Message) -> list[NewEntry]:
    """A message that is being worked on: rules of its task hold."""
    call = {"id": "c1", "name": "read", "args": {"path": "README.md"}}
    return [
        NewEntry(USER, {"text": message.text}),
        NewEntry(ASSISTANT, {"text": "", "calls": [call]}),
        NewEntry(TOOL_CALL, {**call, "title": "Read README.md"}),
        NewEntry(TOOL_RESULT, {"id": "c1", "name": "read", "text": "# Readme", "ok": True, "details": {}}),
    ]


def packets(messages: Sequence[Message], nominate: Nominate) -> list[str]:
    """One packet a message, in order."""
    with TemporaryDirectory(prefix="baton-labels-") as folder:
        desk = Desk(Path(folder))
        return [desk.packet(conversation(message), nominate(message)) for message in messages]
