from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from baton.adapters.importers import clean, lines
from baton.adapters.importers.codex.tools import calls
from baton.adapters.importers.noise import strip_noise
from baton.adapters.importers.paths import Folder, TouchedFile, touched_files


@pytest.mark.parametrize(
    ("seen", "path", "cwd", "shown"),
    [
        (["/w"], "/w/a.py", "", "a.py"),
        (["/w"], "a.py", "/w/src", "src/a.py"),
        (["/w"], "/w/../etc/x", "", "/etc/x"),
        (["/w"], "/wide/a.py", "", "/wide/a.py"),
        (["/home/w/src", "/home/w"], "/home/w/a.py", "", "a.py"),
        (["/home/w", "/"], "/home/w/a.py", "", "a.py"),
        ([], "src/a.py", "", "src/a.py"),
        ([r"C:\w"], r"C:\w\src\a.py", "", "src/a.py"),
    ],
)
def test_paths_are_shown_as_in_the_workspace(seen: list[str], path: str, cwd: str, shown: str) -> None:
    assert Folder(seen).relative(path, cwd) == shown


def test_a_moved_file_is_deleted_where_it_was() -> None:
    patch = "*** Begin Patch\n*** Update File: a.py\n*** Move to: b.py\n@@\n*** End Patch"
    assert touched_files(patch) == [TouchedFile("a.py", "deleted"), TouchedFile("b.py", "created")]


@pytest.mark.parametrize(
    ("given", "moment"),
    [
        ("2026-11-02T10:00:00Z", 1_793_613_600_000_000),
        ("2026-11-02T11:00:00+01:00", 1_793_613_600_000_000),
        (1_793_613_600_000, 1_793_613_600_000_000),
        ("yesterday", None),
        ("0001-01-01T00:00:00Z", None),
        (-5, None),
        (1e300, None),
        (True, None),
        (None, None),
    ],
)
def test_moments_are_microseconds_or_unknown(given: object, moment: int | None) -> None:
    assert clean.moment(given) == moment


def test_values_are_bounded_in_every_direction() -> None:
    deep: list[object] = []
    for _ in range(100):
        deep = [deep]
    held = clean.bound({"deep": deep, "wide": list(range(10_000)), "long": "x" * 100_000, "big": 10**400, "n": None})
    assert len(held["wide"]) == 2_000
    assert len(held["long"]) <= 20_000
    assert isinstance(held["big"], str)
    assert str(held["deep"]).count("[") < 20


def test_a_line_that_is_too_long_is_left_out_without_being_held(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lines, "LINE_LIMIT", 100)
    path = tmp_path / "x.jsonl"
    path.write_bytes(b'{"a":"' + b"x" * 5_000 + b'"}\n{"b":1}\n{"c":"' + b"y" * 200)
    skipped: Counter[str] = Counter()
    assert list(lines.records(path, skipped)) == [(2, {"b": 1})]
    assert skipped == {lines.TOO_LONG: 2}


@pytest.mark.timeout(20)
@pytest.mark.parametrize("piece", ["<system-reminder>", "</system-reminder>", " ", "<", "[Request"])
def test_looking_for_noise_takes_time_in_proportion(piece: str) -> None:
    assert len(strip_noise(piece * 200_000)) <= len(piece) * 200_000


@pytest.mark.parametrize("script", ['exec_command({cmd:"\\x41"})', 'exec_command({cmd:"open', "exec_command({cmd:1})"])
def test_a_script_whose_command_cannot_be_read_stays_a_script(script: str) -> None:
    [use] = calls("exec", "c1", script, Folder([]), "")
    assert (use.name, use.args) == ("exec", {"input": script})
