"""read, write, edit"""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

import pytest

from baton.adapters.files.workspace import Workspace
from baton.adapters.tools.change import Edit, Write
from baton.adapters.tools.file_text import KnownFiles
from baton.adapters.tools.read import Read
from baton.core.errors import BadArguments, ToolError
from baton.ports.tool import EDIT, READ, Intent, Outcome
from tests.unit.tools.kit import intended, silent, used

pytestmark = pytest.mark.anyio


class Files(NamedTuple):
    read: Read
    write: Write
    edit: Edit


@pytest.fixture
def files(workspace: Workspace) -> Files:
    seen = KnownFiles()
    return Files(Read(workspace, seen, 2_000), Write(workspace, seen), Edit(workspace, seen))


async def test_read_numbers_its_lines(root: Path, files: Files) -> None:
    (root / "a.txt").write_text("one\ntwo\nthree\n")
    assert await used(files.read, path="a.txt") == Outcome(
        "     1\tone\n     2\ttwo\n     3\tthree\n", details={"path": "a.txt", "size": 14, "lines": 3}
    )
    assert (await used(files.read, path="a.txt", offset=2, limit=1)).text == (
        "     2\ttwo\n[lines 2 to 2 of 3; continue with offset 3]"
    )
    assert (await used(files.read, path="a.txt", offset=9)).text == "[a.txt has no line 9 of 3]"


async def test_read_gives_what_fits_and_says_how_to_go_on(root: Path, files: Files) -> None:
    (root / "long").write_text("".join(f"line {number}\n" for number in range(1, 100_001)))
    text = (await used(files.read, path="long")).text
    assert len(text) < 2_200
    next_ = int(text.rpartition("offset ")[2].rstrip("]"))
    assert (await used(files.read, path="long", offset=next_)).text.startswith(f"{next_:>6}\tline {next_}\n")


async def test_read_finds_lines_of_files_too_large_to_hold(root: Path, files: Files) -> None:
    with open(root / "huge", "w") as file:
        for number in range(1, 1_200_001):
            file.write(f"line {number}\n")
    found = await used(files.read, path="huge", offset=1_100_000, limit=2)
    assert found.text.startswith(
        "1100000\tline 1100000\n1100001\tline 1100001\n[lines 1,100,000 to 1,100,001 of a file"
    )


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"", "[f is empty]"),
        (b"\x7fELF\0\0", "f is a binary file of 6 bytes; it is not shown."),
        (b"\x89PNG\r\n\x1a\n" + b"\0" * 8 + b"\0\0\x02\x80\0\0\x01\xe0", "f is a PNG image, 640×480, of 24 bytes"),
        (b"\xff\xd8\xff\xe0", "f is a JPEG image of 4 bytes; it is not shown."),
        (b"\xef\xbb\xbfbom\r\nx", "     1\tbom\n     2\tx\n"),
        ("wide".encode("utf-16"), "     1\twide\n"),
        (b"\xff\xfelatin \xe9", "     1\t"),
        (b"bad \xe9\xe8 text\n", "     1\tbad \ufffd\ufffd text\n"),
        (b"\x1b[31mred\x1b[0m\n", "     1\tred\n"),
    ],
)
async def test_read_tells_what_a_file_is(root: Path, files: Files, data: bytes, text: str) -> None:
    (root / "f").write_bytes(data)
    assert (await used(files.read, path="f")).text.startswith(text)


async def test_read_asks_before_it_leaves_the_workspace(files: Files) -> None:
    assert await intended(files.read, path="/etc/hostname") == Intent(
        "Read /etc/hostname", READ, outside=("/etc/hostname",)
    )


async def test_run_without_an_intent_never_leaves_the_workspace(files: Files) -> None:
    with pytest.raises(ToolError, match="outside the workspace, and nobody was asked"):
        await files.read.run({"path": "/etc/hostname"}, silent)
    with pytest.raises(ToolError, match="outside the workspace, and nobody was asked"):
        await files.write.run({"path": ".git/hooks/pre-commit", "content": "x"}, silent)


async def test_write_creates_and_tells_the_change(root: Path, files: Files) -> None:
    intent = await intended(files.write, path="src/new.py", content="a\nb\n")
    assert intent == Intent(
        "Create src/new.py",
        EDIT,
        "--- /dev/null\n+++ src/new.py\n@@ -0,0 +1,2 @@\n+a\n+b\n",
        ("src/new.py",),
        asks="Create src/new.py?",
    )
    assert not (root / "src").exists()
    outcome = await used(files.write, path="src/new.py", content="a\nb\n")
    assert outcome == Outcome(
        "Created src/new.py (2 lines).", details={"path": "src/new.py", "diff": intent.preview, "created": True}
    )
    assert (root / "src/new.py").read_text() == "a\nb\n"


async def test_write_through_a_link_inside_keeps_the_link(root: Path, files: Files) -> None:
    (root / "real.txt").write_text("old\n")
    os.symlink("real.txt", root / "link.txt")
    await used(files.write, path="link.txt", content="new\n")
    assert os.path.islink(root / "link.txt")
    assert (root / "real.txt").read_text() == "new\n"


