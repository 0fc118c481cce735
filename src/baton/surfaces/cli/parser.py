"""The command line as data: every command, its options and examples. Handlers are named, not imported."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from typing import Any, TypeVar

from baton import __version__
from baton.surfaces.cli import upkeep_commands as upkeep
from baton.surfaces.cli import work_commands as work
from baton.surfaces.cli.arguments import Setup, agent_options, examples

T = TypeVar("T")


class Parser(argparse.ArgumentParser):
    """Help that keeps its examples as written, and errors that point to it."""

    def __init__(self, **options: Any) -> None:
        super().__init__(formatter_class=_help_format, allow_abbrev=False, **options)


def _help_format(prog: str) -> argparse.HelpFormatter:
    """With the width given, argparse does not import `shutil` to ask for it, which it does for every option."""
    try:
        columns = int(os.environ.get("COLUMNS", "")) or os.get_terminal_size().columns
    except (ValueError, OSError):
        columns = 100
    return argparse.RawDescriptionHelpFormatter(prog, width=columns - 2)


def build(words: Sequence[str] | None = None) -> Parser:
    """The parser of everything, or only as much of it as these words need: each option costs start-up."""
    parser = Parser(
        prog="baton",
        description="Agent work that survives the end of any context window, process, device or tool.",
        epilog=examples(
            "baton                               chat in this directory",
            'baton run "fix the failing test"    one turn, for scripts',
            "baton sessions list                 what there is, newest first",
            'baton sessions show "fix the race"  one conversation, by title or id',
            "baton sessions search time-out      in everything ever said",
            "baton doctor                        is all well, and what to do if not",
        ),
    )
    parser.add_argument("--version", "-V", action="version", version=f"baton {__version__}")
    agent_options(parser)
    parser.set_defaults(handler="chat:chat", flags=[], color=None)
    common = Parser(add_help=False)
    common.add_argument("--color", choices=("auto", "always", "never"), help="when to use colours")
    common.add_argument(
        "--set", "-s", action="append", default=[], metavar="KEY=VALUE", dest="flags", help="override a config value"
    )
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", parser_class=Parser, prog="baton")
    for name, (summary, setup) in _needed(_COMMANDS, words, 0).items():
        setup(commands.add_parser(name, help=summary, description=f"{summary}.", parents=[common]))
    for name, (summary, subcommands) in _needed(_GROUPS, words, 0).items():
        group = commands.add_parser(name, help=summary, description=f"{summary}.")
        group.set_defaults(handler="", usage_of=group)
        prog = f"baton {name}"
        inner = group.add_subparsers(title="commands", metavar="COMMAND", parser_class=Parser, prog=prog)
        for sub_name, (sub_summary, setup) in _needed(subcommands, words, 1).items():
            setup(inner.add_parser(sub_name, help=sub_summary, description=f"{sub_summary}.", parents=[common]))
    return parser


def _needed(table: dict[str, T], words: Sequence[str] | None, position: int) -> dict[str, T]:
    """The rows a command line can reach; all of them unless it plainly names a command."""
    named = words[position : position + 1] if words else ()
    every = {**_COMMANDS, **_GROUPS} if position == 0 else table
    return {name: row for name, row in table.items() if name in named} if set(named) <= set(every) and named else table


_COMMANDS: dict[str, tuple[str, Setup]] = {
    "run": ("Run one turn, for scripts", work.run_),
    "resume": ("Go on with a conversation", work.resume),
    "handoff": ("Hand a conversation over to a fresh session, or move it to a messaging platform", work.handoff),
    "acp": ("Serve an editor over the Agent Client Protocol", work.acp),
    "gateway": ("Host messaging platforms: Telegram, Discord, Slack, Matrix, Signal, WhatsApp", work.gateway),
    "pair": ("Make yourself known on a messaging platform", work.pair),
    "people": ("List who may speak on messaging platforms", work.people),
    "watch": ("Watch a conversation that lives elsewhere", work.watch),
    "models": ("List the models that can be used here, and why others cannot", work.models),
    "doctor": ("Check the installation, the configuration and every conversation", upkeep.doctor),
    "completion": ("Print the completion script of a shell", upkeep.completion),
}
_GROUPS: dict[str, tuple[str, dict[str, tuple[str, Setup]]]] = {
    "sessions": (
        "List, read, search, move and clean up conversations",
        {
            "list": ("List conversations, newest first", upkeep.list_),
            "show": ("Show a conversation: its sessions, their vitals and its last entries", upkeep.show),
            "search": ("Search everything ever said", upkeep.search),
            "tree": ("Draw the lineage of conversations", upkeep.tree),
            "rename": ("Give a conversation another title", upkeep.rename),
            "export": ("Write conversations as JSON lines", upkeep.export),
            "import": ("Read conversations from an export", upkeep.import_),
            "prune": ("Remove old conversations for good", upkeep.prune),
            "backup": ("Copy the whole store, while it is in use", upkeep.backup),
        },
    ),
    "checkpoint": (
        "List, read, restore and prune what was kept of this directory's files",
        {
            "list": ("List checkpoints, newest first", upkeep.checkpoint_list),
            "show": ("Show what a checkpoint holds, and what was left out", upkeep.checkpoint_show),
            "restore": (
                "Bring files back; what is there now is kept first",
                upkeep.checkpoint_restore,
            ),
            "prune": ("Remove old checkpoints of this work tree", upkeep.checkpoint_prune),
        },
    ),
    "transfers": (
        "Follow conversations on their way to other places",
        {
            "list": ("List transfers, newest first", work.transfers_list),
            "show": ("Show one transfer and its journal", work.transfer("transfers:show")),
            "retry": ("Ask for a failed transfer again", work.transfer("transfers:retry")),
            "cancel": ("Stop a transfer that is on its way", work.transfer("transfers:cancel")),
        },
    ),
    "model": (
        "Pull, list and remove the models that run inside Baton",
        {
            "pull": ("Pull a model now", work.model_pull),
            "list": ("List models and whether they are here", work.model_list),
            "remove": ("Remove a model", work.model_remove),
        },
    ),
    "config": (
        "Show and check the configuration",
        {
            "show": ("Show every value and where it came from", upkeep.config_show),
            "check": ("Check the configuration files", upkeep.config_check),
            "schema": ("Print the JSON schema, for editors", upkeep.config_schema),
        },
    ),
}
