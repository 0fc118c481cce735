"""Tool calls as editors draw them: kind, title, locations, changes, output."""

from __future__ import annotations

import json
import os
from base64 import b64encode
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import quote

from baton.core.agent.shown import shown_file
from baton.core.value import value
from baton.surfaces.acp.frames import Json
from baton.surfaces.acp.updates import text
from baton.surfaces.shared.call_end import describe_call_end
from baton.surfaces.shared.shown import read_shown
from baton.surfaces.words import editor as words

KINDS = {
    "shell": "execute",
    "read": "read",
    "write": "edit",
    "edit": "edit",
    "list": "search",
    "search": "search",
    "plan": "think",
    "fetch": "fetch",
    "session_handoff": "think",
    "show": "other",
    "recall": "search",
}
RAW = 20_000
LARGEST_PICTURE = 2_000_000


class CallIds:
    """Ids of calls, unique in a session although models reuse theirs. A call gets the same id live and in a replay."""

    def __init__(self) -> None:
        self._turn = ""
        self._count: dict[str, int] = {}
        self._open: dict[str, str] = {}

    def begin(self, turn_id: str) -> None:
        if turn_id != self._turn:
            self._turn = turn_id
            self._count.clear()
            self._open.clear()

    def of(self, call_id: str) -> tuple[str, bool]:
        """The id of a call, and whether it is new."""
        if call_id in self._open:
            return self._open[call_id], False
        number = self._count[call_id] = self._count.get(call_id, 0) + 1
        self._open[call_id] = f"{self._turn}/{call_id}" + (f"/{number}" if number > 1 else "")
        return self._open[call_id], True

    def end(self, call_id: str) -> None:
        self._open.pop(call_id, None)

    def still_open(self) -> list[str]:
        return list(self._open.values())


@value
class KnownCall:
    """What is known of a call so far. `diff` is a unified diff, complete or empty; `terminal` is the id of the client's
    terminal that shows the call.
    """

    tool: str
    args: Mapping[str, Any]
    title: str = ""
    text: str = ""
    diff: str = ""
    terminal: str = ""


def announce(call_id: str, shown: KnownCall, workspace: str, status: str) -> Json:
    """The first update of a call."""
    return {"sessionUpdate": "tool_call", **describe(call_id, shown, workspace, status)}


def describe(call_id: str, shown: KnownCall, workspace: str, status: str) -> Json:
    """A call as updates and permission requests show it."""
    places = list(locations(shown, workspace))
    content = _content(shown, workspace)
    return {
        "toolCallId": call_id,
        "title": shown.title or shown.tool,
        "kind": KINDS.get(shown.tool, "other"),
        "status": status,
        **({"locations": places} if places else {}),
        **({"content": content} if content else {}),
        "rawInput": bound(dict(shown.args)),
    }


def progress(call_id: str, status: str, said: str = "") -> Json:
    content = {"content": [_block(said)]} if said else {}
    return {"sessionUpdate": "tool_call_update", "toolCallId": call_id, "status": status, **content}


def embed_terminal(call_id: str, terminal_id: str) -> Json:
    content = [_terminal(terminal_id)]
    return {"sessionUpdate": "tool_call_update", "toolCallId": call_id, "status": "in_progress", "content": content}


def end(call_id: str, shown: KnownCall, workspace: str, details: Mapping[str, Any], *, ok: bool) -> Json:
    """The last update of a call; its content replaces what was shown before. A command whose output says that it failed
    is shown as failed, whatever its exit code, and its title says how it ended.
    """
    end = describe_call_end(shown.tool, shown.text, details, ok=ok)
    facts = {name: each for name, each in details.items() if name not in ("diff", "items", "shown")}
    return {
        "sessionUpdate": "tool_call_update",
        "toolCallId": call_id,
        "status": "completed" if end.ok else "failed",
        **({"title": f"{shown.title or shown.tool} · {end.note}"} if end.note else {}),
        "content": _shown_blocks(details) or _content(shown, workspace) or [_block(shown.text)],
        "rawOutput": bound({"text": shown.text, **facts}),
    }


