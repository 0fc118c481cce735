"""A story as `opencode export` would have written it: one object, messages with their parts."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

from bench.continuity.corpus.claude import answered, form
from bench.continuity.corpus.story import Approved, Asked, Planned, Refused, Said, Spoke, Story, Used

_START = 1_793_600_000_000
_STATES = {"pending": "pending", "doing": "in_progress", "done": "completed"}
_NAMES = {"shell": "bash", "edit": "edit", "write": "write", "read": "read", "search": "grep"}
REJECTED = "The user rejected permission to use this specific tool call"
FEEDBACK = " with the following feedback: "
GO_AHEAD = "Yes, build it."


def opencode_lines(story: Story, seed: int) -> Iterator[str]:
    """The file, in one line."""
    yield json.dumps(_Writer(story, seed).export(), ensure_ascii=False, separators=(",", ":"))


class _Writer:
    def __init__(self, story: Story, seed: int) -> None:
        self._story = story
        self._dice = random.Random(seed)
        self._time = _START
        self._messages: list[dict[str, Any]] = []

    def export(self) -> dict[str, Any]:
        for event in self._story.events:
            self._event(event)
        about = {"id": f"ses_{self._dice.getrandbits(48):012x}", "directory": self._story.workspace, "title": "Work"}
        return {"info": about, "messages": self._messages}

    def _event(self, event: object) -> None:
        match event:
            case Said(text):
                self._message("user", [{"type": "text", "text": text}])
            case Spoke(text):
                self._message("assistant", [{"type": "text", "text": text}])
            case Used():
                self._used(event)
            case Planned(items):
                todos = [{"content": each["text"], "status": _STATES[each["state"]], "id": "1"} for each in items]
                self._tool("todowrite", {"todos": todos}, {"status": "completed", "output": "[]"})
            case Refused(used, words):
                error = f"{REJECTED}{FEEDBACK}{words}" if words else f"{REJECTED}."
                self._tool(_NAMES[used.tool], self._input(used), {"status": "error", "error": error})
            case Asked(questions):
                self._tool("question", form(questions), {"status": "completed", "output": answered(questions)})
            case Approved(plan):
                self._message("assistant", [{"type": "text", "text": plan}])
                self._message("user", [{"type": "text", "text": GO_AHEAD}])
            case _:
                pass

    def _used(self, used: Used) -> None:
        if used.lost:
            state: dict[str, Any] = {"status": "running"}
        elif used.tool == "shell":
            state = {"status": "completed", "output": used.output, "metadata": {"exit": used.exit or 0}}
        elif used.ok:
            state = {"status": "completed", "output": used.output, "metadata": {"exists": not used.created}}
        else:
            state = {"status": "error", "error": used.output}
        self._tool(_NAMES[used.tool], self._input(used), state, used.text)

    def _input(self, used: Used) -> dict[str, Any]:
        given = dict(used.args)
        if "path" in given and used.tool != "search":
            given["filePath"] = f"{self._story.workspace}/{given.pop('path')}"
        return given

    def _tool(self, name: str, given: dict[str, Any], state: dict[str, Any], text: str = "") -> None:
        part = {
            "type": "tool",
            "tool": name,
            "callID": f"call_{self._dice.getrandbits(64):016x}",
            "state": {**state, "input": given},
        }
        self._message("assistant", [*([{"type": "text", "text": text}] if text else []), part])

    def _message(self, role: str, parts: list[dict[str, Any]]) -> None:
        self._time += self._dice.randint(1_000, 40_000)
        about = {"id": f"msg_{len(self._messages)}", "role": role, "time": {"created": self._time}}
        self._messages.append({"info": about, "parts": parts})