async def test_write_through_a_link_outside_is_named(root: Path, files: Files, tmp_path: Path) -> None:
    os.symlink(tmp_path / "target", root / "link.txt")
    intent = await intended(files.write, path="link.txt", content="x")
    assert intent.outside == (str(tmp_path / "target"),)
    assert intent.paths == ()


async def test_a_link_that_turned_since_the_decision_is_not_followed(root: Path, files: Files, tmp_path: Path) -> None:
    (root / "a.txt").write_text("inside\n")
    args = {"path": "a.txt", "content": "x"}
    await files.write.intent(args)
    (root / "a.txt").unlink()
    os.symlink(tmp_path / "target", root / "a.txt")
    with pytest.raises(ToolError, match="which was not what was decided on"):
        await files.write.run(args, silent)
    assert not (tmp_path / "target").exists()


async def test_a_file_that_changed_while_the_decision_was_open_is_kept(root: Path, files: Files) -> None:
    (root / "a.txt").write_text("one\n")
    args = {"path": "a.txt", "old": "one", "new": "two"}
    await files.edit.intent(args)
    (root / "a.txt").write_text("one more\n")
    with pytest.raises(ToolError, match="changed while the decision was open"):
        await files.edit.run(args, silent)
    assert (root / "a.txt").read_text() == "one more\n"


async def test_edit_replaces_exactly_and_tells_the_diff(root: Path, files: Files) -> None:
    (root / "a.py").write_bytes(b"x = 1\r\ny = 2\r\n")
    os.chmod(root / "a.py", 0o755)
    outcome = await used(files.edit, path="a.py", old="x = 1\ny", new="x = 3\nz")
    assert outcome.text == "Changed a.py: 2 lines added, 2 removed."
    assert outcome.details["diff"].startswith("--- a.py\n+++ a.py\n@@ -1,2 +1,2 @@\n-x = 1")
    assert (root / "a.py").read_bytes() == b"x = 3\r\nz = 2\r\n"
    assert os.stat(root / "a.py").st_mode & 0o777 == 0o755


@pytest.mark.parametrize(
    ("args", "reason"),
    [
        ({"old": "nothing", "new": "x"}, "the text to replace is not in a.txt"),
        ({"old": "twice", "new": "x"}, "the text to replace stands 2 times in a.txt; give more of it, or all"),
        ({"old": "  \tindented", "new": "x"}, "line 3 is like it but for white space"),
    ],
)
async def test_edit_refuses_what_does_not_fit_once(root: Path, files: Files, args: dict[str, str], reason: str) -> None:
    (root / "a.txt").write_text("twice\ntwice\n    indented\nend\n")
    with pytest.raises(ToolError, match=reason):
        await intended(files.edit, path="a.txt", **args)
    assert (root / "a.txt").read_text() == "twice\ntwice\n    indented\nend\n"


async def test_edit_replaces_all_when_told(root: Path, files: Files) -> None:
    (root / "a.txt").write_text("a a a")
    await used(files.edit, path="a.txt", old="a", new="b", all=True)
    assert (root / "a.txt").read_text() == "b b b"


async def test_edit_refuses_the_same_text_and_what_is_no_text(root: Path, files: Files) -> None:
    (root / "bin").write_bytes(b"\xff\0a")
    with pytest.raises(BadArguments, match="old and new are the same"):
        await intended(files.edit, path="bin", old="a", new="a")
    with pytest.raises(ToolError, match="bin is not UTF-8 text"):
        await intended(files.edit, path="bin", old="a", new="b")
    with pytest.raises(ToolError, match="none: there is no such file"):
        await intended(files.edit, path="none", old="a", new="b")


@pytest.mark.parametrize("tool", ["edit", "write"])
async def test_a_file_that_changed_since_it_was_read_must_be_read_again(root: Path, files: Files, tool: str) -> None:
    (root / "a.txt").write_text("one\n")
    await used(files.read, path="a.txt")
    (root / "a.txt").write_text("one\nsomebody else's\n")
    args = {"old": "one", "new": "two"} if tool == "edit" else {"content": "two\n"}
    with pytest.raises(ToolError, match="changed since you last read it; read it again first"):
        await used(getattr(files, tool), path="a.txt", **args)
    await used(files.read, path="a.txt")
    assert (await used(getattr(files, tool), path="a.txt", **args)).ok


async def test_own_changes_need_no_reading_again(root: Path, files: Files) -> None:
    await used(files.write, path="a.txt", content="one\n")
    await used(files.edit, path="a.txt", old="one", new="two")
    await used(files.edit, path="a.txt", old="two", new="three")
    assert (root / "a.txt").read_text() == "three\n"


async def test_content_that_no_file_can_hold_is_refused(files: Files) -> None:
    with pytest.raises(BadArguments, match="lone surrogate"):
        await intended(files.write, path="a", content="\ud800")


async def test_the_preview_spells_out_what_a_terminal_would_hide(files: Files) -> None:
    intent = await intended(files.write, path="a", content="x\x1b[8mhidden\u202e\n")
    assert "+x\\x1b[8mhidden\\u202e" in intent.preview
