"""Each gotcha of the format, by its code."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from baton.adapters.importers.codex import Codex
from baton.core.errors import BadInput
from baton.core.log import entry as kinds
from baton.ports.importer import Imported
from tests.unit.importers.kit import CWD, dumped, of, results, users

PATCH = """*** Begin Patch
*** Update File: src/a.py
@@
-old
+new
*** Add File: src/b.py
+new
*** Delete File: src/c.py
*** End Patch"""


class Rollout:
    def __init__(self, **meta: Any) -> None:
        self.records: list[dict[str, Any]] = []
        git = {"branch": "main", "commit_hash": "0123abcd"}
        self.add("session_meta", {"id": "t-1", "cwd": CWD, "git": git, **meta})

    def add(self, kind: str, payload: Any) -> None:
        stamp = f"2026-11-02T10:00:{len(self.records):02d}.000Z"
        self.records.append({"timestamp": stamp, "type": kind, "payload": payload})

    def message(self, role: str, text: str) -> None:
        kind = "output_text" if role == "assistant" else "input_text"
        self.add("response_item", {"type": "message", "role": role, "content": [{"type": kind, "text": text}]})

    def event(self, kind: str, **fields: Any) -> None:
        self.add("event_msg", {"type": kind, **fields})

    def call(self, id_: str, name: str, given: Any) -> None:
        arguments = given if isinstance(given, str) else json.dumps(given)
        self.add("response_item", {"type": "function_call", "name": name, "arguments": arguments, "call_id": id_})

    def output(self, id_: str, output: Any) -> None:
        self.add("response_item", {"type": "function_call_output", "call_id": id_, "output": output})

    def patch(self, id_: str, text: str = PATCH) -> None:
        self.add("response_item", {"type": "custom_tool_call", "name": "apply_patch", "input": text, "call_id": id_})

    def patched(self, id_: str, output: Any = "Success. Updated the following files:") -> None:
        self.add("response_item", {"type": "custom_tool_call_output", "call_id": id_, "output": output})

    def write(self, directory: Path, name: str = "rollout-2026-11-02T10-00-00-t-1") -> Path:
        path = directory / f"{name}.jsonl"
        path.write_bytes(dumped(self.records))
        return path

    def read(self, directory: Path) -> Imported:
        return Codex().read(self.write(directory))


def test_cx1_what_the_user_said_is_taken_once(tmp_path: Path) -> None:
    file = Rollout()
    file.message("user", "fix it")
    file.event("user_message", message="fix it")
    file.event("agent_message", message="On it.")
    file.message("assistant", "On it.")
    imported = file.read(tmp_path)
    assert users(imported) == ["fix it"]
    assert [each.data["text"] for each in of(imported, kinds.ASSISTANT)] == ["On it."]


def test_cx1_without_events_the_items_are_taken(tmp_path: Path) -> None:
    file = Rollout()
    file.message("user", "fix it")
    assert users(file.read(tmp_path)) == ["fix it"]


@pytest.mark.parametrize(
    "text",
    [
        "# AGENTS.md instructions for /home/dev/shop\n\n<INSTRUCTIONS>\nNever push.\n</INSTRUCTIONS>",
        "<environment_context>\n  <cwd>/home/dev</cwd>\n</environment_context>",
        "<user_instructions>Always test.</user_instructions>",
    ],
)
def test_cx2_instructions_and_environment_are_not_said_by_the_user(tmp_path: Path, text: str) -> None:
    file = Rollout()
    file.message("user", text)
    file.message("developer", "You must obey.")
    file.message("user", "hello")
    imported = file.read(tmp_path)
    assert users(imported) == ["hello"]
    assert imported.skipped == {"noise": 1, "developer message": 1}


def test_cx3_encrypted_reasoning_is_counted(tmp_path: Path) -> None:
    file = Rollout()
    file.message("user", "hello")
    file.add("response_item", {"type": "reasoning", "summary": [], "encrypted_content": "gAAAA"})
    assert file.read(tmp_path).skipped == {"reasoning, encrypted": 1}


@pytest.mark.parametrize(
    ("output", "exit_"),
    [
        ("Chunk ID: x\nWall time: 1 s\nProcess exited with code 3\nOutput:\nno", 3),
        ("Exit code: 0\nWall time: 0 seconds\nOutput:\nok", 0),
        (json.dumps({"output": "no", "metadata": {"exit_code": 7, "duration_seconds": 0.1}}), 7),
        ({"content": "no", "success": False}, 1),
        ([{"type": "input_text", "text": "Process exited with code 4"}], 4),
        ("still running", None),
        ("Exit code: " + "9" * 5_000, None),
        (json.dumps({"output": "x", "metadata": {"exit_code": True}}), None),
    ],
)
def test_cx4_the_exit_code_is_found_wherever_it_stands(tmp_path: Path, output: Any, exit_: int | None) -> None:
    file = Rollout()
    file.call("c1", "exec_command", {"cmd": "make test"})
    file.output("c1", output)
    [done] = results(file.read(tmp_path))
    assert (done["name"], done["details"]["command"], done["details"]["exit"]) == ("shell", "make test", exit_)
    assert done["ok"] is (exit_ in (0, None))


@pytest.mark.parametrize(
    ("name", "given", "command"),
    [
        ("shell", {"command": ["bash", "-lc", "ls -la | wc"]}, "ls -la | wc"),
        ("shell", {"command": ["git", "commit", "-m", "two words"]}, "git commit -m 'two words'"),
        ("shell_command", {"command": "ls"}, "ls"),
        ("exec", 'text(await tools.exec_command({cmd:"nl -ba \\"a b\\""}));', 'nl -ba "a b"'),
    ],
)
def test_commands_are_read_from_every_form_they_had(tmp_path: Path, name: str, given: Any, command: str) -> None:
    file = Rollout()
    file.call("c1", name, given)
    file.output("c1", "Exit code: 0")
    assert results(file.read(tmp_path))[0]["details"]["command"] == command


def changed(imported: Imported) -> list[tuple[str, bool, bool, bool]]:
    held = [(each["details"], each["ok"]) for each in results(imported, "edit")]
    return [(each["path"], ok, each["created"], each.get("deleted", False)) for each, ok in held]


EVERY = [("src/a.py", True, False, False), ("src/b.py", True, True, False), ("src/c.py", True, False, True)]


def test_cx5_a_patch_is_one_edit_for_each_file(tmp_path: Path) -> None:
    file = Rollout()
    file.patch("c1")
    file.patched("c1")
    assert changed(file.read(tmp_path)) == EVERY


def test_cx5_a_patch_handed_to_a_shell_is_one_too(tmp_path: Path) -> None:
    file = Rollout()
    file.call("c1", "shell", {"command": ["bash", "-lc", f"apply_patch <<'EOF'\n{PATCH}\nEOF"]})
    file.output("c1", json.dumps({"output": "Success.", "metadata": {"exit_code": 0}}))
    assert changed(file.read(tmp_path)) == EVERY


def test_cx5_the_event_knows_better_than_the_text(tmp_path: Path) -> None:
    file = Rollout()
    file.patch("c1")
    changes = {f"{CWD}/src/a.py": {"type": "add"}, f"{CWD}/src/b.py": {"update": {}}, f"{CWD}/src/c.py": {"delete": {}}}
    file.event("patch_apply_end", call_id="c1", success=True, changes=changes)
    file.patched("c1", "")
    assert changed(file.read(tmp_path))[0] == ("src/a.py", True, True, False)
    failed = Rollout()
    failed.patch("c1")
    failed.event("patch_apply_end", call_id="c1", success=False, changes=changes)
    failed.patched("c1", "Success")
    assert not any(ok for _, ok, _, _ in changed(failed.read(tmp_path)))


@pytest.mark.parametrize("window", [3, "0199-uuid", None])
def test_cx6_and_cx7_a_compaction_is_a_cut_and_nothing_before_it_is_lost(tmp_path: Path, window: object) -> None:
    file = Rollout()
    file.message("user", "before")
    old = [{"type": "message", "role": "user", "content": []}, {"type": "compaction", "encrypted_content": "gA"}]
    file.add("compacted", {"message": "", "replacement_history": old, "window_id": window})
    file.message("user", "after")
    imported = file.read(tmp_path)
    assert users(imported) == ["before", "after"]
    assert imported.cuts == (1,)
    assert imported.skipped == {"opaque compaction": 1}
    assert of(imported, kinds.COMPRESSION) == []


def test_cx7_a_compaction_that_says_something_is_a_summary(tmp_path: Path) -> None:
    file = Rollout()
    file.message("user", "before")
    file.add("compacted", {"message": "We did this.", "window_id": 1})
    [summary] = of(file.read(tmp_path), kinds.COMPRESSION)
    assert summary.data["summary"] == "We did this."


def test_cx8_a_thread_whose_beginning_is_in_another_file_is_joined(tmp_path: Path) -> None:
    base = Rollout()
    base.message("user", "in the base")
    base.write(tmp_path, "rollout-2026-11-01T09-00-00-t-0")
    file = Rollout(forked_from_id="t-0", history_base={"thread_id": "t-0"})
    file.message("user", "in the fork")
    imported = file.read(tmp_path)
    assert users(imported) == ["in the base", "in the fork"]
    assert imported.parent == "t-0"


@pytest.mark.parametrize("base", ["t-9", "../../x", "*"])
def test_cx8_a_missing_beginning_is_reported(tmp_path: Path, base: str) -> None:
    file = Rollout(history_base={"thread_id": base})
    file.message("user", "in the fork")
    imported = file.read(tmp_path)
    assert users(imported) == ["in the fork"]
    assert imported.skipped["history base missing"] == 1


def test_cx8_a_thread_based_on_itself_ends(tmp_path: Path) -> None:
    first = Rollout(history_base="t-1")
    first.message("user", "one")
    first.write(tmp_path, "rollout-b-t-1")
    assert "one" in users(first.read(tmp_path))


def test_cx9_a_compressed_rollout_is_refused_with_the_way_out(tmp_path: Path) -> None:
    path = tmp_path / "rollout-x.jsonl.zst"
    path.write_bytes(b"\x28\xb5\x2f\xfd rest")
    assert Codex().recognises(path)
    with pytest.raises(BadInput, match="zstd -d"):
        Codex().read(path)


def test_cx9_the_old_single_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "rollout-old.json"
    items = [{"role": "user", "content": [{"type": "input_text", "text": "long ago"}], "type": "message"}]
    path.write_text(json.dumps({"session": {"id": "old", "timestamp": "x"}, "items": items}, indent=2))
    assert Codex().recognises(path)
    imported = Codex().read(path)
    assert (imported.id, users(imported)) == ("old", ["long ago"])


def test_the_plan_is_whole_each_time(tmp_path: Path) -> None:
    file = Rollout()
    file.call("c1", "update_plan", {"plan": [{"step": "a", "status": "completed"}, {"step": "b", "status": "pending"}]})
    file.output("c1", "Plan updated")
    items = results(file.read(tmp_path), "plan")[0]["details"]["items"]
    assert items == [{"text": "a", "state": "done"}, {"text": "b", "state": "pending"}]


def test_calls_made_at_once_keep_their_own_results(tmp_path: Path) -> None:
    file = Rollout()
    file.call("c1", "exec_command", {"cmd": "one"})
    file.call("c2", "exec_command", {"cmd": "two"})
    file.output("c2", "Exit code: 2")
    file.output("c1", "Exit code: 1")
    imported = file.read(tmp_path)
    assert [(each["details"]["command"], each["details"]["exit"]) for each in results(imported)] == [
        ("two", 2),
        ("one", 1),
    ]
    assert len(of(imported, kinds.ASSISTANT)) == 1


def test_git_workspace_and_id_come_over(tmp_path: Path) -> None:
    file = Rollout()
    file.message("user", "hello")
    imported = file.read(tmp_path)
    assert (imported.id, imported.workspace, imported.branch, imported.head) == ("t-1", CWD, "main", "0123abcd")


def test_cx1_the_open_files_of_an_editor_were_not_said_by_the_user(tmp_path: Path) -> None:
    file = Rollout()
    file.message("user", "# Context from my IDE setup:\n\n## Open tabs:\n- a.py\n\n## My request for Codex:\nfix it\n")
    file.message("user", "Why does # Context from my IDE setup appear?")
    assert users(file.read(tmp_path)) == ["fix it", "Why does # Context from my IDE setup appear?"]


def test_cx1_a_message_within_a_turn_interrupts_nothing(tmp_path: Path) -> None:
    file = Rollout()
    for kind, said in [("task_started", "one"), ("", "two"), ("task_started", "three"), ("turn_aborted", "four")]:
        if kind:
            file.event(kind)
        file.event("user_message", message=said)
    held = [bool(each.data.get("meanwhile")) for each in of(file.read(tmp_path), kinds.USER)]
    assert held == [False, True, False, False]
