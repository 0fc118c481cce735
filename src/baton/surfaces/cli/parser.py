"""The parser, made from the tables of commands."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from baton import __version__
from baton.surfaces.cli.command_groups import GROUPS
from baton.surfaces.cli.commands import COMMANDS
from baton.surfaces.cli.entry import Entry, list_examples
from baton.surfaces.cli.global_flags import EVERYWHERE, add_above, add_rest, settle
from baton.surfaces.words import help as texts

T = TypeVar("T")


class Parser(argparse.ArgumentParser):
    """Help that keeps its examples as written, and errors that point to it."""

    def __init__(self, **options: Any) -> None:
        super().__init__(formatter_class=_help_format, allow_abbrev=False, **options)


def _help_format(prog: str) -> argparse.HelpFormatter:
    """Given a width, argparse does not import `shutil` to find it out, which it otherwise does for every option."""
    try:
        columns = int(os.environ.get("COLUMNS", "")) or os.get_terminal_size().columns
    except (ValueError, OSError):
        columns = 100
    return argparse.RawDescriptionHelpFormatter(prog, width=columns - 2)


def parse(words: Sequence[str], parser: Parser | None = None) -> argparse.Namespace:
    """What a command line asks for. Ends the process with a usage error, or after a help text."""
    parser = parser or build(words)
    options = parser.parse_args(list(words))
    if options.used is parser:
        options.model = options.mode = None
    return settle(options)


def build(words: Sequence[str] | None = None) -> Parser:
    """The parser of everything, or only as much of it as these words need: each option costs start-up."""
    parser = Parser(
        prog="baton",
        description=texts.BATON,
        epilog=list_examples(*texts.BATON_EXAMPLES),
    )
    parser.add_argument("--version", "-V", action="version", version=f"baton {__version__}")
    add_above(parser, 0)
    parser.set_defaults(handler="chat:chat", used=parser, color=None, flags=[])
    common = Parser(add_help=False)
    for argument in EVERYWHERE:
        argument.add_to(common)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", parser_class=Parser, prog="baton")
    for name, entry in _select(COMMANDS, words, 0).items():
        _add_command(commands.add_parser, name, entry, common)
    for name, (summary, entries) in _select(GROUPS, words, 0).items():
        group = commands.add_parser(name, help=summary, description=f"{summary}.")
        add_above(group, 1)
        group.set_defaults(handler="", used=group)
        prog = f"baton {name}"
        inner = group.add_subparsers(title="commands", metavar="COMMAND", parser_class=Parser, prog=prog)
        for below, entry in _select(entries, words, 1).items():
            _add_command(inner.add_parser, below, entry, common)
    return parser


def _add_command(add: Callable[..., Parser], name: str, entry: Entry, common: Parser) -> None:
    parser = add(name, help=entry.summary, description=f"{entry.summary}.", parents=[common])
    entry.set_up(parser)
    add_rest(parser, entry.arguments)


def _select(table: dict[str, T], words: Sequence[str] | None, position: int) -> dict[str, T]:
    """The rows a command line can reach; all of them unless it plainly names a command."""
    named = words[position : position + 1] if words else ()
    every = {**COMMANDS, **GROUPS} if position == 0 else table
    return {name: row for name, row in table.items() if name in named} if set(named) <= set(every) and named else table
