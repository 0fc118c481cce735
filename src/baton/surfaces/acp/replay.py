"""Stored entries as the updates they once were: a thread that is loaded reads as it was, every turn once.

Notices and what was in progress are not repeated; a compression and a handoff stand where they happened.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from baton.core.agent.event import CompressionEnded
from baton.core.log import entry as kinds
from baton.surfaces.acp import tool_calls, updates
from baton.surfaces.acp.cards import HAND_OFF, compression_card
from baton.surfaces.acp.tool_calls import CallIds, Shown

if TYPE_CHECKING:
    from baton.core.log.entry import Entry
    from baton.surfaces.acp.client import Capabilities
    from baton.surfaces.acp.frames import Json

PACKET = "The conversation went on in a fresh session. Packet: {path}"


class Replay:
    def __init__(self, can: Capabilities, workspace: str) -> None:
        self._can = can
        self._workspace = workspace
        self._ids = CallIds()
        self._turn = ""
        self._step = 0
        self._calls: dict[str, Shown] = {}
        self._acts = {
            kinds.USER: self._user,
            kinds.ASSISTANT: self._assistant,
            kinds.TOOL_CALL: self._tool_call,
            kinds.TOOL_RESULT: self._tool_result,
            kinds.COMPRESSION: self._compression,
            kinds.PACKET: self._packet,
        }

    def updates(self, entries: Iterable[Entry]) -> Iterator[Json]:
        for entry in entries:
            act = self._acts.get(entry.kind)
            if act is not None:
                yield from act(entry, entry.data)

    def _begin(self, data: Mapping[str, Any], entry: Entry) -> None:
        self._turn, self._step = str(data.get("turn") or f"{entry.session_id}.{entry.seq}"), 0
        self._ids.begin(self._turn)

    def _user(self, entry: Entry, data: Mapping[str, Any]) -> Iterator[Json]:
        self._begin(data, entry)
        if data.get("synthetic"):
            return
        message_id = f"{self._turn}.u"
        for piece in updates.pieces(str(data.get("shown") or data.get("text", ""))):
            yield updates.user(updates.text(piece), message_id)
        for link in data.get("links", ()):
            block = {"type": "resource_link", "name": str(link["name"]), "uri": str(link["uri"])}
            yield updates.user(block, message_id)
        for image in data.get("images", ()):
            block = {"type": "image", "mimeType": str(image["media_type"]), "data": str(image["data"])}
            yield updates.user(block, message_id)

    def _assistant(self, _: Entry, data: Mapping[str, Any]) -> Iterator[Json]:
        self._step += 1
        message_id = f"{self._turn}.{self._step}"
        for piece in updates.pieces(str(data.get("reasoning") or "")):
            yield updates.thought(piece, f"{message_id}.t")
        for piece in updates.pieces(str(data.get("text") or "")):
            yield updates.agent_text(piece, message_id)
        for call in data.get("calls", ()):
            self._calls[str(call["id"])] = Shown(str(call["name"]), call.get("args") or {})

    def _tool_call(self, _: Entry, data: Mapping[str, Any]) -> Iterator[Json]:
        shown = Shown(str(data["name"]), data.get("args") or {}, str(data.get("title", "")))
        self._calls[str(data["id"])] = shown
        yield from ()

    def _tool_result(self, _: Entry, data: Mapping[str, Any]) -> Iterator[Json]:
        """A call is told once, with its end."""
        details: Mapping[str, Any] = data.get("details") or {}
        given = str(data.get("id"))
        known = self._calls.pop(given, None) or Shown(str(data.get("name", "")), {})
        if known.tool == "plan":
            if items := details.get("items"):
                yield updates.plan([(str(item["text"]), str(item["state"])) for item in items])
            return
        call_id, _first = self._ids.of(given)
        self._ids.end(given)
        words, diff = str(data.get("text", "")), str(details.get("diff", ""))
        done = Shown(known.tool, known.args, known.title, words, diff)
        told = tool_calls.call(call_id, Shown(known.tool, known.args, known.title), self._workspace, "in_progress")
        ended = tool_calls.ended(call_id, done, self._workspace, details, ok=bool(data.get("ok")))
        yield {**told, **ended, "sessionUpdate": "tool_call"}

    def _compression(self, entry: Entry, data: Mapping[str, Any]) -> Iterator[Json]:
        outcome, error = str(data.get("outcome", "compressed")), str(data.get("error", ""))
        compression_id = f"compression-{entry.session_id}.{entry.seq}"
        if self._can.compaction:
            yield updates.compaction(compression_id, outcome, summary=str(data.get("summary", "")), error=error)
            return
        before, after = int(data.get("before") or 0), entry.tokens
        event = CompressionEnded(outcome, before, after, float(data.get("seconds") or 0.0), error)
        yield compression_card(compression_id, event, first=True)

    def _packet(self, entry: Entry, data: Mapping[str, Any]) -> Iterator[Json]:
        path = str(data.get("path") or "kept in the store")
        if turn := data.get("turn"):
            self._turn = str(turn)
            self._ids.begin(self._turn)
        output = {"outcome": "done", "packetPath": path, "packetId": data.get("packet"), "sessionId": entry.session_id}
        card_id = f"handoff-{entry.session_id}"
        yield updates.card(card_id, HAND_OFF, "completed", PACKET.format(path=path), output)
