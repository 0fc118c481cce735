"""The documentation builds as a site, without a warning, from the same Markdown."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest
from supply.lock import ROOT
from supply.site import LOCK
from supply.site_links import LINK, stay_inside

from tests.support import obtain


@pytest.mark.parametrize(
    ("folder", "text", "shown"),
    [
        ("", "[README](../README.md)", "[README](index.md)"),
        ("howto", "[README](../../README.md)", "[README](../index.md)"),
        ("howto", "[config](../reference/config.md#keys)", "[config](../reference/config.md#keys)"),
        ("howto", "[the file](../gateway/Containerfile)", "the file"),
        ("reference", "[prompt](../../src/baton/core/prompts/handoff.md)", "prompt"),
        ("", "[out](https://example.org/x.md)", "[out](https://example.org/x.md)"),
        ("", "![growth](bench-growth.svg)", "![growth](bench-growth.svg)"),
    ],
)
def test_a_link_stays_inside_the_site_or_becomes_words(folder: str, text: str, shown: str) -> None:
    assert LINK.sub(lambda found: stay_inside(found, folder), text) == shown


@pytest.mark.timeout(240)
def test_the_site_builds_without_a_warning(tmp_path: Path) -> None:
    python = obtain.obtained(lambda: obtain.venv_install("site", LOCK))
    command = [
        str(Path(python).with_name("mkdocs")),
        "build",
        "--strict",
        "--quiet",
        "--site-dir",
        str(tmp_path / "site"),
    ]
    environ = {**os.environ, "PYTHONPATH": str(ROOT), "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=ROOT, env=environ, capture_output=True, text=True, check=False)
    assert (done.returncode, re.findall("WARNING.*", done.stderr)) == (0, [])
    pages = {str(path.relative_to(tmp_path / "site")) for path in (tmp_path / "site").rglob("*.html")}
    assert {"index.html", "tutorial.html", "reference/chat.html", "explanation/security.html"} <= pages
