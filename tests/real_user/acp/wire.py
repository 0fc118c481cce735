"""What went over the wire between real clients and agents, as the tap recorded it, and whether it was right."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.support.acp_frames import AGENT, CLIENT, Frames, Message


class Run:
    """One process of the agent. `ended` is how it ended; None if it still runs or was killed with its tap."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.ended: int | None = None
        self.frames = Frames()

    @property
    def killed(self) -> bool:
        return self.ended is not None and self.ended < 0

    def faults(self) -> list[str]:
        """What the agent did wrong. What a client's own frames lack is not held against it."""
        if not self.killed:
            self.frames.finish()
        return [fault for fault in self.frames.faults if not fault.startswith(CLIENT)]

    def updates(self, kind: str = "") -> list[Message]:
        """The updates the agent sent, all or of one kind."""
        said = [message for side, message in self.frames.messages if side == AGENT]
        found = [message["params"]["update"] for message in said if message.get("method") == "session/update"]
        return [update for update in found if not kind or update["sessionUpdate"] == kind]

    def session_ids(self) -> set[str]:
        """Every session id in anything the agent sent, rows of a list left out."""
        found: set[str] = set()
        for side, message in self.frames.messages:
            for part in (message.get("params"), message.get("result")):
                if side == AGENT and isinstance(part, dict) and "sessionId" in part:
                    found.add(part["sessionId"])
        return found

    def asked(self, method: str) -> list[Message]:
        return [message for _, message in self.frames.messages if message.get("method") == method]


class Wire:
    """The tap's log."""

    def __init__(self, log: Path) -> None:
        self.log = log

    def runs(self) -> list[Run]:
        runs: dict[int, Run] = {}
        for line in self.log.read_text().splitlines() if self.log.exists() else ():
            _take(runs, json.loads(line))
        return list(runs.values())

    def last_pid(self) -> int:
        return self.runs()[-1].pid

    def faults(self) -> list[str]:
        return [fault for run in self.runs() for fault in run.faults()]

    def moves(self) -> list[dict[str, Any]]:
        """The provenance of each head the agent told a client of in an update, over all runs."""
        found = [
            update["_meta"] for run in self.runs() for update in run.updates("session_info_update") if "_meta" in update
        ]
        return [meta["hermes"]["sessionProvenance"] for meta in found]


def _take(runs: dict[int, Run], noted: dict[str, Any]) -> None:
    run = runs.setdefault(noted["run"], Run(noted["run"]))
    if "ended" in noted:
        run.ended = noted["ended"]
    elif "text" in noted:
        run.frames.saw(noted["side"], json.loads(noted["text"]))
