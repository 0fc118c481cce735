"""Flags hold wherever they stand on the command line, or the command line is refused."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from baton.surfaces.cli.global_flags import FLAGS
from baton.surfaces.cli.parser import build, parse
from baton.surfaces.shared.process import agent_words
from tests.surface.cli.conftest import Cli
from tests.surface.cli.test_program import every_command

VALUES = {"model": "openai:x", "mode": "read_only", "color": "never", "flags": "ui.pager=false"}
SPELLINGS = [(name, spelling) for name, flag in FLAGS.items() for spelling in flag.names]
BELOW = {word[:1] for word in every_command() if len(word) > 1}
COMMANDS = [(), *(words for words in every_command() if words not in BELOW)]


WHOLE = build()


def parser_of(words: tuple[str, ...]) -> argparse.ArgumentParser:
    """The parser that reads what follows these words."""
    parser: argparse.ArgumentParser = WHOLE
    for word in words:
        choices = next(action.choices for action in parser._actions if action.nargs == argparse.PARSER)
        parser = choices[word]
    return parser


def needed(words: tuple[str, ...]) -> list[str]:
    """A value for everything that the command insists on."""
    actions = [action for action in parser_of(words)._actions if not action.option_strings]
    return [str(next(iter(action.choices or ["x"]))) for action in actions if action.nargs in (None, 1, "+")]


def placings(words: tuple[str, ...], given: list[str]) -> list[list[str]]:
    """The flag before each word of the command, after the last one, and at the very end."""
    every = [[*words[:at], *given, *words[at:], *needed(words)] for at in range(len(words) + 1)]
    return [*every, [*words, *needed(words), *given]]


def spell(spelling: str, value: str) -> list[list[str]]:
    joined = f"{spelling}={value}" if spelling.startswith("--") else f"{spelling}{value}"
    return [[spelling, value], [joined]]


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: " ".join(words) or "baton")
@pytest.mark.parametrize(("name", "spelling"), SPELLINGS)
def test_a_flag_holds_wherever_it_stands_or_is_refused(
    words: tuple[str, ...], name: str, spelling: str, capsys: pytest.CaptureFixture[str]
) -> None:
    taken = not words or any(action.dest == name for action in parser_of(words)._actions)
    for given in spell(spelling, VALUES[name]):
        for line in placings(words, given):
            if taken:
                found = getattr(parse(line, WHOLE), name)
                assert found == ([VALUES[name]] if name == "flags" else VALUES[name]), line
            else:
                with pytest.raises(SystemExit) as ended:
                    parse(line, WHOLE)
                assert ended.value.code == 2, line
                assert f"{FLAGS[name].names[0]} is not for this command" in capsys.readouterr().err


def test_every_command_and_every_place_is_tried() -> None:
    tried = sum(len(placings(words, ["x"])) for words in COMMANDS) * len(SPELLINGS) * 2
    assert len(COMMANDS) > 30
    assert tried > 1_000


def test_what_is_set_before_and_after_a_command_adds_up_in_order() -> None:
    line = ["-s", "a=1", "sessions", "--set", "a=2", "list", "-s", "b=3", "--set=a=4"]
    assert parse(line).flags == ["a=1", "a=2", "b=3", "a=4"]


def test_of_two_models_the_later_one_holds() -> None:
    assert parse(["--model", "a:b", "run", "x", "--model", "c:d"]).model == "c:d"


@pytest.mark.parametrize(
    "line",
    [
        "--mode read_only run x --mode unattended",
        "run x --mode unattended --mode read_only",
        "--mode read_only --mode ask",
        "--mode read_only run x --set agent.mode=unattended",
        "--set agent.mode=unattended run x --mode read_only",
        "--model a:b run x --set model=c:d",
        "--color never sessions list --set ui.color=always",
    ],
)
def test_flags_that_contradict_each_other_are_refused(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        parse(line.split())
    assert ended.value.code == 2
    assert "give" in capsys.readouterr().err


@pytest.mark.parametrize(
    "line", ["--mode read_only run x --mode read_only", "--set agent.mode=ask --set agent.mode=ask run --mode ask x"]
)
def test_the_same_said_twice_is_said_once(line: str) -> None:
    assert parse(line.split()).mode in ("read_only", "ask")


@pytest.mark.parametrize(
    "asked", [["--mode", "read_only"], ["--set", "agent.mode=ask"], ["-s", "agent.mode=read_only"]]
)
@pytest.mark.parametrize("first", [True, False])
def test_yes_does_not_lift_a_mode_that_was_asked_for(cli: Cli, isolated: Path, asked: list[str], first: bool) -> None:
    result = cli(*(asked if first else ()), "run", "--yes", "x", *(() if first else asked))
    assert result.code == 1
    assert "--yes means --mode unattended" in result.err


@pytest.mark.parametrize("line", ["--json sessions list", "--yes run x", "-y run x", "--limit 3 sessions list"])
def test_an_option_of_a_command_is_refused_before_it(cli: Cli, line: str) -> None:
    assert cli(*line.split()).code == 2


def test_a_flag_is_refused_by_the_command_that_cannot_keep_it(cli: Cli) -> None:
    result = cli("--mode", "read_only", "checkpoint", "restore", "x")
    assert result.code == 2
    assert "--mode is not for this command; `baton checkpoint restore --help` shows what is" in result.err


def test_the_next_process_is_told_every_flag() -> None:
    flags = ["agent.mode=read_only", "ui.pager=false"]
    assert agent_words(None, None, flags) == ["--set=agent.mode=read_only", "--set=ui.pager=false"]
    words = agent_words("a:b", "ask", flags, "never")
    assert words == ["--model=a:b", "--mode=ask", "--color=never", "--set=ui.pager=false"]
    again = parse(["run", "--go-on", *words])
    assert (again.model, again.mode, again.color, again.flags) == ("a:b", "ask", "never", ["ui.pager=false"])
