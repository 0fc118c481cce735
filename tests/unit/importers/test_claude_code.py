"""Each gotcha of the format, by its code."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from baton.adapters.importers.claude_code import ClaudeCode
from baton.core.agent.message import ToolMessage, UserMessage
from baton.core.errors import BadInput
from baton.core.handoff.compression import plan
from baton.core.log import context
from baton.core.log import entry as kinds
from tests.unit.importers.kit import CWD, Claude, call, dumped, of, results, said, stored, users


def read(file: Claude, directory: Path):
    return ClaudeCode().read(file.write(directory))


def test_cc1_a_message_in_pieces_becomes_one_and_its_usage_counts_once(tmp_path: Path) -> None:
    file = Claude()
    file.user("look around")
    file.assistant({"type": "thinking", "thinking": "hm"}, id="msg_a")
    file.assistant(said("I look."), id="msg_a")
    file.assistant(call("t1", "Bash", {"command": "ls"}), id="msg_a")
    file.assistant(call("t2", "Read", {"file_path": f"{CWD}/a.py"}), id="msg_a")
    file.result("t1")
    file.result("t2")
    imported = read(file, tmp_path)
    [answer] = of(imported, kinds.ASSISTANT)
    assert answer.data["text"] == "I look."
    assert [each["name"] for each in answer.data["calls"]] == ["shell", "read"]
    assert answer.data["usage"] == {"input": 100, "output": 7, "cached": 90, "cost": None}
    assert answer.tokens == 7
    assert [each.kind for each in imported.entries[2:]] == ["tool_call", "tool_result"] * 2


def test_cc1_results_of_calls_made_at_once_are_kept_although_they_lie_beside_the_chain(tmp_path: Path) -> None:
    file = Claude()
    file.user("both please")
    first = file.assistant(call("t1", "Bash", {"command": "one"}), id="msg_a")
    second = file.assistant(call("t2", "Bash", {"command": "two"}), id="msg_a")
    file.result("t1", "1", parentUuid=first)
    file.result("t2", "2", parentUuid=second)
    file.assistant(said("both done"))
    imported = read(file, tmp_path)
    assert [(each["details"]["command"], each["text"]) for each in results(imported)] == [("one", "1"), ("two", "2")]
    assert imported.dead == 0


def compacted(file: Claude) -> None:
    before = file.last
    meta = {"trigger": "auto", "preTokens": 155_025}
    file.last = None
    file.record("system", subtype="compact_boundary", logicalParentUuid=before, compactMetadata=meta)
    file.user("This session is being continued … Never forget.", isCompactSummary=True)


def test_cc2_the_work_before_a_compaction_is_kept_and_the_boundary_is_a_cut(tmp_path: Path) -> None:
    file = Claude()
    file.user("before")
    compacted(file)
    file.user("after")
    imported = read(file, tmp_path)
    assert users(imported) == ["before", "after"]
    assert imported.cuts == (1,)
    assert imported.entries[1].data["trigger"] == "auto"
    assert imported.entries[1].data["before"] == 155_025


def test_cc2_a_boundary_whose_logical_parent_is_missing_follows_the_record_before_it(tmp_path: Path) -> None:
    file = Claude()
    file.user("before")
    file.last = None
    file.record("system", subtype="compact_boundary", logicalParentUuid="gone")
    file.user("after")
    imported = read(file, tmp_path)
    assert users(imported) == ["before", "after"]
    assert imported.skipped["missing parent"] == 1


def test_cc3_the_summary_is_a_summary_and_not_a_user_message(tmp_path: Path) -> None:
    file = Claude()
    file.user("never touch main")
    file.tool("Bash", {"command": "ls"})
    compacted(file)
    file.user("go on")
    imported = read(file, tmp_path)
    [summary] = of(imported, kinds.COMPRESSION)
    assert summary.data["foreign"] is True
    assert "Never forget" in summary.data["summary"]
    assert users(imported) == ["never touch main", "go on"]


def test_cc3_the_context_still_has_every_entry_after_a_foreign_summary(tmp_path: Path) -> None:
    file = Claude()
    file.user("never touch main")
    file.tool("Bash", {"command": "ls"})
    compacted(file)
    file.user("go on")
    entries = stored(read(file, tmp_path))
    messages = context.project(entries).messages
    assert [each.text for each in messages if isinstance(each, UserMessage)][1:] == ["never touch main", "go on"]
    planned = plan(entries, 200)
    assert planned is not None
    assert planned.kept.first == "never touch main"
    assert planned.kept.constraints == ("never touch main",)


def test_cc4_a_rewound_branch_is_dead(tmp_path: Path) -> None:
    file = Claude()
    file.user("start")
    fork = file.assistant(said("ok"))
    file.user("wrong way")
    file.tool("Write", {"file_path": f"{CWD}/wrong.py", "content": ""})
    file.last = fork
    file.user("right way")
    imported = read(file, tmp_path)
    assert users(imported) == ["start", "right way"]
    assert results(imported) == []
    assert imported.dead == 3


def test_cc4_editing_the_very_first_message_leaves_only_the_new_one(tmp_path: Path) -> None:
    file = Claude()
    file.user("first try")
    file.assistant(said("ok"))
    file.last = None
    file.user("second try")
    assert users(read(file, tmp_path)) == ["second try"]


def forked(directory: Path, **fork: str) -> Path:
    file = Claude()
    file.user("from the fork", uuid="f1", forkedFrom=fork)
    return file.write(directory, "fork")


def test_cc5_a_fork_pointer_is_resolved(tmp_path: Path) -> None:
    origin = Claude()
    origin.user("from the origin")
    anchor = origin.assistant(said("ok"))
    origin.user("after the fork left")
    origin.write(tmp_path, "s-0")
    imported = ClaudeCode().read(forked(tmp_path, sessionId="s-0", messageUuid=anchor))
    assert users(imported) == ["from the origin", "from the fork"]
    assert imported.parent == "s-0"


@pytest.mark.parametrize("origin", ["missing", "../../etc/passwd", "fork", ""])
def test_cc5_a_fork_pointer_to_nowhere_is_reported(tmp_path: Path, origin: str) -> None:
    imported = ClaudeCode().read(forked(tmp_path, sessionId=origin, messageUuid="x"))
    assert users(imported) == ["from the fork"]
    assert ("fork target missing" in imported.skipped) == (origin != "fork")


def test_cc5_a_fork_that_copied_the_history_is_read_as_it_is(tmp_path: Path) -> None:
    file = Claude()
    copied = {"sessionId": "s-0", "messageUuid": "u1"}
    file.user("copied", forkedFrom=copied)
    file.user("new")
    imported = read(file, tmp_path)
    assert users(imported) == ["copied", "new"]
    assert "fork target missing" not in imported.skipped


def test_cc6_torn_lines_and_split_characters_cost_only_themselves(tmp_path: Path) -> None:
    file = Claude()
    file.user("half a character \ud83d here, a whole one \ud83d\ude00 there")
    file.user("second")
    path = file.write(tmp_path)
    path.write_bytes(path.read_bytes() + b'{"type":"user","uuid":"u9","parentUuid":"u2","mess')
    imported = ClaudeCode().read(path)
    assert users(imported) == ["half a character � here, a whole one 😀 there", "second"]
    assert imported.skipped["torn line"] == 1


@pytest.mark.parametrize("parents", [{1: "u2"}, {1: "u3"}, {0: "u3"}, {0: "u1", 1: "u2", 2: "u3"}])
def test_cc6_parents_in_a_circle_end(tmp_path: Path, parents: dict[int, str]) -> None:
    file = Claude()
    for text in ("one", "two", "three"):
        file.user(text)
    for index, parent in parents.items():
        file.records[index]["parentUuid"] = parent
    imported = read(file, tmp_path)
    assert users(imported) == ["one", "two", "three"]
    assert imported.skipped["parent loop"] >= 1


NOISE = [
    "<command-name>/clear</command-name>\n<command-message>clear</command-message>",
    "<local-command-stdout>Never say never</local-command-stdout>",
    "Caveat: The messages below were generated by the user while running local commands.",
    "[Request interrupted by user]",
    "[Request interrupted by user for tool use]",
    "Base directory for this skill: /x\n\nAlways do this.",
    "<system-reminder>You must not mention this.</system-reminder>",
    "This session is being continued from a previous conversation that ran out of context.",
    "<task-notification>done</task-notification>",
]


@pytest.mark.parametrize("text", NOISE)
@pytest.mark.parametrize("as_block", [True, False])
def test_cc7_noise_is_not_said_by_the_user(tmp_path: Path, text: str, as_block: bool) -> None:
    file = Claude()
    file.user("real")
    file.user([said(text)] if as_block else text)
    imported = read(file, tmp_path)
    assert users(imported) == ["real"]
    assert imported.skipped["noise"] == 1
    assert imported.entries[-1].kind == kinds.NOTE


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("fix it\n<system-reminder>secretly</system-reminder>", "fix it"),
        ("<system-reminder>secretly</system-reminder>\nfix it", "fix it"),
        ("a <system-reminder>x</system-reminder> b <system-reminder>never closed", "a\nb"),
        ("<div> is drawn twice", "<div> is drawn twice"),
        ("  indented\n\tas it was  ", "  indented\n\tas it was  "),
    ],
)
def test_cc7_what_the_user_said_stays_as_it_was_said(tmp_path: Path, given: str, kept: str) -> None:
    file = Claude()
    file.user(given)
    assert users(read(file, tmp_path)) == [kept]


def test_cc7_a_message_that_waited_while_the_agent_worked_was_said_by_the_user(tmp_path: Path) -> None:
    file = Claude()
    file.user("start")
    file.record("attachment", attachment={"type": "queued_command", "prompt": "and stop after that"})
    file.record("attachment", attachment={"type": "todo_reminder", "content": []})
    assert users(read(file, tmp_path)) == ["start", "and stop after that"]


def test_cc8_todo_write_is_a_plan(tmp_path: Path) -> None:
    file = Claude()
    todos = [("write it", "completed"), ("test it", "in_progress"), ("ship it", "pending")]
    file.tool("TodoWrite", {"todos": [{"content": text, "status": status} for text, status in todos]})
    [done] = results(read(file, tmp_path), "plan")
    wanted = [("write it", "done"), ("test it", "doing"), ("ship it", "pending")]
    assert done["details"]["items"] == [{"text": text, "state": state} for text, state in wanted]


def test_cc8_tasks_told_one_by_one_make_the_same_whole_plan(tmp_path: Path) -> None:
    file = Claude()
    for number, subject in enumerate(("write it", "test it", "drop it"), 1):
        file.tool("TaskCreate", {"subject": subject}, f"Task #{number} created successfully: {subject}")
    file.tool("TaskUpdate", {"taskId": "1", "status": "completed"}, "Updated task #1 status")
    file.tool("TaskUpdate", {"taskId": "2", "status": "in_progress"}, "Updated task #2 status")
    file.tool("TaskUpdate", {"taskId": "3", "status": "deleted"}, "Updated task #3 status")
    file.tool("TaskUpdate", {"taskId": "2", "status": "completed"}, "No such task", error=True)
    plans = [each["details"].get("items") for each in results(read(file, tmp_path), "plan")]
    assert plans[-2] == [{"text": "write it", "state": "done"}, {"text": "test it", "state": "doing"}]
    assert plans[-1] is None


def test_cc9_progress_is_left_out_but_still_links_what_is_around_it(tmp_path: Path) -> None:
    file = Claude()
    file.user("before")
    for _ in range(3):
        file.record("progress", data={"type": "bash_progress"})
    file.user("after")
    imported = read(file, tmp_path)
    assert users(imported) == ["before", "after"]
    assert imported.skipped["progress"] == 3
    assert imported.dead == 0


@pytest.mark.parametrize(
    ("text", "error", "shape", "exit_", "ok"),
    [
        ("fine", False, {"stdout": "fine", "interrupted": False}, 0, True),
        ("Exit code 2\nno such file", True, "Error: Exit code 2\nno such file", 2, False),
        ("Exit code 0 is what I print", False, "a string", 0, True),
        ("it broke", True, {"stdout": ""}, None, False),
        ("Exit code " + "9" * 5_000, True, {}, None, False),
        ("so far", False, {"interrupted": True}, None, False),
        ("started", False, {"backgroundTaskId": "b1"}, None, True),
    ],
)
def test_cc10_how_a_command_ended_is_read_off_the_block(
    tmp_path: Path, text: str, error: bool, shape: object, exit_: int | None, ok: bool
) -> None:
    file = Claude()
    file.tool("Bash", {"command": "make", "description": "x"}, text, error=error, toolUseResult=shape)
    [done] = results(read(file, tmp_path))
    assert (done["name"], done["ok"], done["details"]["exit"]) == ("shell", ok, exit_)
    assert done["details"]["command"] == "make"
    assert done["details"]["foreign"] == "Bash"


def test_cc10_a_refused_call_did_not_fail_by_itself(tmp_path: Path) -> None:
    file = Claude()
    text = "The user doesn't want to proceed with this tool use. The tool use was rejected."
    file.tool("Bash", {"command": "rm -rf build"}, text, error=True)
    [done] = results(read(file, tmp_path))
    assert done["details"]["refused"] is True
    assert done["ok"] is False


def test_cc10_results_may_be_lists_of_blocks(tmp_path: Path) -> None:
    file = Claude()
    file.tool("Grep", {"pattern": "x"}, [said("a.py:1"), {"type": "image"}, said("b.py:2")])
    assert results(read(file, tmp_path), "search")[0]["text"] == "a.py:1\nb.py:2"


def test_cc11_paths_are_relative_to_the_workspace_although_the_directory_changes(tmp_path: Path) -> None:
    file = Claude()
    for cwd, path in ((CWD, "src/a.py"), (f"{CWD}/src", "src/b.py"), ("/elsewhere", "src/c.py")):
        file.assistant(
            call(f"t{path}", "Edit", {"file_path": f"{CWD}/{path}", "old_string": "", "new_string": ""}), cwd=cwd
        )
        file.result(f"t{path}", cwd=cwd)
    file.tool("Edit", {"file_path": "/etc/hosts"})
    imported = read(file, tmp_path)
    assert imported.workspace == CWD
    paths = [each["details"]["path"] for each in results(imported, "edit")]
    assert paths == ["src/a.py", "src/b.py", "src/c.py", "/etc/hosts"]


def test_cc11_a_session_that_began_in_a_directory_below_belongs_to_the_one_above(tmp_path: Path) -> None:
    file = Claude()
    file.user("start", cwd=f"{CWD}/web")
    file.user("move", cwd=CWD)
    file.tool("Write", {"file_path": f"{CWD}/web/x.ts", "content": ""}, toolUseResult={"type": "create"})
    imported = read(file, tmp_path)
    assert imported.workspace == CWD
    assert results(imported)[0]["details"] == {"path": "web/x.ts", "created": True, "foreign": "Write"}


def test_cc12_subagents_and_meta_records_are_not_the_conversation(tmp_path: Path) -> None:
    file = Claude()
    here = file.user("real")
    file.last = None
    file.user("explore everything", isSidechain=True)
    file.assistant(said("exploring"), isSidechain=True)
    file.last = here
    file.user("never say this", isMeta=True)
    file.user("also real")
    imported = read(file, tmp_path)
    assert users(imported) == ["real", "also real"]
    assert imported.skipped == {"sidechain": 2, "meta": 1}


def test_en1_spoilt_ids_are_paired_by_order(tmp_path: Path) -> None:
    file = Claude()
    for command, text in (("one", "1"), ("two", "2")):
        file.assistant(call("REDACTED", "Bash", {"command": command}))
        file.result("REDACTED", text)
    imported = read(file, tmp_path)
    assert [(each["details"]["command"], each["text"]) for each in results(imported)] == [("one", "1"), ("two", "2")]
    ids = [each["id"] for each in results(imported)]
    assert len(set(ids)) == 2
    answered = [each for each in context.project(stored(imported)).messages if isinstance(each, ToolMessage)]
    assert [each.text for each in answered] == ["1", "2"]


def test_a_call_that_was_never_answered_is_started_with_unknown_outcome(tmp_path: Path) -> None:
    file = Claude()
    file.assistant(call("t1", "Bash", {"command": "deploy"}))
    file.user("are you there?")
    imported = read(file, tmp_path)
    assert [each.kind for each in imported.entries] == ["assistant", "tool_call", "user"]
    [_, asked, _] = context.project(stored(imported)).messages
    assert isinstance(asked, ToolMessage)
    assert asked.text == context.UNKNOWN


def test_unknown_records_are_counted_and_kept(tmp_path: Path) -> None:
    file = Claude()
    file.user("hello")
    file.records.append({"type": "hologram", "data": {"x": 1}})
    imported = read(file, tmp_path)
    assert imported.skipped == {"unknown: hologram": 1}
    [note] = of(imported, kinds.NOTE)
    assert json.loads(note.data["raw"]) == {"type": "hologram", "data": {"x": 1}}


def test_titles_branch_times_and_pointers_come_over(tmp_path: Path) -> None:
    file = Claude()
    file.user("hello")
    file.records += [{"type": "ai-title", "aiTitle": "Greeting"}, {"type": "custom-title", "customTitle": "Mine"}]
    imported = read(file, tmp_path)
    assert (imported.id, imported.title, imported.branch) == ("s-1", "Mine", "main")
    assert imported.entries[0].data["source"] == {"file": "s-1.jsonl", "line": 1}
    assert imported.entries[0].at == 1_793_613_601_000_000


def test_long_outputs_are_cut_and_long_messages_are_not(tmp_path: Path) -> None:
    file = Claude()
    file.user("x" * 100_000)
    file.tool("Bash", {"command": "cat big"}, "y" * 100_000)
    imported = read(file, tmp_path)
    assert users(imported) == ["x" * 100_000]
    assert len(results(imported)[0]["text"]) <= 8_000


def test_a_file_without_a_conversation_is_refused(tmp_path: Path) -> None:
    file = Claude()
    file.record("progress", data={})
    with pytest.raises(BadInput, match="holds no conversation"):
        read(file, tmp_path)


def test_images_leave_a_mark_only_where_nothing_else_was_said(tmp_path: Path) -> None:
    file = Claude()
    image = {"type": "image", "source": {"type": "base64", "data": "iVBOR"}}
    file.user([image, said("what is this?")])
    file.user([image])
    assert users(read(file, tmp_path)) == ["what is this?", "[image]"]


def test_records_without_ids_are_read_in_their_order(tmp_path: Path) -> None:
    path = tmp_path / "plain.jsonl"
    records = [{"type": "user", "message": {"role": "user", "content": text}} for text in ("one", "two")]
    path.write_bytes(dumped(records))
    assert ClaudeCode().recognises(path)
    assert users(ClaudeCode().read(path)) == ["one", "two"]


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        (
            "<command-message>fix is running…</command-message>\n<command-name>/fix</command-name>\n"
            "<command-args>42 & keep the API</command-args>",
            ["/fix 42 & keep the API"],
        ),
        (
            "<command-name>/init</command-name>\n<command-message>init is analyzing your code…</command-message>",
            ["/init"],
        ),
        (
            "<command-name>/model</command-name>\n<command-message>model</command-message>\n<command-args>x</command-args>",
            [],
        ),
    ],
)
def test_cc7_a_command_that_asks_the_model_was_said_by_the_user(tmp_path: Path, text: str, asked: list[str]) -> None:
    file = Claude()
    file.user(text)
    file.user([said("Fix the issue. Steps: …")], isMeta=True)
    file.assistant(said("Fixed."))
    assert users(read(file, tmp_path)) == asked


def test_cc7_a_queued_message_interrupts_nothing(tmp_path: Path) -> None:
    file = Claude()
    file.user("start")
    file.record("attachment", attachment={"type": "queued_command", "prompt": "and a test"})
    assert [bool(each.data.get("meanwhile")) for each in of(read(file, tmp_path), kinds.USER)] == [False, True]


def test_cc14_an_error_of_the_provider_is_no_reply(tmp_path: Path) -> None:
    file = Claude()
    file.user("start")
    file.tool("Bash", {"command": "make"})
    file.assistant(said("API Error: 529 overloaded"), isApiErrorMessage=True)
    imported = read(file, tmp_path)
    assert imported.entries[-1].data["error"] == "API Error: 529 overloaded"
    assert (imported.entries[-1].kind, imported.entries[-1].data["interrupted"]) == (kinds.NOTE, True)
