"""Each gotcha of the format, by its code."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from baton.adapters.importers.opencode import CLEARED, OpenCode
from baton.core.log import entry as kinds
from baton.ports.importer import Imported
from tests.unit.importers.kit import CWD, of, results, users


def text(words: str, **more: Any) -> dict[str, Any]:
    return {"type": "text", "text": words, **more}


def tool(name: str, given: dict[str, Any], **state: Any) -> dict[str, Any]:
    done = {"status": "completed", "input": given, "output": "ok", "metadata": {}, "time": {"start": 1, "end": 2}}
    return {"type": "tool", "tool": name, "callID": f"call-{name}", "state": {**done, **state}}


def read(directory: Path, *messages: tuple[str, list[dict[str, Any]]], **extra: Any) -> Imported:
    made = [
        {"info": {"id": f"msg{n}", "role": role, "time": {"created": 1_793_613_600_000 + n}, **extra}, "parts": parts}
        for n, (role, parts) in enumerate(messages)
    ]
    path = directory / "session.json"
    about = {"id": "ses_1", "title": "Shop", "directory": CWD, "parentID": "ses_0"}
    path.write_text(json.dumps({"info": about, "messages": made}, indent=2))
    assert OpenCode().recognises(path)
    return OpenCode().read(path)


def test_messages_tools_and_titles_come_over(tmp_path: Path) -> None:
    bash = tool("bash", {"command": "make"}, metadata={"exit": 2})
    imported = read(tmp_path, ("user", [text("hello")]), ("assistant", [text("Hi."), bash]))
    assert (imported.id, imported.title, imported.workspace, imported.parent) == ("ses_1", "Shop", CWD, "ses_0")
    assert [each.kind for each in imported.entries] == ["user", "assistant", "tool_call", "tool_result"]
    [done] = results(imported)
    assert (done["name"], done["ok"], done["details"]["exit"]) == ("shell", False, 2)
    assert imported.entries[0].at == 1_793_613_600_000_000


def test_oc2_patch_parts_name_files_that_no_edit_named(tmp_path: Path) -> None:
    edit = tool("edit", {"filePath": f"{CWD}/a.py", "oldString": "", "newString": ""})
    patch = {"type": "patch", "hash": "abc", "files": [f"{CWD}/a.py", f"{CWD}/gen/b.py"]}
    imported = read(tmp_path, ("assistant", [edit, patch, {"type": "step-finish"}]))
    assert [each["details"].get("path") or each["details"]["paths"] for each in results(imported)] == [
        "a.py",
        ["gen/b.py"],
    ]


def test_oc2_an_error_is_a_failure(tmp_path: Path) -> None:
    write = tool("write", {"filePath": f"{CWD}/a.py", "content": ""}, status="error", error="read-only")
    [done] = results(read(tmp_path, ("assistant", [write])))
    assert (done["ok"], done["text"], done["details"]["created"]) == (False, "read-only", False)


def test_oc3_a_compaction_is_neither_said_by_the_user_nor_an_answer(tmp_path: Path) -> None:
    path = tmp_path / "s.json"
    summary = {"info": {"role": "assistant", "summary": True}, "parts": [text("We did this.")]}
    asked = {
        "info": {"role": "user"},
        "parts": [{"type": "compaction", "auto": True}, text("summarise", synthetic=True)],
    }
    messages = [{"info": {"role": "user"}, "parts": [text("before")]}, asked, summary]
    path.write_text(
        json.dumps({"info": {}, "messages": [*messages, {"info": {"role": "user"}, "parts": [text("after")]}]})
    )
    imported = OpenCode().read(path)
    assert users(imported) == ["before", "after"]
    assert imported.cuts == (1,)
    assert [each.data["summary"] for each in of(imported, kinds.COMPRESSION)] == ["We did this."]
    assert of(imported, kinds.ASSISTANT) == []


def test_oc4_a_cleared_output_is_missing_and_not_empty(tmp_path: Path) -> None:
    cleared = tool("bash", {"command": "make"}, output="", metadata={"exit": 0}, time={"compacted": 5})
    [done] = results(read(tmp_path, ("assistant", [cleared])))
    assert (done["text"], done["details"]["missing"], done["ok"]) == (CLEARED, True, True)


def test_todos_are_the_plan_and_cancelled_ones_are_gone(tmp_path: Path) -> None:
    todos = [("a", "completed"), ("b", "cancelled"), ("c", "in_progress")]
    given = {"todos": [{"content": content, "status": status, "id": content} for content, status in todos]}
    [done] = results(read(tmp_path, ("assistant", [tool("todowrite", given)])), "plan")
    assert done["details"]["items"] == [{"text": "a", "state": "done"}, {"text": "c", "state": "doing"}]


def test_unknown_parts_are_counted(tmp_path: Path) -> None:
    imported = read(tmp_path, ("user", [text("hi")]), ("assistant", [text("x"), {"type": "hologram"}]))
    assert imported.skipped == {"unknown: hologram": 1}
