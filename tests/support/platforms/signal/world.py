"""What people see of our messages on Signal."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from tests.support.platforms.signal.rules import attached


@dataclass
class Shown:
    room: str
    text: str
    newest: int
    files: list[tuple[str, bytes]] = field(default_factory=list)


class World:
    def __init__(self) -> None:
        self.shown: list[Shown] = []
        self.typed: Counter[str] = Counter()
        self.called: list[str] = []
        self.violations: list[str] = []

    def done(self, call: dict[str, Any], timestamp: int) -> None:
        """The daemon has accepted this call."""
        params = call["params"]
        room = f"group.{params['groupId']}" if "groupId" in params else params["recipient"][0]
        self.called += params.get("mentions", [])
        if call["method"] == "sendTyping":
            self.typed[room] += 1
        elif "editTimestamp" in params:
            self._edit(room, params, timestamp)
        else:
            files = [found for each in params.get("attachments", []) if (found := attached(each))]
            self.shown.append(Shown(room, params["message"], timestamp, files))

    def _edit(self, room: str, params: dict[str, Any], timestamp: int) -> None:
        """People's apps drop an edit of anything but the newest revision, and say nothing."""
        for each in self.shown:
            if each.room == room and each.newest == params["editTimestamp"]:
                each.text, each.newest = params["message"], timestamp
                return
        self.violations.append(f"send: an edit of {params['editTimestamp']}, which is not the newest revision")
