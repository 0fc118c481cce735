"""What a command does not use is not imported: the price list of start-up."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = {
    "asyncio",
    "yaml",
    "psycopg",
    "difflib",
    "subprocess",
    "ctypes",
    "unittest",
    "email",
    "http",
    "concurrent.futures",
}


def imported(*arguments: str) -> set[str]:
    code = (
        "import sys; from baton.__main__ import main; sys.argv[1:] = sys.argv[1:]\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\nprint(*sys.modules, sep='\\n', file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True)
    return set(done.stderr.split())


def test_version_imports_nothing_of_baton_but_its_name() -> None:
    assert {name for name in imported("--version") if name.startswith("baton")} == {"baton", "baton.__main__"}


@pytest.mark.parametrize("arguments", [("sessions", "list"), ("sessions", "tree"), ("--help",), ("config", "show")])
def test_everyday_commands_import_nothing_heavy(arguments: tuple[str, ...]) -> None:
    assert imported(*arguments) & HEAVY == set()


def test_help_does_not_import_the_store() -> None:
    assert "sqlite3" not in imported("sessions", "list", "--help")
