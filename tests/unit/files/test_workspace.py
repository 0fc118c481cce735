from __future__ import annotations

import os
from pathlib import Path

import pytest

from baton.adapters.files.workspace import Target, Workspace, outside_paths
from baton.core.errors import ToolError


def test_a_path_inside_is_shown_relative_to_the_root(root: Path, workspace: Workspace) -> None:
    assert workspace.locate("read", "a/../b/./c.py") == Target(str(root / "b/c.py"), "b/c.py", True, False)


def test_links_are_followed_before_the_decision(root: Path, workspace: Workspace) -> None:
    (root / "inner").mkdir()
    os.symlink(root / "inner", root / "good")
    os.symlink("/etc", root / "bad")
    os.symlink("/nowhere/at/all", root / "dangling")
    assert workspace.locate("read", "good/x").shown == "inner/x"
    assert workspace.locate("read", "bad/passwd") == Target("/etc/passwd", "/etc/passwd", False, False)
    assert workspace.locate("read", "dangling").inside is False


def test_a_directory_with_the_same_beginning_is_outside(root: Path, workspace: Workspace) -> None:
    assert not workspace.locate("read", f"{root}-other/x").inside


def test_a_tilde_is_the_home_directory(workspace: Workspace) -> None:
    assert workspace.locate("read", "~/.ssh/id_rsa").real == os.path.join(os.environ["HOME"], ".ssh/id_rsa")
    assert workspace.locate("read", "a/~/b").inside


@pytest.mark.parametrize("path", ["a\0b", "\ud800", "x/\udfff/y"])
def test_what_cannot_be_a_path_is_refused(workspace: Workspace, path: str) -> None:
    with pytest.raises(ToolError, match="cannot be a path"):
        workspace.locate("read", path)


@pytest.mark.parametrize(
    "path",
    [
        ".git/config",
        ".GIT/hooks/pre-commit",
        "sub/.git/config",
        ".g\u200cit/config",
        ".baton/config.yaml",
        ".envrc",
        ".vscode/tasks.json",
        ".mcp.json",
        ".github/workflows/ci.yml",
        "AGENTS.md",
        "sub/.Npmrc",
        "x.code-workspace",
    ],
)
def test_writing_where_programs_take_orders_counts_as_outside(workspace: Workspace, path: str) -> None:
    target = workspace.locate("write", path)
    assert outside_paths(target, writes=True) == (target.shown,)
    assert outside_paths(target, writes=False) == ()


@pytest.mark.parametrize("path", [".gitignore", "github/workflows/ci.yml", "git/config", "agents.py"])
def test_ordinary_names_are_ordinary(workspace: Workspace, path: str) -> None:
    assert outside_paths(workspace.locate("write", path), writes=True) == ()


def test_in_a_home_directory_everything_with_a_dot_is_configuration() -> None:
    home = Workspace(os.environ["HOME"])
    for path in (".bashrc", ".ssh/authorized_keys", ".config/autostart/x.desktop", ".anything/at/all", "bin/ls"):
        assert outside_paths(home.locate("write", path), writes=True) == (path,)
    assert outside_paths(home.locate("write", "notes/.hidden"), writes=True) == ()


def test_a_directory_above_home_protects_it_too(root: Path) -> None:
    above = Workspace(root.parent)
    assert outside_paths(above.locate("write", "home/.anything"), writes=True) == ("home/.anything",)
    assert outside_paths(above.locate("write", "work/.anything"), writes=True) == ()


def test_what_would_become_a_repository_counts_as_outside(root: Path, workspace: Workspace) -> None:
    (root / "sub" / "objects").mkdir(parents=True)
    (root / "sub" / "refs").mkdir()
    assert outside_paths(workspace.locate("write", "sub/HEAD"), writes=True) == ("sub/HEAD",)
    (root / "sub" / "HEAD").touch()
    assert outside_paths(workspace.locate("write", "sub/config"), writes=True) == ("sub/config",)
    assert outside_paths(workspace.locate("write", "other/config"), writes=True) == ()


def test_what_such_a_name_leads_to_counts_as_outside(root: Path, workspace: Workspace) -> None:
    (root / "settings").mkdir()
    os.symlink("settings", root / ".vscode")
    assert outside_paths(workspace.locate("write", "settings/tasks.json"), writes=True) == ("settings/tasks.json",)
    assert outside_paths(workspace.locate("write", "settings2/tasks.json"), writes=True) == ()


def test_odd_names_are_shown_spelled_out(workspace: Workspace) -> None:
    assert workspace.locate("read", "a\x1b[31m\u202eb").shown == "a\\x1b[31m\\u202eb"
