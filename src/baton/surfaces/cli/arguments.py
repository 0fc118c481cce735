"""Arguments that many commands share."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

Setup = Callable[[argparse.ArgumentParser], None]


def examples(*lines: str) -> str:
    return "examples:\n" + "\n".join(f"  {line}" for line in lines)


def agent_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--model", "-m", metavar="PROVIDER:NAME", help="the model to work with")
    parser.add_argument("--mode", choices=("ask", "accept_edits", "unattended", "read_only"), help="what tools may do")


def json_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="machine-readable output")


def conversation_argument(parser: argparse.ArgumentParser, **options: Any) -> None:
    text = "a title, an id, a session's id, or the beginning of one"
    parser.add_argument("conversation", metavar="CONVERSATION", help=text, **options)
