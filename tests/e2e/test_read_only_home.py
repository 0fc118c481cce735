"""A home that cannot be written, such as a mounted backup: what is in it can be read, and nothing else is promised."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from baton.adapters.stores.sqlite.open import open_sqlite
from baton.core.log.entry import NewEntry

pytestmark = pytest.mark.timeout(60)


def run(home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    caged = ("bwrap", "--dev-bind", "/", "/", "--ro-bind", str(home), str(home))
    return subprocess.run(
        [*caged, sys.executable, "-m", "baton", *arguments], env={**os.environ, "BATON_HOME": str(home)},
        cwd=home, capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.fixture
def home(tmp_path: Path) -> Path:
    allowed = subprocess.run(["bwrap", "--dev-bind", "/", "/", "true"], check=False, capture_output=True)
    if allowed.returncode:
        pytest.skip("this system lets nobody bind a directory read-only")
    return tmp_path


def fill(home: Path, *, left_open: bool) -> object:
    store = open_sqlite(str(home / "baton.db"))
    conversation, session = store.conversations.start("Fix the checkout race")
    proof = store.conversations.claim(conversation.id, "test", 60)
    store.entries.append(proof, session.id, [NewEntry("user", {"text": "the word is kingfisher"})])
    if not left_open:
        store.close()
    return store


@pytest.mark.parametrize("left_open", [False, True], ids=["written-back", "with-its-log"])
def test_what_a_read_only_home_holds_can_be_listed_and_shown(home: Path, left_open: bool) -> None:
    held = fill(home, left_open=left_open)
    listed = run(home, "sessions", "list")
    assert (listed.returncode, "Fix the checkout race" in listed.stdout) == (0, True), listed.stderr
    shown = run(home, "sessions", "show", "Fix the checkout race")
    assert "the word is kingfisher" in shown.stdout, shown.stderr
    del held


def test_what_would_write_to_a_read_only_home_is_refused_with_words(home: Path) -> None:
    fill(home, left_open=False)
    before = sorted(home.rglob("*"))
    refused = run(home, "sessions", "rename", "Fix the checkout race", "Another")
    assert refused.returncode == 1
    assert "cannot be written" in refused.stderr
    assert "Traceback" not in refused.stderr
    assert sorted(home.rglob("*")) == before


def test_without_a_store_a_read_only_home_says_what_to_do(home: Path) -> None:
    listed = run(home, "sessions", "list")
    assert listed.returncode == 1
    assert "set BATON_HOME to another directory" in listed.stderr
