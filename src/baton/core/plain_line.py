"""Shell text that means exactly what it says: words, quotes, and commands joined by `&&`, `||`, `;`, `|` or a new line.

Whatever a shell would expand, substitute, write to or run behind it is none of this. It is a reading of its own, of
a small part of the language: what is allowed unasked must also be read so by the whole grammar (`read_plain`), so that
a mistake in one of the two allows nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from baton.core.shell import Parse
from baton.core.value import value

_OPERATOR = re.compile(r"&&(?!&)|\|\|(?!\|)|\|(?![|&])|;(?!;)|\n")
_SILENCED = re.compile(r"(?:[12]?> ?/dev/null|&> ?/dev/null|2>&1)(?=[\s;|]|$)")
_BARE = re.compile(r"[\w./:,@%+=^-]+|(?<=[\w./@-])~|\\[!-/:-@\[-`{-~ ]")
_SINGLE = re.compile(r"'([^']*)'")
_DOUBLE = re.compile(r'"((?:[^"\\$`]|\\[^$`\n])*)"')
_ESCAPED = re.compile(r'\\(["\\])')
_ASSIGNS = re.compile(r"[A-Za-z_]\w*(?:\[.*\])?\+?=")
_KEYWORDS = frozenset(
    (
        *("if", "then", "else", "elif", "fi", "do", "done", "case", "esac", "while", "until", "for", "in", "function"),
        *(
            "select",
            "time",
            "coproc",
            "{",
            "}",
            "[[",
            "!",
            "declare",
            "typeset",
            "export",
            "readonly",
            "local",
            "unset",
        ),
    )
)
_ODD = re.compile(r"[^\S \t\n]|[\x00-\x08\x0e-\x1f\x7f-\x9f]")
"""White space that one reader may take for a blank and another for a letter, and control characters."""


@value
class PlainCommand:
    """`joined` is what stands before it: `&&`, `||`, `;`, `|`, a new line, or nothing for the first. `silenced` if some
    of its output goes to `/dev/null` or errors go where output goes; no other redirection is plain.
    """

    words: tuple[str, ...]
    joined: str = ""
    silenced: bool = False


def read_plain(text: str, parse: Parse) -> tuple[PlainCommand, ...]:
    """The commands of a text that is plain, and that the grammar reads as the same words; empty for any other."""
    try:
        found = tuple(_commands(text)) if not _ODD.search(text) else ()
    except ValueError:
        return ()
    script = parse(text)
    read = [tuple(word.text for word in command.words) for command in script.commands]
    known = all(word.known for command in script.commands for word in command.words)
    more = any(command.assigned or command.input for command in script.commands)
    return found if script.ok and known and not more and read == [each.words for each in found] else ()


def _commands(text: str) -> Iterator[PlainCommand]:
    """Raises `ValueError` at the first thing that is not plain."""
    position, joined, words, silenced = 0, "", list[str](), False
    while position < len(text):
        if text[position] in " \t":
            position += 1
        elif operator := _OPERATOR.match(text, position):
            if words:
                yield _command(words, joined, silenced=silenced)
                words, silenced, joined = [], False, operator[0]
            elif operator[0] != "\n":
                raise ValueError(text)
            position = operator.end()
        elif redirect := _SILENCED.match(text, position):
            silenced, position = True, redirect.end()
        else:
            word, position = _word(text, position)
            words.append(word)
    if words:
        yield _command(words, joined, silenced=silenced)
    elif joined not in (";", "\n", ""):
        raise ValueError(text)


def _command(words: list[str], joined: str, *, silenced: bool) -> PlainCommand:
    if words[0] in _KEYWORDS or _ASSIGNS.match(words[0]):
        raise ValueError(words[0])
    return PlainCommand(tuple(words), joined, silenced)


def _word(text: str, position: int) -> tuple[str, int]:
    """The word that begins here, without its quotes, and where it ends."""
    parts: list[str] = []
    while position < len(text) and text[position] not in " \t\n;|&<>":
        if found := _BARE.match(text, position):
            parts.append(found[0].removeprefix("\\") if found[0] != "\\\\" else "\\")
        elif found := _SINGLE.match(text, position):
            parts.append(found[1])
        elif found := _DOUBLE.match(text, position):
            parts.append(_ESCAPED.sub(r"\1", found[1]))
        else:
            raise ValueError(text[position:])
        position = found.end()
    if not parts or (position < len(text) and text[position] in "&<>" and not text.startswith("&&", position)):
        raise ValueError(text[position:])
    return "".join(parts), position
