"""The tool calls of a turn while they run: asked for, started, printing, ended."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from baton.surfaces.acp import tool_calls
from baton.surfaces.acp.tool_calls import CallIds, KnownCall

if TYPE_CHECKING:
    from baton.core.agent import event as events
    from baton.surfaces.acp.client import Line

OFTEN = 0.25
SHOWN = 4_000
UNSEEN = ("plan",)
"""Tools whose effect is told in a form of its own."""


class RunningCalls:
    def __init__(self, line: Line, workspace: str) -> None:
        self._line = line
        self._workspace = workspace
        self._ids = CallIds()
        self._calls: dict[str, KnownCall] = {}
        self._output: dict[str, str] = {}
        self._terminals: dict[str, str] = {}
        self._flushed = 0.0

    def begin(self, turn_id: str) -> None:
        self._ids.begin(turn_id)

    def announce(self, event: events.ApprovalAsked) -> None:
        diff = event.preview if event.preview.startswith("--- ") else ""
        shown = KnownCall(event.tool, event.args, event.title, "" if diff else event.preview, diff)
        self._calls[event.call_id] = shown
        call_id, first = self._ids.of(event.call_id)
        if first:
            self._line.send(tool_calls.announce(call_id, shown, self._workspace, "pending"))

    def describe(self, call_id: str) -> dict[str, object]:
        """A call that approval is asked for, as the question shows it."""
        return tool_calls.describe(self._ids.of(call_id)[0], self._calls[call_id], self._workspace, "pending")

    def start(self, event: events.ToolStarted) -> None:
        if event.tool in UNSEEN:
            return
        call_id, first = self._ids.of(event.call_id)
        self._calls[event.call_id] = shown = KnownCall(event.tool, event.args, event.title)
        if first:
            self._line.send(tool_calls.announce(call_id, shown, self._workspace, "in_progress"))
        else:
            self._line.send(tool_calls.progress(call_id, "in_progress"))

    def embed(self, terminal_id: str) -> None:
        """Shows a terminal in the running call; from then on it replaces what the call prints."""
        if self._calls:
            running = next(reversed(self._calls))
            self._terminals[running] = terminal_id
            self._line.send(tool_calls.embed_terminal(self._ids.of(running)[0], terminal_id))

    def add_output(self, event: events.ToolOutput) -> None:
        if event.call_id in self._calls and event.call_id not in self._terminals:
            self._output[event.call_id] = (self._output.get(event.call_id, "") + event.text)[-SHOWN:]
            if time.monotonic() - self._flushed > OFTEN:
                self.flush()

    def end(self, event: events.ToolEnded) -> None:
        self._output.pop(event.call_id, None)
        if event.tool in UNSEEN and event.call_id not in self._calls:
            return
        known = self._calls.pop(event.call_id, None) or KnownCall(event.tool, {}, event.tool)
        call_id, first = self._ids.of(event.call_id)
        if first:
            self._line.send(tool_calls.announce(call_id, known, self._workspace, "pending"))
        terminal = self._terminals.pop(event.call_id, "")
        diff = str(event.details.get("diff", ""))
        done = KnownCall(known.tool, known.args, known.title, event.text, diff, terminal)
        self._line.send(tool_calls.end(call_id, done, self._workspace, event.details, ok=event.ok))
        self._ids.end(event.call_id)

    def flush(self) -> None:
        """Sends what tools have printed since; only its end, because each update replaces the one before."""
        self._flushed = time.monotonic()
        for call_id, said in self._output.items():
            self._line.send(tool_calls.progress(self._ids.of(call_id)[0], "in_progress", said))
        self._output = {}

    def repeat(self) -> bool:
        """Repeats that the last call still runs; False if none does."""
        if self._calls:
            call_id = next(reversed(self._calls))
            self._line.send(tool_calls.progress(self._ids.of(call_id)[0], "in_progress"))
        return bool(self._calls)

    def close_open(self) -> None:
        """Shows calls that did not end as failed: nothing stays in progress for ever."""
        self.flush()
        for call_id in self._ids.still_open():
            self._line.send(tool_calls.progress(call_id, "failed"))
        for call_id in self._calls:
            self._ids.end(call_id)
        self._calls.clear()
        self._terminals.clear()
