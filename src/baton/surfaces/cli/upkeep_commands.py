"""The commands that look at what there is and keep it in order."""

from __future__ import annotations

import argparse

from baton.surfaces.cli.arguments import conversation_argument, examples, json_option


def list_(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--limit", "-n", type=int, default=50, metavar="N", help="at most N (default 50)")
    parser.add_argument("--all", "-a", action="store_true", help="all of them")
    parser.add_argument("--here", action="store_true", help="only those of the current directory")
    parser.add_argument("--workspace", "-w", metavar="DIR", help="only those of a directory")
    json_option(parser)
    parser.epilog = examples("baton sessions list --here", "baton sessions list --all --json | jq -r '.[].title'")
    parser.set_defaults(handler="sessions:list_")


def show(parser: argparse.ArgumentParser) -> None:
    conversation_argument(parser)
    parser.add_argument("--entries", "-n", type=int, default=10, metavar="N", help="the last N entries (default 10)")
    parser.add_argument("--all", "-a", action="store_true", help="every entry of every session")
    json_option(parser)
    parser.epilog = examples('baton sessions show "fix the checkout race"', "baton sessions show c_7k3m --all | less")
    parser.set_defaults(handler="show:show")


def search(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "query", nargs="+", metavar="WORD", help='words, "phrases" or beginnings* that must all be found'
    )
    parser.add_argument("--limit", "-n", type=int, default=20, metavar="N", help="at most N (default 20)")
    json_option(parser)
    parser.epilog = examples("baton sessions search checkout race", "baton sessions search '\"dead lock\" retry*'")
    parser.set_defaults(handler="search:search")


def tree(parser: argparse.ArgumentParser) -> None:
    conversation_argument(parser, nargs="?")
    json_option(parser)
    parser.epilog = examples("baton sessions tree", 'baton sessions tree "fix the checkout race"')
    parser.set_defaults(handler="tree:tree")


def rename(parser: argparse.ArgumentParser) -> None:
    conversation_argument(parser)
    parser.add_argument("title", metavar="TITLE")
    json_option(parser)
    parser.epilog = examples('baton sessions rename c_7k3m "fix the checkout race"')
    parser.set_defaults(handler="sessions:rename")


def export(parser: argparse.ArgumentParser) -> None:
    conversation_argument(parser, nargs="*")
    parser.add_argument("--all", "-a", action="store_true", help="every conversation")
    parser.add_argument("--to", "-t", metavar="FILE", help="a new file (0600) instead of standard output")
    parser.add_argument("--force", action="store_true", help="replace FILE if it exists")
    json_option(parser)
    parser.epilog = examples(
        'baton sessions export "fix the checkout race" > race.jsonl', "baton sessions export --all --to all.jsonl"
    )
    parser.set_defaults(handler="archive:export")


def import_(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="an export, or - for standard input")
    json_option(parser)
    parser.epilog = examples(
        "baton sessions import race.jsonl", "ssh desk baton sessions export --all | baton sessions import -"
    )
    parser.set_defaults(handler="archive:import_")


def prune(parser: argparse.ArgumentParser) -> None:
    help_ = "not touched for this long, such as 90d, 12w, 36h (default: sessions.retention_days)"
    parser.add_argument("--older-than", metavar="AGE", help=help_)
    parser.add_argument("--dry-run", action="store_true", help="only show what would go")
    parser.add_argument("--yes", "-y", action="store_true", help="do not ask")
    json_option(parser)
    parser.epilog = examples(
        "baton sessions prune --older-than 90d --dry-run", "baton sessions prune --older-than 1y --yes"
    )
    parser.set_defaults(handler="prune:prune")


def backup(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", nargs="?", metavar="FILE", help="where to (default: below BATON_HOME/backups)")
    json_option(parser)
    parser.epilog = examples("baton sessions backup", "baton sessions backup /mnt/usb/baton.db")
    parser.set_defaults(handler="archive:backup")


def doctor(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--repair", action="store_true", help="keep a copy of a damaged database and recover it")
    parser.add_argument("--quick", action="store_true", help="do not read every entry")
    json_option(parser)
    parser.epilog = examples("baton doctor", "baton doctor --repair")
    parser.set_defaults(handler="doctor:doctor")


def config_show(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("key", nargs="?", metavar="KEY", help="one key, or the beginning of several")
    json_option(parser)
    parser.epilog = examples("baton config show", "baton config show agent", "baton config show --json")
    parser.set_defaults(handler="config:show")


def config_check(parser: argparse.ArgumentParser) -> None:
    json_option(parser)
    parser.set_defaults(handler="config:check")


def config_schema(parser: argparse.ArgumentParser) -> None:
    parser.epilog = examples("baton config schema > baton.schema.json")
    parser.set_defaults(handler="config:schema")


def checkpoint_list(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--limit", "-n", type=int, default=50, metavar="N", help="at most N (default 50)")
    json_option(parser)
    parser.epilog = examples("baton checkpoint list", "baton checkpoint list --json | jq -r '.[0].name'")
    parser.set_defaults(handler="checkpoint:list_")


def checkpoint(parser: argparse.ArgumentParser) -> None:
    text = "its name, a session's id (the newest of it), or the beginning of its hash"
    parser.add_argument("ref", metavar="CHECKPOINT", help=text)


def checkpoint_show(parser: argparse.ArgumentParser) -> None:
    checkpoint(parser)
    json_option(parser)
    parser.epilog = examples("baton checkpoint show 20260527_123456_abcdef/1", "baton checkpoint show 4f2c91a")
    parser.set_defaults(handler="checkpoint:show")


def checkpoint_restore(parser: argparse.ArgumentParser) -> None:
    checkpoint(parser)
    parser.add_argument("--force", action="store_true", help="also in the middle of a rebase or merge")
    json_option(parser)
    parser.epilog = examples(
        "baton checkpoint restore 20260527_123456_abcdef/1", "baton checkpoint restore 20260527_123456_abcdef"
    )
    parser.set_defaults(handler="checkpoint:restore")


def checkpoint_prune(parser: argparse.ArgumentParser) -> None:
    help_ = "keep the newest N of each conversation, 0 for no limit (default: checkpoint.keep)"
    parser.add_argument("--keep", type=int, metavar="N", help=help_)
    parser.add_argument("--dry-run", action="store_true", help="only show what would go")
    json_option(parser)
    parser.epilog = examples(
        "baton checkpoint prune --dry-run",
        "baton checkpoint prune --keep 10",
        "baton checkpoint prune --json | jq -r '.removed[]'",
    )
    parser.set_defaults(handler="checkpoint_prune:prune")


def completion(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=("bash", "zsh", "fish"))
    parser.epilog = examples(
        'eval "$(baton completion bash)"                        in ~/.bashrc',
        'eval "$(baton completion zsh)"                         in ~/.zshrc',
        "baton completion fish > ~/.config/fish/completions/baton.fish",
    )
    parser.set_defaults(handler="completion:script")
