from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from baton.adapters.files import opening
from baton.core.errors import ToolError


def test_reading_is_cut_at_the_cap(root: Path) -> None:
    (root / "a").write_bytes(b"x" * 100)
    content = opening.read(str(root / "a"), 10)
    assert (content.data, content.whole, content.size) == (b"x" * 10, False, 100)
    assert opening.read(str(root / "a"), 100).whole


def test_a_link_on_the_way_is_not_followed(root: Path) -> None:
    (root / "real").mkdir()
    (root / "real" / "a").write_text("x")
    os.symlink("real", root / "link")
    os.symlink("real/a", root / "last")
    for path in ("link/a", "last"):
        with pytest.raises(ToolError, match="a link was put in its place"), opening.as_tool_errors("read", path):
            opening.read(str(root / path), 10)
    with pytest.raises(NotADirectoryError):
        opening.replace(str(root / "link" / "b"), b"", None)
    assert not (root / "real" / "b").exists()


@pytest.mark.parametrize("kind", ["fifo", "device", "socket", "directory"])
def test_special_files_are_neither_read_nor_written(root: Path, kind: str) -> None:
    path = root / "special"
    if kind == "fifo":
        os.mkfifo(path)
    elif kind == "device":
        path = Path("/dev/null")
    elif kind == "socket":
        os.mknod(path, stat.S_IFSOCK | 0o600)
    else:
        path.mkdir()
    expected = IsADirectoryError if kind == "directory" else opening.Special
    with pytest.raises(expected):
        opening.read(str(path), 10)
    with pytest.raises(expected):
        opening.replace(str(path), b"x", None)


def test_replacing_keeps_the_mode_and_makes_directories(root: Path) -> None:
    opening.replace(str(root / "deep" / "er" / "a"), b"one", None)
    os.chmod(root / "deep/er/a", 0o751)
    opening.replace(str(root / "deep/er/a"), b"two", opening.read(str(root / "deep/er/a"), 10))
    assert (root / "deep/er/a").read_bytes() == b"two"
    assert stat.S_IMODE(os.stat(root / "deep/er/a").st_mode) == 0o751
    assert os.listdir(root / "deep/er") == ["a"]


def test_a_hard_link_to_somewhere_else_is_cut_not_written_through(root: Path, tmp_path: Path) -> None:
    (tmp_path / "precious").write_text("precious")
    os.link(tmp_path / "precious", root / "a")
    opening.replace(str(root / "a"), b"new", opening.read(str(root / "a"), 100))
    assert (tmp_path / "precious").read_text() == "precious"


def test_a_file_that_changed_meanwhile_is_not_replaced(root: Path) -> None:
    (root / "a").write_text("old")
    before = opening.read(str(root / "a"), 100)
    (root / "a").write_text("changed by another")
    with pytest.raises(opening.Moved):
        opening.replace(str(root / "a"), b"new", before)
    with pytest.raises(opening.Moved):
        opening.replace(str(root / "a"), b"new", None)
    assert (root / "a").read_text() == "changed by another"
    assert os.listdir(root) == ["a"]


def test_reasons_are_sentences(root: Path) -> None:
    with pytest.raises(ToolError, match="read failed: a: there is no such file"), opening.as_tool_errors("read", "a"):
        opening.read(str(root / "a"), 10)
    with pytest.raises(ToolError, match="it is a directory"), opening.as_tool_errors("read", "a"):
        opening.read(str(root), 10)
