"""Keys that Baton keeps are yours alone, or not used."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from baton.config.credentials import NAME, forget_credential, keep_credential, lend, read_credentials
from baton.core.errors import UnsafeCredentials


def test_a_key_is_kept_for_you_alone_and_can_be_forgotten(tmp_path: Path) -> None:
    home = tmp_path / "baton"
    path = keep_credential(home, "OPENAI_API_KEY", "sk-one")
    keep_credential(home, "ANTHROPIC_API_KEY", "sk-two")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(home.stat().st_mode) == 0o700
    assert [each.name for each in home.iterdir()] == [NAME]
    assert read_credentials(home) == {"ANTHROPIC_API_KEY": "sk-two", "OPENAI_API_KEY": "sk-one"}
    assert forget_credential(home, "OPENAI_API_KEY")
    assert not forget_credential(home, "OPENAI_API_KEY")
    assert read_credentials(home) == {"ANTHROPIC_API_KEY": "sk-two"}


def test_what_the_environment_says_comes_first(tmp_path: Path) -> None:
    keep_credential(tmp_path, "OPENAI_API_KEY", "kept")
    keep_credential(tmp_path, "XAI_API_KEY", "kept")
    environ = {"OPENAI_API_KEY": "mine"}
    lend(tmp_path, environ)
    assert environ == {"OPENAI_API_KEY": "mine", "XAI_API_KEY": "kept"}


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o666])
def test_a_file_that_others_may_read_is_not_used(tmp_path: Path, mode: int) -> None:
    keep_credential(tmp_path, "OPENAI_API_KEY", "kept").chmod(mode)
    with pytest.raises(UnsafeCredentials, match="not yours alone"):
        read_credentials(tmp_path)


@pytest.mark.parametrize("make", [os.mkfifo, lambda path: path.symlink_to("/etc/hostname"), Path.mkdir])
def test_what_is_no_file_is_not_read(tmp_path: Path, make: object) -> None:
    assert callable(make)
    make(tmp_path / NAME)
    with pytest.raises(UnsafeCredentials):
        read_credentials(tmp_path)


@pytest.mark.parametrize("key", ["", "a b", "a\nB=c", "ä", "x" * 5000])
def test_what_cannot_be_a_key_is_not_written(tmp_path: Path, key: str) -> None:
    with pytest.raises(ValueError, match="OPENAI"):
        keep_credential(tmp_path, "OPENAI_API_KEY", key)
    assert not (tmp_path / NAME).exists()


def test_lines_that_are_none_are_passed_over(tmp_path: Path) -> None:
    path = keep_credential(tmp_path, "OPENAI_API_KEY", "kept")
    path.write_text("# mine\nexport X=y\nOPENAI_API_KEY=kept\npath=/x\n\n")
    assert read_credentials(tmp_path) == {"OPENAI_API_KEY": "kept"}
