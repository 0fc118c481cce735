"""The pages name what is there: every path, every module to run, every class that looks like one of ours."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "bench" / "README.md", *ROOT.glob("docs/**/*.md")]
TREES = ("src/baton", "tests", "bench", "supply", "docs")

FULL = re.compile(
    r"(?<![\w/.~:-])((?:src/baton|core|engine|surfaces|adapters|wiring|config|ports|testing|tests|supply)/[\w./<>*-]*[\w/>*])"
)
"""From the root of the repository, or from `src/baton`."""

SHORT = re.compile(r"(?<![\w/.~:>-])([a-z*][\w*-]*(?:/[\w*-]+)*\.(?:py|sql))(?!\w)")
"""The end of a path, such as `sql/entries.py`; a name without a folder counts only in backticks."""

MODULE = re.compile(r"python -m ((?:baton|bench|supply)[\w.]*)")
CLASS = re.compile(r"`([A-Z][a-z]+(?:[A-Z][a-z]+)+)(?:[.(][^`]*)?`")


@cache
def files() -> tuple[str, ...]:
    found = (path for tree in TREES for path in (ROOT / tree).rglob("*") if path.is_file())
    inside = (path.relative_to(ROOT) for path in found)
    return tuple(path.as_posix() for path in inside if not any(part.startswith((".", "__py")) for part in path.parts))


@cache
def source() -> frozenset[str]:
    return frozenset(
        word
        for file in files()
        if file.endswith(".py") and not file.startswith("tests/house/")
        for word in re.findall(r"[A-Z]\w+", (ROOT / file).read_text())
    )


def is_there(path: str) -> bool:
    pattern = path.replace("<name>", "*").rstrip("/")
    return any(any(base.glob(pattern)) for base in (ROOT, ROOT / "src" / "baton"))


def ends_a_path(path: str) -> bool:
    return any(fnmatchcase(f"/{file}", f"*/{path}") for file in files())


def is_module(name: str) -> bool:
    path = name.replace(".", "/")
    return any(ends_a_path(f"{path}{end}") for end in (".py", "/__main__.py"))


def missing(text: str) -> list[str]:
    """What a page names that is not there."""
    prose = re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)
    quoted = " ".join(re.findall(r"`([^`\n]+)`", prose))
    short = [path for path in SHORT.findall(quoted) if not FULL.match(path)]
    return [
        *(path for path in FULL.findall(text) if not is_there(path)),
        *(path for path in short if not ends_a_path(path)),
        *(name for name in MODULE.findall(text) if not is_module(name)),
        *(name for name in CLASS.findall(prose) if name not in source()),
    ]


@pytest.mark.parametrize("page", sorted(PAGES), ids=lambda page: page.relative_to(ROOT).as_posix())
def test_a_page_names_only_what_is_there(page: Path) -> None:
    assert missing(page.read_text()) == []


@pytest.mark.parametrize(
    "named",
    [
        "`src/baton/core/lease.py`",
        "`core/moved.py`",
        "`adapters/platforms/<name>/nowhere.py`",
        "`tests/contract/nothing`",
        "pytest tests/unit/test_gone.py",
        "`sql/moved.py`",
        "`moved.py`",
        "`python -m bench.gone`",
        "`HeadVanished`",
    ],
)
def test_a_name_that_is_not_there_is_found(named: str) -> None:
    assert missing(f"See {named} for more.") != []


@pytest.mark.parametrize(
    "named",
    [
        "`src/baton/core/log/lease.py`",
        "`core/log/lease.py`",
        "`adapters/platforms/<name>/inbound.py`",
        "`adapters/workspace/`",
        "`sql/entries.py`",
        "`queries.sql`",
        "`python -m bench`",
        "`HeadMoved`",
        "discord.py",
    ],
)
def test_a_name_that_is_there_is_not_reported(named: str) -> None:
    assert missing(f"See {named} for more.") == []
