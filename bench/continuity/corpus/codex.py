"""A story as Codex would have written it down: a rollout of JSON lines."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from bench.continuity.corpus.story import Approved, Asked, Interrupted, Planned, Refused, Said, Spoke, Story, Used

_START = datetime(2026, 11, 2, 8, 0, tzinfo=UTC)
_STATES = {"pending": "pending", "doing": "in_progress", "done": "completed"}
REJECTED = "exec command rejected by user"
IMPLEMENT = "Implement the plan."


def codex_lines(story: Story, seed: int) -> Iterator[str]:
    """The lines of the file, without line ends."""
    for record in _Writer(story, seed).records():
        yield json.dumps(record, ensure_ascii=False, separators=(",", ":"))


class _Writer:
    def __init__(self, story: Story, seed: int) -> None:
        self._story = story
        self._dice = random.Random(seed)
        self._time = _START
        self._records: list[dict[str, Any]] = []

    def records(self) -> list[dict[str, Any]]:
        about = {"id": f"{self._dice.getrandbits(48):012x}", "cwd": self._story.workspace}
        self._add("session_meta", {**about, "git": {"branch": self._story.branch, "commit_hash": "0" * 40}})
        for event in self._story.events:
            self._event(event)
        return self._records

    def _event(self, event: object) -> None:
        """Noise, dead branches and compactions are left out: situations have none."""
        match event:
            case Said(text):
                self._said(text)
            case Spoke(text):
                self._spoke(text)
            case Used():
                self._used(event)
            case Planned(items):
                plan = [{"step": each["text"], "status": _STATES[each["state"]]} for each in items]
                self._call("update_plan", {"plan": plan}, "Plan updated")
            case Refused(used, words):
                self._call("exec_command", {"cmd": used.args.get("command", "")}, REJECTED)
                if words:
                    self._said(words)
            case Asked(questions):
                self._asked(questions)
            case Approved(plan):
                self._spoke(f"<proposed_plan>\n{plan}\n</proposed_plan>")
                self._said(IMPLEMENT)
            case Interrupted():
                self._add("event_msg", {"type": "turn_aborted", "reason": "interrupted"})
            case _:
                pass

    def _said(self, text: str) -> None:
        self._item({"type": "message", "role": "user", "content": [{"type": "input_text", "text": text}]})
        self._add("event_msg", {"type": "user_message", "message": text, "images": []})

    def _spoke(self, text: str) -> None:
        self._item({"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": text}]})
        self._add("event_msg", {"type": "agent_message", "message": text})

    def _used(self, used: Used) -> None:
        if used.text:
            self._spoke(used.text)
        if used.tool in ("edit", "write"):
            self._patch(used)
            return
        command = used.args.get("command") or f"sed -n '1,200p' {used.args.get('path', '.')}"
        if used.lost:
            self._call("exec_command", {"cmd": command}, None)
            return
        head = f"Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code {used.exit or 0}\nOutput:\n"
        self._call("exec_command", {"cmd": command}, head + used.output)

    def _patch(self, used: Used) -> None:
        verb = "Add" if used.created else "Update"
        new = str(used.args.get("new") or used.args.get("content") or "")
        body = "".join(f"+{line}\n" for line in new.splitlines())
        patch = f"*** Begin Patch\n*** {verb} File: {used.args['path']}\n@@\n{body}*** End Patch"
        id_ = self._id()
        self._item({"type": "custom_tool_call", "name": "apply_patch", "input": patch, "call_id": id_})
        text = f"Success. Updated the following files:\nM {used.args['path']}" if used.ok else used.output
        output = json.dumps({"output": text, "metadata": {"exit_code": 0 if used.ok else 1}})
        self._item({"type": "custom_tool_call_output", "call_id": id_, "output": output})

    def _asked(self, questions: list[tuple[str, list[str], str]]) -> None:
        asked = [
            {"id": f"q{number}", "header": "Choice", "question": text, "options": [{"label": each} for each in options]}
            for number, (text, options, _) in enumerate(questions)
        ]
        answers = {f"q{number}": {"answers": [answer]} for number, (_, _, answer) in enumerate(questions)}
        self._call("request_user_input", {"questions": asked}, json.dumps({"answers": answers}, ensure_ascii=False))

    def _call(self, name: str, given: dict[str, Any], output: str | None) -> None:
        id_ = self._id()
        arguments = json.dumps(given, ensure_ascii=False)
        self._item({"type": "function_call", "name": name, "arguments": arguments, "call_id": id_})
        if output is not None:
            self._item({"type": "function_call_output", "call_id": id_, "output": output})

    def _id(self) -> str:
        return f"call_{self._dice.getrandbits(64):016x}"

    def _item(self, payload: dict[str, Any]) -> None:
        self._add("response_item", payload)

    def _add(self, kind: str, payload: dict[str, Any]) -> None:
        self._time += timedelta(seconds=self._dice.randint(1, 40))
        stamp = self._time.isoformat().replace("+00:00", "Z")
        self._records.append({"timestamp": stamp, "type": kind, "payload": payload})
