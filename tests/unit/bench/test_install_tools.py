"""The lines that are tried are those of the README."""

from __future__ import annotations

import shlex
import tomllib

from bench.install_tools import ROOT, read_lines


def test_both_lines_of_the_readme_are_tried_and_name_an_extra_that_there_is() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    found = [shlex.split(line) for line in read_lines()]
    assert sorted(words[0] for words in found) == ["pipx", "uv"]
    for *_, wanted in found:
        assert wanted.startswith(".[")
        assert wanted[2:-1] in extras
