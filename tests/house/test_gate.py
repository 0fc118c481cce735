"""What makes the tests fast is on: nothing is compiled again and again, and long files are begun first."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from baton.adapters.redaction.redactor import open_redactor
from tests.support import order, warm


def test_processes_of_tests_keep_what_they_compiled(isolated: Path) -> None:
    (isolated / "imported.py").write_text("")
    subprocess.run([sys.executable, "-c", "import imported"], env=dict(os.environ), check=True)
    assert list((isolated / "__pycache__").glob("imported.*.pyc"))


def test_rules_are_compiled_once_for_all_homes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "password=Kohlrabi-77"
    first = open_redactor(str(tmp_path), {}, (), str(tmp_path / "first")).redact(text)
    monkeypatch.delattr(warm._Compiled, "compile")
    assert open_redactor(str(tmp_path), {}, (), str(tmp_path / "second")).redact(text) == first
    assert "Kohlrabi" not in first.text
    assert len(list((tmp_path / "second").glob("*.hs"))) == 1


def test_long_files_are_begun_first(request: pytest.FixtureRequest) -> None:
    assert [folder for folder in order.LONG_FIRST if not (order.TESTS / folder).is_dir()] == []
    paths = [order.TESTS / each for each in ("unit/core/test_a.py", "unit/redaction/test_b.py", "e2e/x/test_c.py")]
    assert sorted(paths, key=order.place) == paths[::-1]
    asked = [order.place(item.path) for item in request.session.items]
    assert asked == sorted(asked)
    assert request.config.option.loadscopereorder is False
