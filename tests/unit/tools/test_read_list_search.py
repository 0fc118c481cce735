"""list, search, plan"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from baton.adapters.files.workspace import Workspace
from baton.adapters.tools.list import List, levels
from baton.adapters.tools.output import Logs
from baton.adapters.tools.plan import Plan
from baton.adapters.tools.search import Search
from baton.core.errors import BadArguments, ToolError
from baton.ports.tool import Outcome
from tests.unit.tools.kit import intended, used

pytestmark = pytest.mark.anyio


def fill(root: Path, *names: str) -> None:
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(f"first\nneedle in {name}\nlast\n")


@pytest.fixture(params=["scan", *(["rg"] if shutil.which("rg") else [])])
def search(request: pytest.FixtureRequest, workspace: Workspace, logs: Logs, monkeypatch: pytest.MonkeyPatch) -> Search:
    if request.param == "scan":
        from baton.adapters.tools import search as module

        monkeypatch.setattr(module, "find_program", lambda name, _: None if name == "rg" else shutil.which(name))
    return Search(workspace, logs, 4_000)


@pytest.fixture
def list_(workspace: Workspace) -> List:
    return List(workspace, 4_000)


def test_levels_count_what_they_do_not_open() -> None:
    names = ["a/b/c/d.py", "a/b/e.py", "a/f.py", "g.py", "empty/"]
    assert levels(names, 1) == ["a/ (3 files)", "empty/", "g.py"]
    assert levels(names, 2) == ["a/", "a/b/ (2 files)", "a/f.py", "empty/", "g.py"]


async def test_list_walks_where_there_is_no_repository(root: Path, list_: List) -> None:
    fill(root, "src/a.py", "src/deep/er/b.py", "node_modules/x/index.js", "README.md")
    os.symlink("/etc", root / "link")
    (root / "empty").mkdir()
    outcome = await used(list_)
    assert outcome.text == "README.md\nempty/\nlink\nnode_modules/\nsrc/\nsrc/a.py\nsrc/deep/ (1 files)"
    assert outcome.details == {"path": ".", "files": 6, "complete": True}


async def test_list_leaves_out_what_git_ignores(root: Path, list_: List) -> None:
    fill(root, "src/a.py", "build/out.o", "node_modules/x.js")
    (root / ".gitignore").write_text("build/\nnode_modules/\n")
    subprocess.run(["git", "init", "-q"], cwd=root, check=True)
    assert (await used(list_)).text == ".gitignore\nsrc/\nsrc/a.py"
    assert (await used(list_, path="build")).text == "out.o"


async def test_list_is_bounded(root: Path, list_: List) -> None:
    fill(root, *(f"file{number:05}" for number in range(2_000)))
    text = (await used(list_)).text
    assert len(text) < 4_200
    assert text.endswith("more; list a directory below, or a smaller depth]")


async def test_list_of_what_is_no_directory(root: Path, list_: List) -> None:
    fill(root, "a")
    with pytest.raises(ToolError, match="a is not a directory"):
        await used(list_, path="a")
    assert (await intended(list_, path="/etc")).outside == ("/etc",)


async def test_search_answers_with_path_line_and_text(root: Path, search: Search) -> None:
    fill(root, "src/a.py", "b.txt")
    assert (await used(search, pattern="need.e")) == Outcome(
        "2 lines in 2 files.\nb.txt:2:needle in b.txt\nsrc/a.py:2:needle in src/a.py\n",
        details={"matches": 2, "complete": True, "log": None},
    )
    assert (await used(search, pattern="needle", path="src/a.py")).details["matches"] == 1
    assert (await used(search, pattern="nowhere")).text == "Nothing found.\n"


@pytest.mark.parametrize(
    ("args", "found"),
    [
        ({"pattern": "NEEDLE"}, 0),
        ({"pattern": "NEEDLE", "ignore_case": True}, 4),
        ({"pattern": "needle", "glob": "*.py"}, 2),
        ({"pattern": "needle", "glob": "src/*.py"}, 1),
        ({"pattern": "needle", "glob": "src/**/*.py"}, 2),
        ({"pattern": "needle", "glob": "!*.py"}, 2),
        ({"pattern": "needle", "glob": "*.{txt,md}"}, 2),
        ({"pattern": "needle.*py$"}, 2),
        ({"pattern": "needle.*py$", "literal": True}, 0),
        ({"pattern": "needle", "limit": 3}, 3),
    ],
)
async def test_search_options(root: Path, search: Search, args: dict[str, object], found: int) -> None:
    fill(root, "src/a.py", "src/deep/b.py", "c.txt", "d.md")
    assert (await used(search, **args)).details["matches"] == found


async def test_search_leaves_out_binaries_links_and_ignored_files(root: Path, search: Search, tmp_path: Path) -> None:
    fill(root, "a.txt", "ignored.txt")
    (root / "bin").write_bytes(b"needle\0needle\n")
    (tmp_path / "secret").write_text("needle\n")
    os.symlink(tmp_path / "secret", root / "link")
    os.mkfifo(root / "pipe")
    (root / ".gitignore").write_text("ignored.txt\n")
    subprocess.run(["git", "init", "-q"], cwd=root, check=True)
    assert (await used(search, pattern="needle")).text == "1 lines in 1 files.\na.txt:2:needle in a.txt\n"


async def test_search_looks_into_logs_when_asked(root: Path, search: Search, logs: Logs) -> None:
    log = logs.open("shell")
    log.write("needle\n")
    log.close()
    subprocess.run(["git", "init", "-q"], cwd=root, check=True)
    assert (await used(search, pattern="needle", path=".baton/logs")).details["matches"] == 1


async def test_search_names_a_bad_expression(root: Path, search: Search) -> None:
    fill(root, "a")
    with pytest.raises(BadArguments, match=r"(?i)regex|regular expression"):
        await used(search, pattern="(unclosed")
    with pytest.raises(BadArguments, match="NUL"):
        await intended(search, pattern="a\0b")


async def test_search_ends_an_expression_that_takes_for_ever(
    root: Path, search: Search, monkeypatch: pytest.MonkeyPatch
) -> None:
    (root / "a").write_text("a" * 5_000 + "!\n")
    monkeypatch.setattr("baton.adapters.tools.search._SECONDS", 1.0)
    outcome = await used(search, pattern="(a+)+$")
    assert outcome.details["matches"] == 0


async def test_search_is_bounded(root: Path, search: Search) -> None:
    (root / "a").write_text(f"{'needle ' * 100_000}\n" * 20)
    outcome = await used(search, pattern="needle", limit=1_000)
    assert len(outcome.text) < 4_300


async def test_plan_keeps_its_items_short() -> None:
    items = [{"text": "read\x1b[31m it\n", "state": "done"}, {"text": "change it", "state": "doing"}]
    assert await used(Plan(), items=items) == Outcome(
        "Plan: 1 of 2 done.\n[x] read it\n[>] change it",
        details={"items": [{"text": "read it", "state": "done"}, {"text": "change it", "state": "doing"}]},
    )
    for bad in ([{"text": "x", "state": "later"}], [{"text": "x" * 301, "state": "done"}], [items[0]] * 51):
        with pytest.raises(BadArguments):
            await intended(Plan(), items=bad)
