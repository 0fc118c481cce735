"""The command line as data: every command, its options and examples. Handlers are named, not imported."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from baton import __version__

T = TypeVar("T")
_PLATFORMS = ("telegram", "discord", "slack", "matrix", "signal", "whatsapp")
Setup = Callable[[argparse.ArgumentParser], None]


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
        epilog=_examples(
            "baton                               chat in this directory",
            'baton run "fix the failing test"    one turn, for scripts',
            "baton sessions list                 what there is, newest first",
            'baton sessions show "fix the race"  one conversation, by title or id',
            "baton sessions search time-out      in everything ever said",
            "baton doctor                        is all well, and what to do if not",
        ),
    )
    parser.add_argument("--version", "-V", action="version", version=f"baton {__version__}")
    _agent(parser)
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


def _examples(*lines: str) -> str:
    return "examples:\n" + "\n".join(f"  {line}" for line in lines)


def _agent(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--model", "-m", metavar="PROVIDER:NAME", help="the model to work with")
    parser.add_argument("--mode", choices=("ask", "accept_edits", "unattended", "read_only"), help="what tools may do")


_RUN_OUTPUT = """\
output:
  The answer goes to standard output, what happens beside it to standard error.
  With --json each event is a line of its own, an object with its type; turn_ended comes last.
  Nobody can be asked: a tool that needs approval is refused, unless --yes or --mode allows it.

