"""What the files of a workspace say is secret is known, at any depth, and costs little in a tree of any size."""

from __future__ import annotations

import base64
import os
from pathlib import Path

import pytest

from baton.adapters.redaction import workspace_files
from baton.adapters.redaction.environment import doubtful_of
from baton.adapters.redaction.redactor import open_redactor
from baton.adapters.redaction.workspace_files import env_values, git_values


def test_env_files_below_the_root_are_known_too(tmp_path: Path, cache_dir: Path) -> None:
    for place, held in {"": "Rand1-oben", "services/api": "Rand2-tief", "a/b/c": "Rand3-tiefer"}.items():
        (tmp_path / place).mkdir(parents=True, exist_ok=True)
        (tmp_path / place / ".env.local").write_text(f"DB_PASSWORD={held}\n")
    cleaned = open_redactor(str(tmp_path), {}, [], str(cache_dir)).redact("Rand1-oben, Rand2-tief, Rand3-tiefer").text
    assert "Rand" not in cleaned


def test_other_people_s_code_and_links_are_not_entered(tmp_path: Path) -> None:
    for place in ("node_modules/x", ".venv", ".git", "target/debug"):
        (tmp_path / place).mkdir(parents=True)
        (tmp_path / place / ".env").write_text("TOKEN=never-read-this-1\n")
    outside = tmp_path / "node_modules"
    (tmp_path / "linked").symlink_to(outside, target_is_directory=True)
    assert env_values(str(tmp_path)) == {}


def test_what_is_nearest_is_read_first_and_the_rest_within_bounds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workspace_files, "MOST_ENV_DIRECTORIES", 3)
    entered: list[str] = []
    scan = os.scandir
    monkeypatch.setattr(workspace_files.os, "scandir", lambda place: (entered.append(place), scan(place))[1])
    for number in range(10):
        (tmp_path / f"d{number}").mkdir()
        (tmp_path / f"d{number}" / ".env").write_text(f"TOKEN_{number}=value-number-{number}\n")
    (tmp_path / ".env").write_text("TOKEN=value-at-the-root\n")
    assert env_values(str(tmp_path)) == {
        "TOKEN": "value-at-the-root",
        "TOKEN_0": "value-number-0",
        "TOKEN_1": "value-number-1",
    }
    assert len(entered) == 3


def test_two_values_of_one_name_are_both_known(tmp_path: Path) -> None:
    for place in ("a", "b"):
        (tmp_path / place).mkdir()
        (tmp_path / place / ".env").write_text(f"DB_PASSWORD=value-of-{place}\n")
    assert {*env_values(str(tmp_path)).values()} == {"value-of-a", "value-of-b"}


CONFIG = """[core]
\trepositoryformatversion = 0
[remote "origin"]
\turl = https://deploy:{password}@git.example.com/shop.git
[remote "mirror"]
\turl = https://{token}@git.example.com/mirror.git
[remote "plain"]
\turl = https://git.example.com/plain.git
\tpushurl = git@git.example.com:plain.git
[http "https://git.example.com/"]
\textraheader = AUTHORIZATION: basic {basic}
"""


def write_config(git: Path) -> None:
    basic = base64.b64encode(b"x-access-token:Holunder.Weg.12").decode()
    git.mkdir(parents=True)
    (git / "config").write_text(CONFIG.format(password="blauer.Kranich", token="q8Jz0vTk2LmNx4RbYw17", basic=basic))


@pytest.mark.parametrize("inside", ["", "packages/api"])
def test_credentials_in_git_s_settings_are_known(tmp_path: Path, cache_dir: Path, inside: str) -> None:
    write_config(tmp_path / ".git")
    (tmp_path / inside).mkdir(parents=True, exist_ok=True)
    redactor = open_redactor(str(tmp_path / inside), {}, [], str(cache_dir))
    cleaned = redactor.redact(
        "blauer.Kranich q8Jz0vTk2LmNx4RbYw17 Holunder.Weg.12 deploy git.example.com plain.git"
    ).text
    assert "Kranich" not in cleaned
    assert "q8Jz0vTk" not in cleaned
    assert "Holunder" not in cleaned
    assert cleaned.endswith(" deploy git.example.com plain.git")


def test_a_work_tree_has_the_credentials_of_its_repository(tmp_path: Path) -> None:
    write_config(tmp_path / "main/.git")
    linked = tmp_path / "main/.git/worktrees/fix"
    linked.mkdir(parents=True)
    (linked / "commondir").write_text("../..\n")
    (tmp_path / "fix").mkdir()
    (tmp_path / "fix/.git").write_text(f"gitdir: {linked}\n")
    assert "blauer.Kranich" in git_values(str(tmp_path / "fix")).values()


def test_a_workspace_without_a_repository_has_none(tmp_path: Path) -> None:
    (tmp_path / ".git").write_text("gitdir: /nowhere/at/all\n")
    assert git_values(str(tmp_path)) == {}


def test_a_password_that_looks_like_a_host_or_a_number_is_known_as_a_word(tmp_path: Path, cache_dir: Path) -> None:
    environ = {"DB_PASSWORD": "zilte.zee", "DOOR_PIN": "739164", "API_HOST": "shop.zee", "PASSWORD_FILE": "/etc/pw.txt"}
    redactor = open_redactor(str(tmp_path), environ, [], str(cache_dir))
    told = "zilte.zee and 739164, but shop.zee, 1739164 and /etc/pw.txt"
    assert redactor.redact(told).text == (
        "[redacted: password] and [redacted: password], but shop.zee, 1739164 and /etc/pw.txt"
    )


def test_a_password_that_is_the_project_s_name_does_not_cut_the_project(tmp_path: Path, cache_dir: Path) -> None:
    (tmp_path / "dev").mkdir()
    (tmp_path / "dev/.env").write_text(
        "POSTGRES_USER=inventory\nPOSTGRES_PASSWORD=inventory\nPOSTGRES_DB=inventory\nADMIN_PASSWORD=shop\n"
    )
    redactor = open_redactor(str(tmp_path), {}, [], str(cache_dir))
    told = "src/inventory/orders.py is part of the inventory shop"
    assert redactor.redact(told).text == told
    assert "inventory" not in redactor.redact("password: inventory").text


def test_common_words_paths_and_links_are_no_passwords_of_an_environment() -> None:
    told = {"DB_PASSWORD": "postgres", "PASSWORD_HASHER": "/usr/bin/x", "SECRET": "https://example.com", "PGPASS": "ab"}
    assert doubtful_of(told) == {}
