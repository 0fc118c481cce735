"""The flags that may stand before a command, or before the command of a group, as well as after it.

Each holds wherever it stands, or the command line is refused: none is ever dropped. Argparse reads each command into
options of its own, which would cover what was said before it; so a flag further up has a name of its own until
`settle` brings them together.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from typing import Any

from baton.surfaces.cli.entry import MODE, MODEL, Argument, Once, agree
from baton.surfaces.shared.process import FLAG_KEYS
from baton.surfaces.words import help as words

COLOR = Argument("--color", choices=("auto", "always", "never"), help=words.COLOR)
SET = Argument("--set", "-s", action="append", default=[], metavar="KEY=VALUE", dest="flags", help=words.SET)
EVERYWHERE = (COLOR, SET)
"""What every command takes. The others are taken by commands that work with a model."""
FLAGS = {"model": MODEL, "mode": MODE, "color": COLOR, "flags": SET}

_PLACES = ("before_group", "before_command", "after_command")


def add_above(parser: argparse.ArgumentParser, depth: int) -> None:
    """Lets a parser that has commands below it take the flags too; `depth` is how many words lead to it."""
    for name, argument in FLAGS.items():
        _add(parser, argument, f"{_PLACES[depth]}_{name}")


def add_rest(parser: argparse.ArgumentParser, taken: Iterable[Argument]) -> None:
    """Lets a command read the flags that are not for it: only then can it say which one was wrong."""
    names = {argument.names[0] for argument in (*taken, *EVERYWHERE)}
    for name, argument in FLAGS.items():
        if argument.names[0] not in names:
            _add(parser, argument, f"{_PLACES[-1]}_{name}", help=argparse.SUPPRESS)


def _add(parser: argparse.ArgumentParser, argument: Argument, dest: str, **changed: Any) -> None:
    options = {**argument.options, "dest": dest, "default": argparse.SUPPRESS, **changed}
    Argument(*argument.names, **options).add_to(parser)


def settle(options: argparse.Namespace) -> argparse.Namespace:
    """The options with what was said further up; of two for the same flag the later one holds.

    Ends the process with a usage error if a flag is not for the command, or two of them contradict each other.
    """
    held, used = vars(options), options.used
    for name, argument in FLAGS.items():
        apart = [held.pop(key) for place in _PLACES if (key := f"{place}_{name}") in held]
        if name == "flags":
            options.flags = [pair for given in (*apart, options.flags) for pair in given]
        elif apart and name not in held:
            used.error(words.NOT_TAKEN.format(flag=argument.names[0], command=used.prog))
        elif apart:
            held[name] = _settle_one(used, argument, [*apart, held[name]])
    _refuse_contradictions(options)
    return options


def _settle_one(used: argparse.ArgumentParser, argument: Argument, given: Sequence[str | None]) -> str | None:
    found = [each for each in given if each is not None]
    if argument.options.get("action") is Once:
        for each in found:
            agree(used, argument.names[0], found[0], each)
    return found[-1]


def _refuse_contradictions(options: argparse.Namespace) -> None:
    for name, key in FLAG_KEYS.items():
        wanted, given = getattr(options, name, None), last_set(options.flags, key)
        if wanted is not None and given is not None and given != wanted:
            options.used.error(words.CONTRADICTION.format(name=name, value=wanted, pair=f"{key}={given}"))


def last_set(flags: Sequence[str], key: str) -> str | None:
    """What `--set` gives this key, if anything."""
    return next((flag.partition("=")[2] for flag in reversed(flags) if flag.partition("=")[0] == key), None)
