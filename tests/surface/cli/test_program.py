from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from baton import __version__
from baton.ports.store import Store
from baton.surfaces.cli.parser import build
from tests.surface.cli.conftest import Cli, Told


def test_version(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    from baton.__main__ import main

    monkeypatch.setattr(sys, "argv", ["baton", "--version"])
    assert main() == 0
    assert capsys.readouterr().out == f"baton {__version__}\n"


def test_baton_alone_says_where_you_are_and_what_there_is(cli: Cli, told: Told) -> None:
    out = cli().out
    assert f"Baton {__version__}" in out
    assert "2 conversations" in out
    assert "Fix the checkout race" in out


def every_command() -> list[tuple[str, ...]]:
    found: list[tuple[str, ...]] = []

    def walk(parser: object, path: tuple[str, ...]) -> None:
        for action in parser._actions:
            if action.nargs == "A...":
                for name, inner in action.choices.items():
                    found.append((*path, name))
                    walk(inner, (*path, name))

    walk(build(), ())
    return found


@pytest.mark.parametrize("command", every_command(), ids=" ".join)
def test_every_command_has_help(cli: Cli, command: tuple[str, ...]) -> None:
    result = cli(*command, "--help")
    assert result.code == 0
    assert result.out.startswith(f"usage: baton {' '.join(command)}")


def test_commands_that_take_something_show_examples(cli: Cli) -> None:
    for command in (
        ("sessions", "export"),
        ("sessions", "search"),
        ("sessions", "prune"),
        ("doctor",),
        ("completion",),
    ):
        assert "examples:\n" in cli(*command, "--help").out


def test_a_wrong_command_is_a_usage_error(cli: Cli) -> None:
    result = cli("sesions")
    assert (result.code, "invalid choice: 'sesions'" in result.err) == (2, True)


def test_a_broken_pipe_is_quiet(told: Told) -> None:
    command = f"{sys.executable} -m baton sessions export --all | head -c 1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert done.stderr == ""


def test_bad_configuration_stops_a_command_before_the_store(cli: Cli, home: Path) -> None:
    home.mkdir()
    (home / "config.yaml").write_text("store:\n  busy_timeot: 3\n")
    result = cli("sessions", "list")
    assert result.code == 1
    assert f"{home / 'config.yaml'}:2" in result.err
    assert "store.busy_timeout" in result.err
    assert os.listdir(home) == ["config.yaml"]


def test_config_show_says_where_each_value_came_from(cli: Cli, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home.mkdir()
    (home / "config.yaml").write_text("ui:\n  pager: false\n")
    monkeypatch.setenv("BATON_MODEL", "openai:gpt-5")
    shown = cli("config", "show", "--json", "--set", "store.lease=5").json
    sources = {key: source["layer"] for key, source in shown["sources"].items()}
    assert (sources["ui.pager"], sources["model"], sources["store.lease"], sources["ui.color"]) == (
        "user",
        "environment",
        "flag",
        "default",
    )
    assert f"{home / 'config.yaml'}:2" in cli("config", "show", "ui").out
    assert cli("config", "show", "nothing").code == 1


def test_config_check_and_schema(cli: Cli) -> None:
    assert cli("config", "check").out == "No config files found; using defaults.\n"
    assert json.loads(cli("config", "schema").out)["additionalProperties"] is False


def test_a_configuration_with_ignored_lines_is_not_called_right(cli: Cli, isolated: Path) -> None:
    (isolated / ".baton").mkdir(exist_ok=True)
    (isolated / ".baton" / "config.yaml").write_text("agent:\n  mode: unattended\n")
    checked = cli("config", "check")
    assert checked.code == 0
    assert "agent.mode is ignored" in checked.out
    assert "no problems" not in checked.out
    assert checked.out.endswith("what is said above is ignored; the rest is used.\n")


def test_doctor_finds_nothing_wrong(cli: Cli, told: Told) -> None:
    result = cli("doctor")
    assert (result.code, "All is well." in result.out) == (0, True)
    assert cli("doctor", "--json").json["ok"] is True


def test_doctor_explains_damage_and_repairs_it(cli: Cli, home: Path, told: Told, store: object) -> None:
    store.close()
    path = home / "baton.db"
    raw = bytearray(path.read_bytes())
    spot = raw.index(b"found a dead lock")
    raw[spot : spot + 5] = b"FOUND"
    path.write_bytes(raw)
    broken = cli("doctor", "--json")
    assert (broken.code, broken.json["ok"]) == (1, False)
    assert any("does not fit its checksum" in finding["text"] for finding in broken.json["findings"])
    repaired = cli("doctor", "--repair")
    assert (repaired.code, "All is well." in repaired.out) == (0, True)
    assert cli("sessions", "show", told.id).code == 0
    assert list(home.glob("baton.db.damaged-*"))


def test_completion_offers_commands_options_choices_and_titles(cli: Cli, told: Told) -> None:
    def offered(*words: str) -> list[str]:
        return [line.split("\t")[0] for line in cli("__complete", *words).out.splitlines()]

    assert "sessions" in offered("")
    assert offered("sessions", "s") == ["show", "search"]
    assert "--json" in offered("sessions", "list", "--")
    assert offered("completion", "") == ["bash", "zsh", "fish"]
    assert offered("doctor", "--color", "a") == ["auto", "always"]
    assert offered("sessions", "show", "Fix") == ["Fix the checkout race"]
    assert offered("sessions", "show", told.id[:8]) == [told.id]


def test_completion_offers_places_transfers_drafts_and_people(
    cli: Cli, told: Told, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def offered(*words: str) -> list[str]:
        return cli("__complete", *words).out.splitlines()

    monkeypatch.setenv("BATON_GATEWAY__TARGETS", "work=slack:C012")
    store.register.put("home/telegram", {"place": "telegram:777", "by": "telegram:777"})
    store.register.put("person/telegram:777", {"role": "owner", "name": "Ada", "at": 1})
    transfer = store.transfers.request(told.id, "terminal:local", "telegram")
    assert offered("pair", "t") == ["telegram\t"]
    assert offered("gateway", "s") == ["status\t"]
    assert offered("handoff", "--to", "t") == ["telegram\ttelegram:777"]
    assert offered("handoff", "--to", "d") == ["discord\tfirst: baton pair discord"]
    assert offered("handoff", "--to", "work") == ["work\tslack:C012"]
    assert offered("transfers", "show", "") == [f"{transfer.id}\tpending, to telegram"]
    assert offered("transfers", "cancel", transfer.id[:4]) == [f"{transfer.id}\tpending, to telegram"]
    assert offered("people", "--forget", "tele") == ["telegram:777\towner Ada"]
    assert offered("watch", "Fix") == [f"Fix the checkout race\t{told.id}"]
    assert offered("run", "-c", "Fix") == [f"Fix the checkout race\t{told.id}"]
    assert offered("sessions", "export", "--to", "t") == []


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts_parse(cli: Cli, shell: str) -> None:
    script = cli("completion", shell).out
    assert "baton __complete" in script
    if shutil.which(shell):
        checked = subprocess.run([shell, "-n"], input=script, text=True, capture_output=True, check=False)
        assert (checked.returncode, checked.stderr) == (0, "")


def test_completion_works_in_a_real_bash(cli: Cli, told: Told) -> None:
    script = cli("completion", "bash").out
    probe = f'{script}\nCOMP_WORDS=(baton sessions show Fix); COMP_CWORD=3; _baton; printf "%s\\n" "${{COMPREPLY[@]}}"'
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", probe], capture_output=True, text=True, check=True, env={**os.environ, "PATH": path}
    )
    assert done.stdout == "Fix\\ the\\ checkout\\ race\n"


def test_a_key_is_set_read_and_taken_out_again(cli: Cli) -> None:
    assert cli("config", "get", "ui.color").out == "auto\n"
    assert cli("config", "set", "ui.color", "never").out.startswith("ui.color is now never (")
    assert cli("config", "get", "ui.color").out == "never\n"
    assert cli("config", "get", "ui", "--json").json["ui.color"] == "never"
    assert "It is auto now (default)." in cli("config", "unset", "ui.color").out
    assert "is not set in" in cli("config", "unset", "ui.color").out


def test_a_key_that_something_else_sets_is_told(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BATON_MODEL", "openai:gpt-6.1-sol")
    told = cli("config", "set", "model", "anthropic:claude-sonnet-5-5")
    assert told.out.startswith("model is now anthropic:claude-sonnet-5-5 (")
    assert told.err == "But environment BATON_MODEL says otherwise, and that comes first.\n"


@pytest.mark.parametrize(
    "words", [("get", "modle"), ("set", "modle", "x"), ("set", "ui.color", "pink"), ("unset", "x")]
)
def test_a_key_or_value_that_is_wrong_is_refused_with_what_is_allowed(cli: Cli, words: tuple[str, ...]) -> None:
    refused = cli("config", *words)
    assert refused.code == 1
    assert refused.err


def test_an_edited_file_is_checked_before_it_is_kept(cli: Cli, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    editor = tmp_path / "editor"
    editor.write_text('#!/bin/sh\nprintf "ui: {color: pink}\\n" > "$1"\n')
    editor.chmod(0o700)
    monkeypatch.setenv("VISUAL", str(editor))
    refused = cli("config", "edit")
    assert (refused.code, "pink" in refused.err) == (1, True)
    assert cli("config", "get", "ui.color").out == "auto\n"
    editor.write_text('#!/bin/sh\nprintf "ui:\\n  color: never\\n" > "$1"\n')
    assert "is changed" in cli("config", "edit").out
    assert cli("config", "get", "ui.color").out == "never\n"
