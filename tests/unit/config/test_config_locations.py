"""Where BATON_HOME is, and which project file holds for a directory."""

from __future__ import annotations

from pathlib import Path

import pytest

from baton.config import Settings, load
from baton.config.locations import data_home

HOME = Path("/home/u")


@pytest.mark.parametrize(
    ("platform", "environ", "expected"),
    [
        ("linux", {}, "/home/u/.local/share/baton"),
        ("linux", {"XDG_DATA_HOME": "/data"}, "/data/baton"),
        ("linux", {"XDG_DATA_HOME": "data"}, "/home/u/.local/share/baton"),
        ("linux", {"XDG_DATA_HOME": ""}, "/home/u/.local/share/baton"),
        ("freebsd14", {}, "/home/u/.local/share/baton"),
        ("darwin", {"XDG_DATA_HOME": "/data"}, "/home/u/Library/Application Support/baton"),
        ("win32", {"LOCALAPPDATA": "/local"}, "/local/baton"),
        ("win32", {}, "/home/u/AppData/Local/baton"),
    ],
)
def test_data_home_follows_the_platform(platform, environ, expected):
    assert data_home(environ, HOME, platform) == Path(expected)


def test_the_user_file_is_found_in_the_default_home(desk, monkeypatch):
    monkeypatch.setattr("sys.platform", "linux")
    file = desk.home / ".local" / "share" / "baton" / "config.yaml"
    file.parent.mkdir(parents=True)
    file.write_text("ui: {color: never}")
    loaded = load(environ={}, cwd=desk.work, home=desk.home)
    assert loaded.settings.ui.color == "never"
    assert loaded.locations.home == file.parent


def project_for(cwd: Path, home: Path, **environ: str) -> Path | None:
    return load(environ=environ, cwd=cwd, home=home).locations.project


def test_the_nearest_project_file_above_is_found(desk):
    desk.project("")
    deep = desk.work / "a" / "b"
    nearer = desk.work / "a" / ".baton" / "config.yaml"
    deep.mkdir(parents=True)
    assert project_for(deep, desk.home) == desk.project_file
    nearer.parent.mkdir()
    nearer.write_text("")
    assert project_for(deep, desk.home) == nearer


def test_the_search_ends_at_the_repository_root(desk):
    above = desk.work.parent / ".baton"
    above.mkdir()
    (above / "config.yaml").write_text("")
    assert project_for(desk.work, desk.home) is None


def test_a_worktree_whose_git_is_a_file_ends_the_search_too(desk):
    desk.project("")
    tree = desk.work / "tree"
    tree.mkdir()
    (tree / ".git").write_text("gitdir: elsewhere")
    assert project_for(tree, desk.home) is None


def test_the_search_ends_at_the_home_directory_also_through_a_link(desk, tmp_path):
    for folder in (desk.home, tmp_path):
        (folder / ".baton").mkdir()
        (folder / ".baton" / "config.yaml").write_text("")
    cwd = desk.home / "notes"
    cwd.mkdir()
    link = tmp_path / "link"
    link.symlink_to(desk.home)
    assert project_for(cwd, desk.home) == desk.home / ".baton" / "config.yaml"
    assert project_for(cwd, link) == desk.home / ".baton" / "config.yaml"


def test_outside_home_and_repository_only_the_current_directory_counts(tmp_path):
    cwd = tmp_path / "a"
    for folder in (tmp_path, cwd):
        (folder / ".baton").mkdir(parents=True, exist_ok=True)
    (tmp_path / ".baton" / "config.yaml").write_text("")
    assert project_for(cwd, HOME) is None
    (cwd / ".baton" / "config.yaml").write_text("")
    assert project_for(cwd, HOME) == cwd / ".baton" / "config.yaml"


def test_the_user_file_is_never_taken_for_a_project_file(desk):
    file = desk.home / ".baton" / "config.yaml"
    file.parent.mkdir()
    file.write_text("store: {url: /data/x.db}")
    cwd = desk.home / "notes"
    cwd.mkdir()
    loaded = load(environ={"BATON_HOME": str(file.parent)}, cwd=cwd, home=desk.home)
    assert loaded.locations.project is None
    assert loaded.settings.store.url == "/data/x.db"


def test_a_baton_that_is_a_file_holds_no_configuration(desk):
    desk.project_file.parent.rmdir()
    desk.project_file.parent.write_text("")
    assert desk.load().settings == Settings()
