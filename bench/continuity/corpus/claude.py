"""A story as Claude Code would have written it down, oddities included."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from bench.continuity.corpus import phrases
from bench.continuity.corpus.story import (
    Approved,
    Aside,
    Asked,
    Compacted,
    Interrupted,
    Left,
    Moved,
    Noise,
    Planned,
    Refused,
    Said,
    Spoke,
    Story,
    Used,
)

_NAMES = {"shell": "Bash", "edit": "Edit", "write": "Write", "read": "Read", "search": "Grep"}
_STATES = {"pending": "pending", "doing": "in_progress", "done": "completed"}
_START = datetime(2026, 11, 2, 8, 0, tzinfo=UTC)
REJECTED = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the "
    "new_string was NOT written to the file). "
)
WITH_WORDS = "To tell you how to proceed, the user said:\n"
STOP = "STOP what you are doing and wait for the user to tell you how to proceed."
ANSWERED = "User has answered your questions: {pairs}. You can now continue with the user's answers in mind."
APPROVED = "User has approved your plan. You can now start coding. Start with updating your todo list if applicable"


def answered(questions: list[tuple[str, list[str], str]]) -> str:
    """What the model is told of a form that was filled in."""
    return ANSWERED.format(pairs=", ".join(f'"{question}"="{answer}"' for question, _, answer in questions))


def form(questions: list[tuple[str, list[str], str]]) -> dict[str, Any]:
    """The form as it was shown."""
    return {
        "questions": [
            {"question": text, "header": "Choice", "options": [{"label": each, "description": ""} for each in options]}
            for text, options, _ in questions
        ]
    }


def claude_lines(story: Story, seed: int) -> Iterator[str]:
    """The lines of the file, without line ends."""
    for record in _Writer(story, seed).records():
        yield json.dumps(record, ensure_ascii=False, separators=(",", ":"))


class _Writer:
    def __init__(self, story: Story, seed: int) -> None:
        self._story = story
        self._dice = random.Random(seed)
        self._session = self._id()
        self._cwd = story.workspace
        self._parent: str | None = None
        self._time = _START
        self._records: list[dict[str, Any]] = []
        self._side = False
        self._tasks: dict[str, int] = {}
        self._by_task = not story.brief and self._dice.random() < 0.5

    def records(self) -> list[dict[str, Any]]:
        self._records.append({"type": "file-history-snapshot", "messageId": self._id(), "snapshot": {}})
        for event in self._story.events:
            self._event(event)
        title = f"Work on {self._story.branch}"
        self._records.append({"type": "summary", "summary": title, "leafUuid": self._parent})
        return self._records

    def _event(self, event: object) -> None:
        match event:
            case Said(text):
                self._user(text)
            case Noise(text, meta):
                self._user(text, **({"isMeta": True} if meta else {}))
            case Spoke(text):
                self._assistant(self._message(), [{"type": "text", "text": text}])
            case Used():
                self._used(event)
            case Planned(items):
                self._planned(items)
            case _:
                self._happened(event)

    def _happened(self, event: object) -> None:
        match event:
            case Interrupted():
                self._user([{"type": "text", "text": "[Request interrupted by user]"}])
            case Compacted(summary):
                self._compacted(summary)
            case Moved(folder):
                self._cwd = folder
            case Refused(used, words):
                self._refused(used, words)
            case Asked(questions):
                facts = {"answers": {question: answer for question, _, answer in questions}}
                self._tool("AskUserQuestion", form(questions), answered(questions), facts)
            case Approved(plan):
                self._tool("ExitPlanMode", {"plan": plan}, APPROVED, {"plan": plan, "isAgent": False})
            case Aside(events):
                self._aside(events)
            case Left(events):
                self._left(events)
            case _:
                raise AssertionError(event)

    def _used(self, used: Used) -> None:
        """Thinking, text and each call are records of their own with one message id, as the source streams them."""
        message = self._message()
        if not self._story.brief and self._dice.random() < 0.3:
            self._assistant(message, [{"type": "thinking", "thinking": "…", "signature": "x"}])
        if used.text:
            self._assistant(message, [{"type": "text", "text": used.text}])
        calls = [each for each in (used, used.beside) if each]
        ids = [f"toolu_{self._hex(24)}" for _ in calls]
        places = [self._assistant(message, [self._call(each, id_)]) for each, id_ in zip(calls, ids, strict=True)]
        if used.tool == "shell" and not self._story.brief and self._dice.random() < 0.5:
            self._progress()
        for each, id_, place in zip(calls, ids, places, strict=True):
            if not each.lost:
                self._result(each, id_, place if used.beside else None)

    def _refused(self, used: Used, words: str) -> None:
        message = self._message()
        if used.text:
            self._assistant(message, [{"type": "text", "text": used.text}])
        id_ = f"toolu_{self._hex(24)}"
        self._assistant(message, [self._call(used, id_)])
        text = f"{REJECTED}{WITH_WORDS}{words}" if words else f"{REJECTED}{STOP}"
        block = {"type": "tool_result", "tool_use_id": id_, "content": text, "is_error": True}
        self._user([block], toolUseResult="User rejected tool use")
        if not words:
            self._user([{"type": "text", "text": "[Request interrupted by user for tool use]"}])

    def _call(self, used: Used, id_: str) -> dict[str, Any]:
        args = dict(used.args)
        if "path" in args and used.tool != "search":
            args["file_path"] = f"{self._story.workspace}/{args.pop('path')}"
        for ours, theirs in (("old", "old_string"), ("new", "new_string")):
            if ours in args:
                args[theirs] = args.pop(ours)
        return {"type": "tool_use", "id": id_, "name": _NAMES[used.tool], "input": args}

    def _result(self, used: Used, id_: str, parent: str | None) -> None:
        text = used.output if used.ok or not used.exit else f"Exit code {used.exit}\n{used.output}"
        block = {"type": "tool_result", "tool_use_id": id_, "content": text, "is_error": not used.ok}
        extra: dict[str, Any] = {"toolUseResult": self._shape(used)}
        if parent:
            extra["parentUuid"] = parent
            extra["sourceToolAssistantUUID"] = parent
        self._user([block], **extra)

    def _shape(self, used: Used) -> Any:
        if not used.ok:
            return f"Error: {used.output[:80]}"
        if used.tool in ("write", "edit"):
            return {"type": "create" if used.created else "update", "filePath": used.args["path"]}
        return {"stdout": used.output[:200], "stderr": "", "interrupted": False}

    def _planned(self, items: list[dict[str, str]]) -> None:
        if self._by_task:
            self._by_tasks(items)
            return
        todos = [{"content": each["text"], "status": _STATES[each["state"]], "activeForm": "…"} for each in items]
        self._tool("TodoWrite", {"todos": todos}, "Todos have been modified successfully", {"newTodos": []})

    def _by_tasks(self, items: list[dict[str, str]]) -> None:
        for each in items:
            known = each["text"] in self._tasks
            if not known:
                number = self._tasks[each["text"]] = len(self._tasks) + 1
                given = {"subject": each["text"], "description": "as discussed"}
                made = {"task": {"id": str(number), "subject": each["text"]}}
                self._tool("TaskCreate", given, f"Task #{number} created successfully: {each['text']}", made)
            if known or each["state"] != "pending":
                number = self._tasks[each["text"]]
                given = {"taskId": str(number), "status": _STATES[each["state"]]}
                self._tool("TaskUpdate", given, f"Updated task #{number} status", {"taskId": str(number)})

    def _tool(self, name: str, given: dict[str, Any], text: str, facts: dict[str, Any]) -> None:
        id_ = f"toolu_{self._hex(24)}"
        self._assistant(self._message(), [{"type": "tool_use", "id": id_, "name": name, "input": given}])
        self._user([{"type": "tool_result", "tool_use_id": id_, "content": text}], toolUseResult=facts)

    def _compacted(self, summary: str) -> None:
        before = self._parent
        self._parent = None
        facts = {"trigger": "auto", "preTokens": 160_000}
        boundary = {"subtype": "compact_boundary", "content": "Conversation compacted", "level": "info"}
        self._record("system", {**boundary, "logicalParentUuid": before, "compactMetadata": facts, "isMeta": False})
        text = f"{phrases.CONTINUED}{summary}\nAlways read this first."
        self._user(text, isCompactSummary=True, isVisibleInTranscriptOnly=True)

    def _aside(self, events: list[object]) -> None:
        here, self._parent, self._side = self._parent, None, True
        for event in events:
            self._event(event)
        self._parent, self._side = here, False

    def _left(self, events: list[object]) -> None:
        here = self._parent
        for event in events:
            self._event(event)
        self._parent = here

    def _user(self, content: object, **extra: Any) -> str:
        return self._record("user", {"message": {"role": "user", "content": content}, **extra})

    def _assistant(self, message: str, content: list[dict[str, Any]]) -> str:
        usage = {"input_tokens": 4, "cache_read_input_tokens": 90_000, "output_tokens": 120}
        body = {"id": message, "type": "message", "role": "assistant", "model": "claude-opus-5", "content": content}
        return self._record("assistant", {"message": {**body, "stop_reason": None, "usage": usage}})

    def _progress(self) -> None:
        data = {"type": "bash_progress", "output": "…", "elapsedTimeSeconds": 3}
        self._record("progress", {"data": data, "toolUseID": self._hex(12)})

    def _record(self, kind: str, rest: dict[str, Any]) -> str:
        self._time += timedelta(seconds=self._dice.randint(1, 40))
        uuid = self._id()
        place = {"parentUuid": self._parent, "isSidechain": self._side, "userType": "external", "cwd": self._cwd}
        about = {"sessionId": self._session, "version": "2.1.240", "gitBranch": self._story.branch, "type": kind}
        stamp = self._time.isoformat().replace("+00:00", "Z")
        self._records.append({**place, **about, "uuid": uuid, "timestamp": stamp, **rest})
        self._parent = uuid
        return uuid

    def _message(self) -> str:
        return f"msg_{self._hex(24)}"

    def _hex(self, count: int) -> str:
        return "".join(self._dice.choices("0123456789abcdef", k=count))

    def _id(self) -> str:
        return "-".join(self._hex(count) for count in (8, 4, 4, 4, 12))
