"""The image's recipe names only what is there, and installs what a lock states."""

from __future__ import annotations

import re
import shlex
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RECIPE = ROOT / "docs" / "gateway" / "Containerfile"
NOT_SENT = {".git", ".venv", ".cache"}


def steps() -> list[list[str]]:
    """Each instruction with its words; comments gone, continued lines joined."""
    lines = [line for line in RECIPE.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    joined = "\n".join(lines).replace("\\\n", " ")
    return [shlex.split(line) for line in joined.splitlines() if line.strip()]


def copied() -> list[str]:
    return [source for name, *words in steps() if name == "COPY" for source in words[:-1]]


def test_everything_that_is_copied_is_there() -> None:
    assert copied()
    assert [source for source in copied() if not (ROOT / source).exists()] == []


def test_what_pip_reads_was_copied_before() -> None:
    seen: set[str] = set()
    locks: list[str] = []
    for name, *words in steps():
        seen |= set(words[:-1]) if name == "COPY" else set()
        locks += [words[at + 1] for at, word in enumerate(words) if name == "RUN" and word == "-r"]
        assert set(locks) <= seen, f"{locks} of {seen}"
    assert locks == ["requirements-build.lock", "requirements-all.lock"]


def test_what_the_build_of_the_package_needs_was_copied() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    wheel = project["tool"]["hatch"]["build"]["targets"]["wheel"]
    needed = {"pyproject.toml", project["project"]["readme"], *project["project"]["license-files"], *wheel["packages"]}
    needed |= set(wheel.get("shared-data", {}))
    assert {each for each in needed if not any(Path(each).is_relative_to(source) for source in copied())} == set()
    assert {Path(source).parts[0] for source in copied()}.isdisjoint(NOT_SENT)


def test_it_starts_a_command_that_there_is_on_a_python_that_is_allowed() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    told = {name: words for name, *words in steps()}
    assert re.sub(r'[\[\]",]', "", " ".join(told["ENTRYPOINT"])) in project["scripts"]
    version = re.fullmatch(r"python:(\d+)\.(\d+)-slim", told["FROM"][0])
    assert version
    least = re.fullmatch(r">=(\d+)\.(\d+)", project["requires-python"])
    assert least
    assert tuple(map(int, version.groups())) >= tuple(map(int, least.groups()))
