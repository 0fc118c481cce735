"""Commands that only read: `git status`, `ls`, `rg` and their like, told by their words alone.

Every option has to be on the list. What writes (`sort -o`), runs something (`find -exec`, `rg --pre`), follows links
out of where it was pointed (`grep -R`) or takes names from elsewhere (`wc --files0-from`) is not on it, nor is anything
that nobody thought of. Whoever runs one still has to see that its `paths` are inside, that its `programs` are the
system's own and, for git, that the repository names nothing that git would run.
"""

from __future__ import annotations

from collections.abc import Iterable

from baton.core.plain_line import PlainCommand, read_plain
from baton.core.risk.reading_git import read_git
from baton.core.risk.reading_options import read_arguments
from baton.core.risk.reading_table import BUILTINS, FIND_ALONE, FIND_PATHS, FIND_VALUED, READERS, VERSIONED
from baton.core.shell import Parse
from baton.core.value import value

_SED = frozenset("0123456789,$p;")
_CHAINED = ("", "&&", "|")


@value
class Reading:
    """What a command reads: `paths` as they are written, from `directory`, which is one too. `programs` are those that
    the shell would look for.
    """

    paths: tuple[str, ...]
    programs: frozenset[str]
    directory: str = "."
    uses_git: bool = False


def find_reading(command: str, parse: Parse) -> Reading | None:
    """What the command reads, if it does nothing else; None if it may do more, or cannot be told."""
    commands = read_plain(command, parse)
    if not commands:
        return None
    directory, rest = _enter(commands)
    found = [_paths(each.words) for each in rest]
    paths = [each for each in found if each is not None]
    if not rest or len(paths) != len(found):
        return None
    programs = frozenset(each.words[0] for each in rest) - BUILTINS
    uses_git = "git" in programs
    if uses_git and directory != ".":
        return None
    return Reading(tuple(path for each in paths for path in each), programs, directory, uses_git)


def _enter(commands: tuple[PlainCommand, ...]) -> tuple[str, tuple[PlainCommand, ...]]:
    """Where `cd` leads, and the commands behind it, which must not run if it fails; `.` and all of them without one."""
    first, *rest = commands
    if first.words[0] != "cd":
        return ".", commands
    sure = rest and rest[0].joined == "&&" and all(each.joined in _CHAINED for each in rest)
    plain = len(first.words) == 2 and not first.words[1].startswith("-") and first.words[1]
    return (first.words[1], tuple(rest)) if sure and plain else ("", ())


def _paths(words: tuple[str, ...]) -> Iterable[str] | None:
    """What one command reads, or None if that is not all it does."""
    program, args = words[0], words[1:]
    if program in VERSIONED and args == ("--version",):
        return ()
    if program in _OWN:
        return _OWN[program](args)
    reader = READERS.get(program)
    return read_arguments(args, reader) if reader else None


def _find(args: tuple[str, ...]) -> Iterable[str] | None:
    """Starting points come first. Of what follows, everything has to be known."""
    start = next((at for at, text in enumerate(args) if text.startswith(("-", "(", ")", "!", ","))), len(args))
    paths, position = list(args[:start]), start
    while position < len(args):
        text = args[position]
        if text in FIND_VALUED or text in FIND_PATHS:
            if position + 1 >= len(args):
                return None
            paths += [args[position + 1]] if text in FIND_PATHS else []
            position += 2
        elif text in FIND_ALONE:
            position += 1
        else:
            return None
    return paths


def _sed(args: tuple[str, ...]) -> Iterable[str] | None:
    """Only `sed -n 10,20p FILE`: lines by their numbers, printed."""
    if len(args) < 2 or args[0] != "-n" or not args[1] or not {*args[1]} <= _SED:
        return None
    scripts = args[1].rstrip(";").split(";")
    printed = all(each.endswith("p") and each.count("p") == 1 and each.count(",") <= 1 for each in scripts)
    paths = args[2:]
    return paths if printed and not any(path.startswith("-") for path in paths) else None


def _date(args: tuple[str, ...]) -> Iterable[str] | None:
    """An operand without a plus would set the clock."""
    known = ("-u", "-R", "-I", "--utc", "--iso-8601", "--rfc-email")
    return () if all(text.startswith("+") or text in known for text in args) else None


def _command(args: tuple[str, ...]) -> Iterable[str] | None:
    return () if args[:1] == ("-v",) and len(args) == 2 else None


_OWN = {"find": _find, "sed": _sed, "date": _date, "command": _command, "git": read_git}
