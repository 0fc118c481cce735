"""A test that hangs is ended and named, and the tests after it still run; a busy machine alone ends none."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.patience import PATIENCE, limit

ROOT = Path(__file__).parents[2]
HANGS = """
import asyncio, threading
import pytest

@pytest.mark.timeout(0.1)
@pytest.mark.parametrize("wait", [lambda: asyncio.run(asyncio.sleep(600)), lambda: threading.Event().wait()])
def test_hangs(wait):
    wait()

def test_is_after_it():
    pass
"""


def test_a_test_that_hangs_is_named_and_the_next_one_runs(tmp_path: Path) -> None:
    path = tmp_path / "test_hanging.py"
    path.write_text(HANGS)
    command = ["-m", "pytest", "-n", "0", "-q", "-c", str(ROOT / "pyproject.toml"), "-p", "tests.conftest", str(path)]
    done = subprocess.run([sys.executable, *command], cwd=ROOT, capture_output=True, text=True, check=False)
    assert "2 failed, 1 passed" in done.stdout, done.stdout + done.stderr
    assert len(re.findall(r"FAILED \S*::test_hangs", done.stdout)) == 2
    assert "Timeout (>1.0s)" in done.stdout


@pytest.mark.parametrize(("idle", "busy"), [(0, 0), (10, 100), (60, 600), (300, 1200), (600, 1500)])
def test_a_busy_machine_has_ten_times_as_long_and_at_most_a_quarter_of_an_hour_more(idle: float, busy: float) -> None:
    assert limit(idle) == busy


def test_a_wait_ends_before_the_test_does(pytestconfig: pytest.Config) -> None:
    assert limit(float(pytestconfig.getini("timeout"))) > PATIENCE
