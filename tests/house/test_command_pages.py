"""The pages of the command line say what it takes: they are made from its tables."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from supply.command_pages import CODES, list_entries, render_manual, render_page
from supply.lock import ROOT

from baton.surfaces.cli import main


@pytest.mark.parametrize(("page", "render"), [("docs/reference/cli.md", render_page), ("docs/baton.1", render_manual)])
def test_a_page_fits_the_tables(page: str, render: Callable[[], str]) -> None:
    assert (ROOT / page).read_text(encoding="utf-8") == render(), (
        f"make it again: supply/command_pages.py says how ({page})"
    )


def test_every_command_and_exit_code_is_on_the_page() -> None:
    page = render_page()
    assert all(f"## {words}\n" in page for words, _ in list_entries())
    assert {str(code) for code in (main.OK, main.FAILED, main.USAGE, main.INTERRUPTED)} <= {code for code, _ in CODES}


def test_no_line_of_the_manual_is_taken_for_an_instruction() -> None:
    known = (".TH", ".SH", ".SS", ".TP", ".PP", ".B", ".nf", ".fi")
    assert [
        line for line in render_manual().splitlines() if line.startswith((".", "'")) and not line.startswith(known)
    ] == []
