"""What "always commands that begin so" may mean: the first words of one plain command, never of anything that runs
other programs.

A command counts only if it is a single one, without pipe, redirection, substitution, variable or wrapper. What is risky
about it is judged apart, and asked about in any case.
"""

from __future__ import annotations

import re

from baton.core.plain_line import read_plain
from baton.core.risk.interpreters import interpreter
from baton.core.risk.line import Line, line, words
from baton.core.risk.wrappers import inner
from baton.core.shell import Parse, Word

_WHOLE = words(
    "pytest py.test jest vitest mocha ava rspec phpunit ctest mypy pyright eslint tsc prettier black isort flake8 "
    "pylint oxlint ls cat rg grep head tail wc diff tree"
)
"""Programs that do one thing: their name alone is a beginning. Any other is named with its verb."""
_MODULES = words("pytest unittest mypy black isort flake8 pylint pyright ruff")
_RUNNING = words("npm pnpm yarn bun")
_LONGEST = 3
_VERB = re.compile(r"[a-z][a-z0-9:_-]*")
_NEVER = words(
    "awk gawk mawk nawk sed perl ed ex vi vim nvim emacs ssh scp sftp rsync eval source . alias trap tmux screen make "
    "gmake just task rake docker podman kubectl sudo su rm mv cp dd chmod chown curl wget nc ncat socat crontab at "
    "batch gdb lldb expect man info env printenv xargs find fd fdfind npx bunx pnpx uvx"
)
"""What these are given is the deed itself, or a script: nothing is said by how they begin."""
_RUN_OTHERS = words("x exec dlx bisect create init alias foreach tool")
"""Verbs behind which stands another program."""


def beginning_of(command: str, parse: Parse) -> tuple[str, ...]:
    """The words that "always commands that begin so" would allow for this command; empty where nothing is offered."""
    given = _single(command, parse)
    if not given:
        return ()
    name, code = given[0].rpartition("/")[2], interpreter(_line(given))
    if code:
        module = code.startswith(("python", "pypy")) and given[1:2] == ("-m",) and given[2:3]
        return given[:3] if module and module[0] in _MODULES else ()
    if name in _WHOLE:
        return given[:1]
    length = 3 if name in _RUNNING and given[1:2] == ("run",) else 2
    verbs = given[1:length]
    return given[:length] if len(verbs) == length - 1 and all(map(_VERB.fullmatch, verbs)) else ()


def beginnings(command: str, parse: Parse) -> list[tuple[str, ...]]:
    """Everything that a command begins with, for finding it among what was allowed; empty if it may not be found."""
    given = _single(command, parse)
    return [given[:length] for length in range(1, min(len(given), _LONGEST) + 1)]


def _single(command: str, parse: Parse) -> tuple[str, ...]:
    """The words of a command that is a single one and runs nothing else; empty for any other."""
    found = read_plain(command, parse)
    if len(found) != 1 or found[0].silenced:
        return ()
    given = found[0].words
    made = _line(given)
    runs_others = made.program in _NEVER or (given[1:2] and given[1] in _RUN_OTHERS) or inner(made)
    return () if runs_others else given


def _line(given: tuple[str, ...]) -> Line:
    return line([Word(each) for each in given])
