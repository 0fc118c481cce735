from __future__ import annotations

import asyncio
import importlib
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from bench.walks import WALKS, NotWalked, judge, locate
from bench.walks_trace import Walk, traced

ROOT = Path(__file__).resolve().parents[3]
TOP = """
import asyncio
from walked import low
def go():
    return [low.step(), *low.steps(), low.made()()]
async def wait():
    await low.pause()
def called():
    return 1
"""
LOW = """
import asyncio
from walked import top
def step(): return 1
def steps():
    yield 1
    yield 2
async def pause():
    for _ in range(3):
        await asyncio.sleep(0)
def made(): return top.called
LOADED = step()
"""


@pytest.fixture
def walked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A package of two files, and the walk that sees it."""
    package = tmp_path / "walked"
    package.mkdir()
    for name, text in (("__init__", ""), ("top", TOP), ("low", LOW)):
        (package / f"{name}.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    yield Walk(package)
    for name in [name for name in sys.modules if name.partition(".")[0] == "walked"]:
        del sys.modules[name]


def test_calls_are_counted_once_and_files_by_first_visit(walked: Walk) -> None:
    top = importlib.import_module("walked.top")
    with traced(walked):
        top.go()
    assert list(walked.files) == ["top.py", "low.py"]
    assert dict(walked.calls) == {("top.py", "low.py"): 3, ("top.py", "top.py"): 1}


def test_a_coroutine_that_goes_on_is_not_called_again(walked: Walk) -> None:
    top = importlib.import_module("walked.top")
    with traced(walked):
        asyncio.run(top.wait())
    assert dict(walked.calls) == {("top.py", "low.py"): 1}


def test_loading_a_module_is_no_walk_and_threads_are_seen(walked: Walk) -> None:
    with traced(walked):
        top = importlib.import_module("walked.top")
        assert walked.files == {}
        thread = threading.Thread(target=top.called)
        thread.start()
        thread.join()
    assert list(walked.files) == ["top.py"]


def test_calls_go_down_and_up_and_sideways_is_neither() -> None:
    calls = [
        ["surfaces/a.py", "core/b.py", 3],
        ["surfaces/a.py", "engine/c.py", 1],
        ["engine/c.py", "adapters/d.py", 2],
        ["surfaces/a.py", "adapters/d.py", 7],
        ["core/b.py", "core/e.py", 9],
        ["__main__.py", "core/e.py", 5],
    ]
    found = judge("w", "s", {"test": "t", "files": ["surfaces/a.py"], "calls": calls})
    assert (found.down, found.up, found.pairs_down, found.pairs_up) == (4, 2, 2, 1)


@pytest.mark.parametrize("test", [test for _, _, test in WALKS])
def test_each_walk_has_its_test(test: str) -> None:
    assert locate(ROOT, test).endswith(f"::{test}")


def test_a_test_that_is_not_there_is_said() -> None:
    with pytest.raises(NotWalked, match="0 files"):
        locate(ROOT, "test_that_nobody_wrote")
