"""The checks that keep the house in order, as tests: one command is the whole gate."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("command", [("ruff", "check", "."), ("ruff", "format", "--check", ".")])
def test_style(command: tuple[str, ...]) -> None:
    result = run(*command)
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.timeout(300)
def test_types_are_strict() -> None:
    result = run("basedpyright")
    assert result.returncode == 0, result.stdout + result.stderr


def test_imports_point_down_only() -> None:
    result = subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-cache"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    assert "0 broken" in result.stdout


def test_no_layer_rule_has_an_exception() -> None:
    assert "ignore_imports" not in (ROOT / "pyproject.toml").read_text()


def test_the_readme_is_short_and_the_gate_runs_its_test_command() -> None:
    readme = (ROOT / "README.md").read_text()
    assert len(readme.splitlines()) <= 150
    commands = re.findall(r"^python3 -m venv .*pytest$", readme, re.MULTILINE)
    assert len(commands) == 1
    assert (ROOT / ".ci" / "run").read_text().splitlines()[-1] == commands[0]
    assert commands[0] in (ROOT / "CONTRIBUTING.md").read_text()


@pytest.mark.parametrize("page", sorted((ROOT / "docs" / "decisions").glob("*.md")), ids=lambda page: page.name)
def test_a_decision_fits_on_a_page(page: Path) -> None:
    assert len(page.read_text().splitlines()) <= 60


PAGES = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("bench/*.md")]


@pytest.mark.parametrize("page", sorted(PAGES), ids=lambda page: str(page.relative_to(ROOT)))
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text()):
        assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_every_pinned_dependency_is_locked() -> None:
    project = (ROOT / "pyproject.toml").read_text()
    pinned = re.findall(r'^  "([A-Za-z][\w.-]*)(?:\[\w+\])?==([\w.]+)"', project, re.MULTILINE)
    locked = (ROOT / "requirements-dev.lock").read_text()
    assert len(pinned) > 5
    for name, version in pinned:
        assert f"{re.sub('[._]', '-', name.lower())}=={version} " in locked.lower()