exit codes:
  0  the turn ended well          1  it failed or was refused; the reason is on standard error
  2  the command line is wrong    130  it was stopped (Ctrl-C)"""


def _run(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("prompt", nargs="*", metavar="PROMPT", help="what to do; standard input is added to it")
    parser.add_argument("--conversation", "-c", metavar="CONVERSATION", help="go on with this one")
    parser.add_argument("--go-on", action="store_true", help="with -c: go on with the work, without a prompt")
    parser.add_argument("--yes", "-y", action="store_true", help="unattended: allow every tool inside the workspace")
    parser.add_argument("--image", "-i", action="append", default=[], metavar="FILE", help="attach a picture")
    _agent(parser)
    _json(parser)
    parser.epilog = _examples(
        'baton run "what does this project do?"',
        'git diff | baton run "write a commit message" --mode read_only',
        'baton run -c c_7k3m --yes --json "go on" | jq -r \'select(.type=="text_added").text\'',
    )
    parser.epilog += f"\n\n{_RUN_OUTPUT}"
    parser.set_defaults(handler="run:run")


def _resume(parser: argparse.ArgumentParser) -> None:
    _conversation(parser, nargs="?")
    parser.add_argument("--go-on", action="store_true", help="let the agent go on with the work at once")
    _agent(parser)
    parser.epilog = _examples("baton resume", 'baton resume "fix the checkout race"')
    parser.set_defaults(handler="chat:resume")


def _handoff(parser: argparse.ArgumentParser) -> None:
    _conversation(parser, nargs="?")
    parser.add_argument("--to", metavar="PLACE", help="move it to a platform's home channel or a named place instead")
    parser.add_argument("--wait", type=float, metavar="SECONDS", help="with --to: how long to wait for it (60)")
    parser.add_argument("--packet-only", action="store_true", help="write the packet and start nothing")
    parser.add_argument("--yes", "-y", action="store_true", help="start the fresh session without a review")
    parser.add_argument("--confirm", metavar="DRAFT", help="start the fresh session of a draft that waits")
    parser.add_argument("--cancel", metavar="DRAFT", help="say no to a draft that waits")
    parser.add_argument("--no-narrative", action="store_true", help="facts only: ask no model")
    parser.add_argument("--model", "-m", metavar="PROVIDER:NAME", help="the model that writes the narrative")
    _json(parser)
    parser.epilog = _examples(
        "baton handoff                        review, then a fresh session (newest conversation here)",
        "baton handoff c_7k3m --packet-only --json | jq -r .packet_path",
        "baton handoff --yes                  at once",
        "baton handoff --to telegram          carry on from your phone",
    )
    parser.set_defaults(handler="handoff:handoff")


def _acp(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--check", action="store_true", help="test it over a pipe and print what a client would see")
    parser.add_argument(
        "--unstable", action="store_true", help="advertise session/fork, which is not in the standard yet"
    )
    _agent(parser)
    _json(parser)
    parser.epilog = _examples(
        "baton acp            what an editor starts", "baton acp --check    what a client would see"
    )
    parser.set_defaults(handler="acp:acp")


def _gateway(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "what",
        nargs="?",
        choices=("run", "status", "token"),
        default="run",
        help="run it, say what runs, or print the API's token",
    )
    _agent(parser)
    _json(parser)
    parser.epilog = _examples(
        "baton gateway            host every configured platform until it is stopped",
        "baton gateway status     is one running, and connected to what",
        "baton gateway token      the token of its HTTP API: docs/reference/api.md",
    )
    parser.set_defaults(handler="gateway:gateway")


def _pair(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("platform", choices=_PLATFORMS, metavar="PLATFORM", help=", ".join(_PLATFORMS))
    parser.add_argument("--guest", action="store_true", help="somebody who may talk where you let them, and no more")
    _json(parser)
    parser.epilog = _examples("baton pair telegram", "baton pair slack --guest")
    parser.set_defaults(handler="pair:pair")


def _people(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--forget", metavar="PLATFORM:ID", help="make somebody who was paired a stranger again")
    _json(parser)
    parser.set_defaults(handler="pair:people")


def _watch(parser: argparse.ArgumentParser) -> None:
    _conversation(parser)
    parser.add_argument("--last", type=int, default=20, metavar="N", help="entries to begin with (20)")
    parser.add_argument("--once", action="store_true", help="show what there is, and leave")
    _json(parser)
    parser.epilog = _examples('baton watch "fix the checkout race"')
    parser.set_defaults(handler="watch:watch")


def _transfers_list(parser: argparse.ArgumentParser) -> None:
    _conversation(parser, nargs="?")
    parser.add_argument("--limit", type=int, default=50, metavar="N", help="at most so many (50)")
    _json(parser)
    parser.set_defaults(handler="transfers:list_")


def _transfer(handler: str) -> Setup:
    def setup(parser: argparse.ArgumentParser) -> None:
        parser.add_argument("transfer", metavar="TRANSFER", help="its id")
        _json(parser)
        parser.set_defaults(handler=handler)

    return setup


def _models(parser: argparse.ArgumentParser) -> None:
    _json(parser)
    parser.set_defaults(handler="models:models")


def _model_pull(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", nargs="?", default="qwen2.5-coder-1.5b", metavar="NAME")
    _json(parser)
    parser.epilog = _examples("baton model pull", "baton model pull smollm2-135m")
    parser.set_defaults(handler="models:pull")


def _model_list(parser: argparse.ArgumentParser) -> None:
    _json(parser)
    parser.set_defaults(handler="models:list_")


def _model_remove(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME")
    _json(parser)
    parser.set_defaults(handler="models:remove")


def _json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="machine-readable output")


def _conversation(parser: argparse.ArgumentParser, **options: Any) -> None:
    text = "a title, an id, a session's id, or the beginning of one"
    parser.add_argument("conversation", metavar="CONVERSATION", help=text, **options)


def _list(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--limit", "-n", type=int, default=50, metavar="N", help="at most N (default 50)")
    parser.add_argument("--all", "-a", action="store_true", help="all of them")
    parser.add_argument("--here", action="store_true", help="only those of the current directory")
    parser.add_argument("--workspace", "-w", metavar="DIR", help="only those of a directory")
    _json(parser)
    parser.epilog = _examples("baton sessions list --here", "baton sessions list --all --json | jq -r '.[].title'")
    parser.set_defaults(handler="sessions:list_")


def _show(parser: argparse.ArgumentParser) -> None:
    _conversation(parser)
    parser.add_argument("--entries", "-n", type=int, default=10, metavar="N", help="the last N entries (default 10)")
    parser.add_argument("--all", "-a", action="store_true", help="every entry of every session")
    _json(parser)
    parser.epilog = _examples('baton sessions show "fix the checkout race"', "baton sessions show c_7k3m --all | less")
    parser.set_defaults(handler="show:show")


def _search(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "query", nargs="+", metavar="WORD", help='words, "phrases" or beginnings* that must all be found'
    )
    parser.add_argument("--limit", "-n", type=int, default=20, metavar="N", help="at most N (default 20)")
    _json(parser)
    parser.epilog = _examples("baton sessions search checkout race", "baton sessions search '\"dead lock\" retry*'")
    parser.set_defaults(handler="search:search")


def _tree(parser: argparse.ArgumentParser) -> None:
    _conversation(parser, nargs="?")
    _json(parser)
    parser.epilog = _examples("baton sessions tree", 'baton sessions tree "fix the checkout race"')
    parser.set_defaults(handler="tree:tree")


def _rename(parser: argparse.ArgumentParser) -> None:
    _conversation(parser)
    parser.add_argument("title", metavar="TITLE")
    _json(parser)
    parser.epilog = _examples('baton sessions rename c_7k3m "fix the checkout race"')
    parser.set_defaults(handler="sessions:rename")


def _export(parser: argparse.ArgumentParser) -> None:
    _conversation(parser, nargs="*")
    parser.add_argument("--all", "-a", action="store_true", help="every conversation")
    parser.add_argument("--to", "-t", metavar="FILE", help="a new file (0600) instead of standard output")
    parser.add_argument("--force", action="store_true", help="replace FILE if it exists")
    _json(parser)
    parser.epilog = _examples(
        'baton sessions export "fix the checkout race" > race.jsonl', "baton sessions export --all --to all.jsonl"
    )
    parser.set_defaults(handler="archive:export")


def _import(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="an export, or - for standard input")
    _json(parser)
    parser.epilog = _examples(
        "baton sessions import race.jsonl", "ssh desk baton sessions export --all | baton sessions import -"
    )
    parser.set_defaults(handler="archive:import_")


def _prune(parser: argparse.ArgumentParser) -> None:
    help_ = "not touched for this long, such as 90d, 12w, 36h (default: sessions.retention_days)"
    parser.add_argument("--older-than", metavar="AGE", help=help_)
    parser.add_argument("--dry-run", action="store_true", help="only show what would go")
    parser.add_argument("--yes", "-y", action="store_true", help="do not ask")
    _json(parser)
    parser.epilog = _examples(
        "baton sessions prune --older-than 90d --dry-run", "baton sessions prune --older-than 1y --yes"
    )
    parser.set_defaults(handler="prune:prune")


def _backup(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", nargs="?", metavar="FILE", help="where to (default: below BATON_HOME/backups)")
    _json(parser)
    parser.epilog = _examples("baton sessions backup", "baton sessions backup /mnt/usb/baton.db")
    parser.set_defaults(handler="archive:backup")


def _doctor(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--repair", action="store_true", help="keep a copy of a damaged database and recover it")
    parser.add_argument("--quick", action="store_true", help="do not read every entry")
    _json(parser)
    parser.epilog = _examples("baton doctor", "baton doctor --repair")
    parser.set_defaults(handler="doctor:doctor")


def _config_show(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("key", nargs="?", metavar="KEY", help="one key, or the beginning of several")
    _json(parser)
    parser.epilog = _examples("baton config show", "baton config show agent", "baton config show --json")
    parser.set_defaults(handler="config:show")


def _config_check(parser: argparse.ArgumentParser) -> None:
    _json(parser)
    parser.set_defaults(handler="config:check")


def _config_schema(parser: argparse.ArgumentParser) -> None:
    parser.epilog = _examples("baton config schema > baton.schema.json")
    parser.set_defaults(handler="config:schema")


def _checkpoint_list(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--limit", "-n", type=int, default=50, metavar="N", help="at most N (default 50)")
    _json(parser)
    parser.epilog = _examples("baton checkpoint list", "baton checkpoint list --json | jq -r '.[0].name'")
    parser.set_defaults(handler="checkpoint:list_")


def _checkpoint(parser: argparse.ArgumentParser) -> None:
    text = "its name, a session's id (the newest of it), or the beginning of its hash"
    parser.add_argument("ref", metavar="CHECKPOINT", help=text)


def _checkpoint_show(parser: argparse.ArgumentParser) -> None:
    _checkpoint(parser)
    _json(parser)
    parser.epilog = _examples("baton checkpoint show 20260527_123456_abcdef/1", "baton checkpoint show 4f2c91a")
    parser.set_defaults(handler="checkpoint:show")


def _checkpoint_restore(parser: argparse.ArgumentParser) -> None:
    _checkpoint(parser)
    parser.add_argument("--force", action="store_true", help="also in the middle of a rebase or merge")
    _json(parser)
    parser.epilog = _examples(
        "baton checkpoint restore 20260527_123456_abcdef/1", "baton checkpoint restore 20260527_123456_abcdef"
    )
    parser.set_defaults(handler="checkpoint:restore")


def _completion(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=("bash", "zsh", "fish"))
    parser.epilog = _examples(
        'eval "$(baton completion bash)"                        in ~/.bashrc',
        'eval "$(baton completion zsh)"                         in ~/.zshrc',
        "baton completion fish > ~/.config/fish/completions/baton.fish",
    )
    parser.set_defaults(handler="completion:script")


_COMMANDS: dict[str, tuple[str, Setup]] = {
    "run": ("Run one turn, for scripts", _run),
    "resume": ("Go on with a conversation", _resume),
    "handoff": ("Hand a conversation over to a fresh session, or write its packet", _handoff),
    "acp": ("Serve an editor over the Agent Client Protocol", _acp),
    "gateway": ("Host messaging platforms: Telegram, Discord, Slack, Matrix, Signal, WhatsApp", _gateway),
    "pair": ("Make yourself known on a messaging platform", _pair),
    "people": ("List who may speak on messaging platforms", _people),
    "watch": ("Watch a conversation that lives elsewhere", _watch),
    "models": ("List the models that can be used here, and why others cannot", _models),
    "doctor": ("Check the installation, the configuration and every conversation", _doctor),
    "completion": ("Print the completion script of a shell", _completion),
}
_GROUPS: dict[str, tuple[str, dict[str, tuple[str, Setup]]]] = {
    "sessions": (
        "List, read, search, move and clean up conversations",
        {
            "list": ("List conversations, newest first", _list),
            "show": ("Show a conversation: its sessions, their vitals and its last entries", _show),
            "search": ("Search everything ever said", _search),
            "tree": ("Draw the lineage of conversations", _tree),
            "rename": ("Give a conversation another title", _rename),
            "export": ("Write conversations as JSON lines", _export),
            "import": ("Read conversations from an export", _import),
            "prune": ("Remove old conversations for good", _prune),
            "backup": ("Copy the whole store, while it is in use", _backup),
        },
    ),
    "checkpoint": (
        "List, read and restore what was kept of this directory's files",
        {
            "list": ("List checkpoints, newest first", _checkpoint_list),
            "show": ("Show what a checkpoint holds, and what was left out", _checkpoint_show),
            "restore": (
                "Bring files back; what is there now is kept first",
                _checkpoint_restore,
            ),
        },
    ),
    "transfers": (
        "Follow conversations on their way to other places",
        {
            "list": ("List transfers, newest first", _transfers_list),
            "show": ("Show one transfer and its journal", _transfer("transfers:show")),
            "retry": ("Ask for a failed transfer again", _transfer("transfers:retry")),
            "cancel": ("Stop a transfer that is on its way", _transfer("transfers:cancel")),
        },
    ),
    "model": (
        "Pull, list and remove the models that run inside Baton",
        {
            "pull": ("Pull a model now", _model_pull),
            "list": ("List models and whether they are here", _model_list),
            "remove": ("Remove a model", _model_remove),
        },
    ),
    "config": (
        "Show and check the configuration",
        {
            "show": ("Show every value and where it came from", _config_show),
            "check": ("Check the configuration files", _config_check),
            "schema": ("Print the JSON schema, for editors", _config_schema),
        },
    ),
}
