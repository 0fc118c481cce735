"""A command of the command line as data: its summary, its handler and its arguments."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

from baton.core.transfer.place import PLATFORMS
from baton.surfaces.words import help as words


class Argument:
    """What `add_argument` is given."""

    def __init__(self, *names: str, **options: Any) -> None:
        self.names = names
        self.options = options

    def add_to(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument(*self.names, **self.options)


class Once(argparse.Action):
    """Refuses a second, other value: which of the two was meant is not for Baton to guess."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,
    ) -> None:
        agree(parser, option_string or self.dest, getattr(namespace, self.dest, None), values)
        setattr(namespace, self.dest, values)


def agree(parser: argparse.ArgumentParser, flag: str, one: object, other: object) -> None:
    """Ends the process with a usage error if a flag was given two values."""
    if one is not None and other is not None and one != other:
        parser.error(words.GIVEN_TWICE.format(flag=flag, one=one, other=other))


class Entry:
    """A command. Its handler is named `module:function`, in this package, and imported when called. `notes` follow
    the examples in its help.
    """

    def __init__(
        self, summary: str, handler: str, *arguments: Argument, examples: tuple[str, ...] = (), notes: str = ""
    ) -> None:
        self.summary = summary
        self.handler = handler
        self.arguments = arguments
        self.examples = examples
        self.notes = notes

    def set_up(self, parser: argparse.ArgumentParser) -> None:
        for argument in self.arguments:
            argument.add_to(parser)
        if self.examples:
            parser.epilog = list_examples(*self.examples) + (f"\n\n{self.notes}" if self.notes else "")
        parser.set_defaults(handler=self.handler, used=parser)


def list_examples(*lines: str) -> str:
    return "\n".join([words.EXAMPLES, *(f"  {line}" for line in lines)])


def conversation(**options: Any) -> Argument:
    return Argument("conversation", metavar="CONVERSATION", help=words.CONVERSATION, **options)


JSON = Argument("--json", action="store_true", help=words.AS_JSON)
MODEL = Argument("--model", "-m", metavar="PROVIDER:NAME", help=words.MODEL)
MODE = Argument("--mode", action=Once, choices=("ask", "accept_edits", "unattended", "read_only"), help=words.MODE)
PLATFORM = Argument("platform", choices=PLATFORMS, metavar="PLATFORM", help=", ".join(PLATFORMS))
TRANSFER = Argument("transfer", metavar="TRANSFER", help=words.TRANSFER)
CHECKPOINT = Argument("ref", metavar="CHECKPOINT", help=words.CHECKPOINT)
DRY_RUN = Argument("--dry-run", action="store_true", help=words.DRY_RUN)
