"""A shell script as a list of the simple commands in it, wherever they stand: chained, nested, substituted."""

from __future__ import annotations

from collections.abc import Callable

from baton.core.value import value


@value
class Word:
    """What a program would be given. `known` when that is exactly `text`: no variable, pattern or substitution."""

    text: str
    known: bool = True


@value
class Redirect:
    """`operator` without the number before it: `>`, `>>`, `<` …"""

    operator: str
    target: Word


@value
class Command:
    """A program with its words. `piped` if it reads what another wrote; `input` is the text of a here-document;
    `assigned` are the variables it is given, each as `NAME=value`. Without words, assignments are the shell's own.
    """

    words: tuple[Word, ...]
    redirects: tuple[Redirect, ...] = ()
    piped: bool = False
    input: Word | None = None
    assigned: tuple[Word, ...] = ()

    @property
    def text(self) -> str:
        return " ".join(word.text for word in self.words)


@value
class Script:
    """`ok` if all of it was understood; `commands` may hold some of it otherwise."""

    commands: tuple[Command, ...]
    ok: bool = True


Parse = Callable[[str], Script]
