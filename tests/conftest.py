"""Every test has a home, a working directory and an environment of its own, and ends."""

from __future__ import annotations

import faulthandler
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.support.order import place
from tests.support.patience import limit
from tests.support.warm import share_rules

UNTIMED = [HealthCheck.too_slow]
"""No test is judged by a clock: a machine that stands still for a minute makes any draw slow."""
settings.register_profile("gate", derandomize=True, database=None, deadline=None, suppress_health_check=UNTIMED)
settings.register_profile("explore", database=None, deadline=None, suppress_health_check=UNTIMED)
settings.load_profile("explore" if os.environ.get("BATON_TEST_EXAMPLES") else "gate")

pytest.register_assert_rewrite(
    *(f"tests.contract.platform.{name}" for name in ("kit", "perform", "receiving", "sending", "trouble", "untrusted"))
)
"""These checks are not in test files, and yet say what they compared when they fail."""

signal.signal(signal.SIGINT, signal.default_int_handler)
"""Also where the tests run in the background, which ignores it: what they start is stopped by it."""

os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
"""The tests start thousands of processes; without this each would compile Baton again, where that variable is set."""

share_rules()

_LAST_RESORT = 60
_LEAKY = ("BATON_", "XDG_", "HERMES_", "OPENAI_", "ANTHROPIC_", "NO_COLOR", "PAGER", "COLUMNS")


@pytest.fixture(autouse=True)
def isolated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty directory that is home, BATON_HOME's parent and cwd; nothing of the real user shows through."""
    for name in list(os.environ):
        if name.startswith(_LEAKY) and not name.startswith("BATON_TEST_"):
            monkeypatch.delenv(name)
    home = tmp_path / "home"
    work = tmp_path / "work"
    home.mkdir()
    work.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("BATON_HOME", str(home / "baton"))
    monkeypatch.chdir(work)
    return work


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Long files come first. Marks say how long a test may take on an idle machine; each gets what a busy one needs."""
    items.sort(key=lambda item: place(item.path))
    usual = float(config.getoption("timeout") or limit(float(config.getini("timeout"))))
    for item in items:
        mark = item.get_closest_marker("timeout")
        item.add_marker(pytest.mark.timeout(limit(mark.args[0]) if mark else usual), append=False)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """A test that its limit did not end, because it swallowed it or is in no Python, takes its process with it."""
    seconds = item.get_closest_marker("timeout").args[0]
    if seconds:
        faulthandler.dump_traceback_later(seconds + _LAST_RESORT, exit=True)
    try:
        return (yield)
    finally:
        faulthandler.cancel_dump_traceback_later()
