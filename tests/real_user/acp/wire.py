"""What went over the wire between real clients and agents, as the tap recorded it, and whether it was right."""

from __future__ import annotations

import json
import signal
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.support.acp.schema import IN, OUT, Frame, judge


class Run:
    """One process of the agent. `ended` is how it ended; None if it still runs."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.ended: int | None = None
        self.frames: list[Frame] = []

    @property
    def killed(self) -> bool:
        return self.ended == -signal.SIGKILL

    def faults(self) -> list[str]:
        """What the agent did wrong: by the schema, and in answering each request once."""
        return [*judge().errors(self.frames), *self._unpaired()]

    def updates(self, kind: str = "") -> list[dict[str, Any]]:
        """The updates the agent sent, all or of one kind."""
        found = [message["params"]["update"] for message in self.asked("session/update")]
        return [update for update in found if not kind or update["sessionUpdate"] == kind]

    def session_ids(self) -> set[str]:
        """Every session id in anything the agent sent, rows of a list left out."""
        parts = [message.get(part) for side, message in self.frames for part in ("params", "result") if side == IN]
        return {part["sessionId"] for part in parts if isinstance(part, dict) and "sessionId" in part}

    def asked(self, method: str) -> list[dict[str, Any]]:
        """The requests or notifications of that name, whoever sent them."""
        return [message for _, message in self.frames if message.get("method") == method]

    def _unpaired(self) -> Iterator[str]:
        asked = {message["id"]: message["method"] for message in self._said(OUT) if {"id", "method"} <= message.keys()}
        answers = Counter(message["id"] for message in self._said(IN) if "method" not in message)
        for made, method in asked.items():
            if answers[made] > 1 or (not answers[made] and not self.killed):
                yield f"{method} {made} got {answers[made]} answers"

    def _said(self, side: str) -> Iterator[dict[str, Any]]:
        return (message for sender, message in self.frames if sender == side)


class Wire:
    """The tap's log."""

    def __init__(self, log: Path) -> None:
        self.log = log
        self._read = 0
        self._runs: dict[int, Run] = {}

    def runs(self) -> list[Run]:
        """So far, in the order they began."""
        if self.log.exists():
            with self.log.open("rb") as log:
                log.seek(self._read)
                for line in log:
                    if line.endswith(b"\n"):
                        self._read += len(line)
                        self._take(json.loads(line))
        return list(self._runs.values())

    def faults(self) -> list[str]:
        return [fault for run in self.runs() for fault in run.faults()]

    def moves(self) -> list[dict[str, Any]]:
        """The provenance of each head the agent told a client of in an update, over all runs."""
        told = [update for run in self.runs() for update in run.updates("session_info_update") if "_meta" in update]
        return [update["_meta"]["hermes"]["sessionProvenance"] for update in told]

    def _take(self, noted: dict[str, Any]) -> None:
        run = self._runs.setdefault(noted["run"], Run(noted["run"]))
        if "ended" in noted:
            run.ended = noted["ended"]
        elif "text" in noted:
            run.frames.append((noted["side"], json.loads(noted["text"])))
