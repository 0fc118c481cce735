"""Stored entries as the updates they once were: a loaded thread reads as it did, every turn once.

Notices and progress are not repeated; a compression and a handoff appear where they happened.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from baton.core.agent.event import CompressionEnded
from baton.core.agent.message import Usage
from baton.core.log.payloads import (
    AssistantStep,
    Compression,
    CompressionFailed,
    PacketOpening,
    ToolCall,
    ToolResult,
    UserInput,
    payload,
)
from baton.surfaces.acp import tool_calls, updates
from baton.surfaces.acp.long_work import describe_compression
from baton.surfaces.acp.tool_calls import CallIds, KnownCall
from baton.surfaces.words import editor as words

if TYPE_CHECKING:
    from baton.core.log.entry import Entry
    from baton.surfaces.acp.client import Capabilities
    from baton.surfaces.acp.frames import Json


class Replay:
    def __init__(self, can: Capabilities, workspace: str) -> None:
        self._can = can
        self._workspace = workspace
        self._ids = CallIds()
        self._turn = ""
        self._step = 0
        self._calls: dict[str, KnownCall] = {}

    def updates(self, entries: Iterable[Entry]) -> Iterator[Json]:
        for entry in entries:
            match payload(entry):
                case UserInput() as given:
                    yield from self._user(entry, given)
                case AssistantStep() as step:
                    yield from self._assistant(step)
                case ToolCall() as call:
                    self._calls[call.id] = KnownCall(call.name, call.args, call.title)
                case ToolResult() as result:
                    yield from self._tool_result(result)
                case (Compression() | CompressionFailed()) as compression:
                    yield from self._compression(entry, compression)
                case PacketOpening() as opening:
                    yield from self._packet(entry, opening)
                case _:
                    pass

    def _user(self, entry: Entry, given: UserInput) -> Iterator[Json]:
        self._turn, self._step = given.turn or f"{entry.session_id}.{entry.seq}", 0
        self._ids.begin(self._turn)
        if given.synthetic:
            return
        message_id = f"{self._turn}.u"
        for piece in updates.pieces(given.words):
            yield updates.user(updates.text(piece), message_id)
        for link in given.links:
            yield updates.user({"type": "resource_link", "name": link.name, "uri": link.uri}, message_id)
        for image in given.images:
            yield updates.user({"type": "image", "mimeType": image.media_type, "data": image.data}, message_id)

    def _assistant(self, step: AssistantStep) -> Iterator[Json]:
        self._step += 1
        message_id = f"{self._turn}.{self._step}"
        for piece in updates.pieces(step.reasoning):
            yield updates.thought(piece, f"{message_id}.t")
        for piece in updates.pieces(step.text):
            yield updates.agent_text(piece, message_id)
        self._calls |= {call.id: KnownCall(call.name, call.args) for call in step.calls}

    def _tool_result(self, result: ToolResult) -> Iterator[Json]:
        """One update for the whole call."""
        known = self._calls.pop(result.id, None) or KnownCall(result.name, {})
        if known.tool == "plan":
            if items := result.details.get("items"):
                yield updates.plan([(str(item["text"]), str(item["state"])) for item in items])
            return
        call_id, _first = self._ids.of(result.id)
        self._ids.end(result.id)
        done = KnownCall(known.tool, known.args, known.title, result.text, str(result.details.get("diff", "")))
        told = tool_calls.announce(
            call_id, KnownCall(known.tool, known.args, known.title), self._workspace, "in_progress"
        )
        ended = tool_calls.end(call_id, done, self._workspace, result.details, ok=result.ok)
        yield {**told, **ended, "sessionUpdate": "tool_call"}

    def _compression(self, entry: Entry, held: Compression | CompressionFailed) -> Iterator[Json]:
        compression_id = f"compression-{entry.session_id}.{entry.seq}"
        summary, before = (held.summary, held.before) if isinstance(held, Compression) else ("", 0)
        if self._can.compaction:
            yield updates.compaction(compression_id, held.outcome, summary=summary, error=held.error)
            return
        after = held.after if isinstance(held, Compression) and held.after else entry.tokens
        event = CompressionEnded(held.outcome, before, after, held.seconds, held.error, held.usage or Usage())
        yield describe_compression(compression_id, event, first=True)

    def _packet(self, entry: Entry, opening: PacketOpening) -> Iterator[Json]:
        path = opening.path or words.PATH_UNKNOWN
        if opening.turn:
            self._turn = opening.turn
            self._ids.begin(self._turn)
        output = {"outcome": "done", "packetPath": path, "packetId": opening.packet, "sessionId": entry.session_id}
        work_id = f"handoff-{entry.session_id}"
        yield updates.own_work(work_id, words.HAND_OFF, "completed", words.CONTINUED.format(path=path), output)
