"""The commands that do work: turns, handoffs, editors, platforms, models."""

from __future__ import annotations

import argparse

from baton.core.transfer.place import PLATFORMS
from baton.surfaces.cli.arguments import Setup, agent_options, conversation_argument, examples, json_option

_RUN_OUTPUT = """\
output:
  The answer goes to standard output, what happens beside it to standard error.
  With --json each event is a line of its own, an object with its type; turn_ended comes last.
  Nobody can be asked: a tool that needs approval is refused, unless --yes or --mode allows it.

exit codes:
  0  the turn ended well          1  it failed or was refused; the reason is on standard error
  2  the command line is wrong    130  it was stopped (Ctrl-C)"""


_MOVE_CODES = """\
exit codes with --to:
  0  it is there    1  it failed or was refused    3  it was still on its way when the wait ended, and goes on"""


def run_(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("prompt", nargs="*", metavar="PROMPT", help="what to do; standard input is added to it")
    parser.add_argument("--conversation", "-c", metavar="CONVERSATION", help="go on with this one")
    parser.add_argument("--go-on", action="store_true", help="with -c: go on with the work, without a prompt")
    parser.add_argument("--yes", "-y", action="store_true", help="unattended: allow every tool inside the workspace")
    parser.add_argument("--image", "-i", action="append", default=[], metavar="FILE", help="attach a picture")
    agent_options(parser)
    json_option(parser)
    parser.epilog = examples(
        'baton run "what does this project do?"',
        'git diff | baton run "write a commit message" --mode read_only',
        'baton run -c c_7k3m --yes --json "go on" | jq -r \'select(.type=="text_added").text\'',
    )
    parser.epilog += f"\n\n{_RUN_OUTPUT}"
    parser.set_defaults(handler="run:run")


def resume(parser: argparse.ArgumentParser) -> None:
    conversation_argument(parser, nargs="?")
    parser.add_argument("--go-on", action="store_true", help="let the agent go on with the work at once")
    agent_options(parser)
    parser.epilog = examples("baton resume", 'baton resume "fix the checkout race"')
    parser.set_defaults(handler="chat:resume")


def handoff(parser: argparse.ArgumentParser) -> None:
    conversation_argument(parser, nargs="?")
    parser.add_argument("--to", metavar="PLACE", help="move it to a platform's home channel or a named place instead")
    parser.add_argument("--wait", type=float, metavar="SECONDS", help="with --to: how long to wait for it (60)")
    parser.add_argument("--packet-only", action="store_true", help="write the packet and start nothing")
    parser.add_argument("--yes", "-y", action="store_true", help="start the fresh session without a review")
    parser.add_argument("--confirm", metavar="DRAFT", help="start the fresh session of a draft that waits")
    parser.add_argument("--cancel", metavar="DRAFT", help="say no to a draft that waits")
    parser.add_argument("--no-narrative", action="store_true", help="facts only: ask no model")
    parser.add_argument("--model", "-m", metavar="PROVIDER:NAME", help="the model that writes the narrative")
    json_option(parser)
    parser.epilog = examples(
        "baton handoff                        review, then a fresh session (newest conversation here)",
        "baton handoff c_7k3m --packet-only --json | jq -r .packet_path",
        "baton handoff --yes                  at once",
        "baton handoff --to telegram          carry on from your phone",
    )
    parser.epilog += f"\n\n{_MOVE_CODES}"
    parser.set_defaults(handler="handoff:handoff")


def acp(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--check", action="store_true", help="test it over a pipe and print what a client would see")
    parser.add_argument(
        "--unstable", action="store_true", help="advertise session/fork, which is not in the standard yet"
    )
    agent_options(parser)
    json_option(parser)
    parser.epilog = examples(
        "baton acp            what an editor starts", "baton acp --check    what a client would see"
    )
    parser.set_defaults(handler="acp:acp")


def gateway(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "what",
        nargs="?",
        choices=("run", "status", "token"),
        default="run",
        help="run it, say what runs, or print the API's token",
    )
    agent_options(parser)
    json_option(parser)
    parser.epilog = examples(
        "baton gateway            host every configured platform until it is stopped",
        "baton gateway status     is one running, and connected to what",
        "baton gateway token      the token of its HTTP API: docs/reference/api.md",
    )
    parser.set_defaults(handler="gateway:gateway")


def pair(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("platform", choices=PLATFORMS, metavar="PLATFORM", help=", ".join(PLATFORMS))
    parser.add_argument("--guest", action="store_true", help="somebody who may talk where you let them, and no more")
    json_option(parser)
    parser.epilog = examples("baton pair telegram", "baton pair slack --guest")
    parser.set_defaults(handler="pair:pair")


def people(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--forget", metavar="PLATFORM:ID", help="make somebody who was paired a stranger again")
    json_option(parser)
    parser.epilog = examples("baton people", "baton people --forget telegram:777")
    parser.set_defaults(handler="pair:people")


def watch(parser: argparse.ArgumentParser) -> None:
    conversation_argument(parser)
    parser.add_argument("--last", type=int, default=20, metavar="N", help="entries to begin with (20)")
    parser.add_argument("--once", action="store_true", help="show what there is, and leave")
    json_option(parser)
    parser.epilog = examples('baton watch "fix the checkout race"')
    parser.set_defaults(handler="watch:watch")


def transfers_list(parser: argparse.ArgumentParser) -> None:
    conversation_argument(parser, nargs="?")
    parser.add_argument("--limit", type=int, default=50, metavar="N", help="at most so many (50)")
    json_option(parser)
    parser.epilog = examples("baton transfers list", 'baton transfers list "fix the checkout race" --json')
    parser.set_defaults(handler="transfers:list_")


def transfer(handler: str) -> Setup:
    def setup(parser: argparse.ArgumentParser) -> None:
        parser.add_argument("transfer", metavar="TRANSFER", help="its id, from `baton transfers list`")
        json_option(parser)
        parser.set_defaults(handler=handler)

    return setup


def models(parser: argparse.ArgumentParser) -> None:
    json_option(parser)
    parser.set_defaults(handler="models:models")


def model_pull(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", nargs="?", default="qwen2.5-coder-1.5b", metavar="NAME")
    json_option(parser)
    parser.epilog = examples("baton model pull", "baton model pull smollm2-135m")
    parser.set_defaults(handler="models:pull")


def model_list(parser: argparse.ArgumentParser) -> None:
    json_option(parser)
    parser.set_defaults(handler="models:list_")


def model_remove(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME")
    json_option(parser)
    parser.set_defaults(handler="models:remove")