def locations(shown: KnownCall, workspace: str) -> Iterator[Json]:
    path = shown.args.get("path")
    if isinstance(path, str) and path and "\0" not in path and shown.tool in KINDS:
        line = shown.args.get("offset") if shown.tool == "read" else None
        number = {"line": line} if isinstance(line, int) and 0 < line < 2**32 else {}
        yield {"path": _absolute(path, workspace), **number}


def _terminal(terminal_id: str) -> Json:
    return {"type": "terminal", "terminalId": terminal_id}


def _content(shown: KnownCall, workspace: str) -> list[Json]:
    if shown.terminal:
        return [_terminal(shown.terminal)]
    path = shown.args.get("path")
    if shown.diff and isinstance(path, str) and "\0" not in path:
        blocks = [_diff(_absolute(path, workspace), old, new) for old, new in split_hunks(shown.diff)]
        if blocks:
            return blocks
    words = shown.text or shown.diff
    return [_block(words)] if words else []


def _diff(path: str, old: str | None, new: str) -> Json:
    return {"type": "diff", "path": path, "oldText": old, "newText": new}


def _shown_blocks(details: Mapping[str, Any]) -> list[Json]:
    """A file that the agent shows: the picture itself if it is small enough, otherwise a link to the file."""
    if (shown := shown_file(details)) is None:
        return []
    caption = [_block(shown.caption)] if shown.caption else []
    if shown.is_picture and shown.size <= LARGEST_PICTURE and (data := read_shown(shown)) is not None:
        picture = {"type": "image", "data": b64encode(data).decode(), "mimeType": shown.media_type}
        return [*caption, {"type": "content", "content": picture}]
    uri = f"file://{quote(shown.path)}"
    link = {"type": "resource_link", "uri": uri, "name": shown.name, "mimeType": shown.media_type, "size": shown.size}
    return [*caption, {"type": "content", "content": link}]


def _block(words: str) -> Json:
    return {"type": "content", "content": text(words)}


def _absolute(path: str, workspace: str) -> str:
    return os.path.normpath(os.path.join(workspace, os.path.expanduser(path)))


def bound(given: Json) -> Json:
    """Cuts raw data to a size that fits a message: long texts are cut; what is not JSON, or too large in total, becomes
    a short text.
    """
    found = {name: _cut(each) for name, each in given.items()}
    try:
        size = len(json.dumps(found, allow_nan=False))
    except (TypeError, ValueError, RecursionError):
        size = 4 * RAW
    return found if size < 4 * RAW else {"text": _cut(str(given)[: 2 * RAW])}


def _cut(each: Any) -> Any:
    if isinstance(each, str) and len(each) > RAW:
        return each[:RAW] + words.CUT.format(left=len(each) - RAW)
    return each


MOST_HUNKS = 40
_NEW_FILE = "--- /dev/null"


def split_hunks(diff: str) -> list[tuple[str | None, str]]:
    """The old and new text of each hunk; a new file's old text is None. Empty if it is not a diff, was cut, or has too
    many hunks to look at.
    """
    lines = diff.split("\n")
    if len(lines) < 3 or not lines[0].startswith("--- ") or not lines[1].startswith("+++ "):
        return []
    found: list[tuple[list[str], list[str]]] = []
    for line in lines[2:]:
        if line.startswith("@@"):
            found.append(([], []))
        elif line and (not found or not _take(line, *found[-1])):
            return []
    if len(found) > MOST_HUNKS:
        return []
    created = lines[0] == _NEW_FILE
    return [(None if created else _join(old), _join(new)) for old, new in found]


def _take(line: str, old: list[str], new: list[str]) -> bool:
    """Adds a line to the sides it belongs to; False if it is not a line of a diff."""
    mark, rest = line[0], line[1:]
    if mark == "\\":
        return True
    if mark in " -":
        old.append(rest)
    if mark in " +":
        new.append(rest)
    return mark in " -+"


def _join(lines: list[str]) -> str:
    return "\n".join(lines) + "\n" if lines else ""
