"""A desk to load configurations at: a home, a BATON_HOME and a repository, all below one temporary directory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from baton.config import Loaded, load
from baton.core.errors import BadConfig


class Desk:
    def __init__(self, root: Path) -> None:
        self.home = root / "home"
        self.baton_home = root / "data"
        self.work = self.home / "code" / "repo"
        self.user_file = self.baton_home / "config.yaml"
        self.project_file = self.work / ".baton" / "config.yaml"
        for folder in (self.user_file.parent, self.project_file.parent, self.work / ".git"):
            folder.mkdir(parents=True)

    def user(self, content: str | bytes) -> Desk:
        self.user_file.write_bytes(content.encode() if isinstance(content, str) else content)
        return self

    def project(self, content: str | bytes) -> Desk:
        self.project_file.write_bytes(content.encode() if isinstance(content, str) else content)
        return self

    def load(self, *, flags: Sequence[str] = (), environ: Mapping[str, str] | None = None) -> Loaded:
        surroundings = {"BATON_HOME": str(self.baton_home), **(environ or {})}
        return load(environ=surroundings, cwd=self.work, home=self.home, flags=flags)

    def problems(self, *, flags: Sequence[str] = (), environ: Mapping[str, str] | None = None) -> list[str]:
        """The problems found, with USER and PROJECT for the two files."""
        with pytest.raises(BadConfig) as caught:
            self.load(flags=flags, environ=environ)
        text = str(caught.value.facts["problems"])
        text = text.replace(str(self.user_file), "USER").replace(str(self.project_file), "PROJECT")
        lines = text.split("\n")
        assert caught.value.facts["count"] == len(lines)
        return lines


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)
