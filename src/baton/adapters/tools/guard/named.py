"""Which files that make programs act a command says it writes, as far as its text tells."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import pairwise

from baton.adapters.files.workspace import Workspace
from baton.core.shell import Command, Parse

_WRITERS = frozenset({"mv", "tee", "touch", "mkdir", "rm", "rmdir", "unlink", "truncate", "chmod", "dd"})
_COPIERS = frozenset({"cp", "ln", "install", "rsync"})
"""These write to the last of their operands only."""
_IN_PLACE = frozenset({"sed", "perl"})
_FETCHERS = frozenset({"curl", "wget"})
_WRAPPERS = frozenset({"sudo", "env", "command", "nice", "nohup", "time", "exec", "builtin", "timeout", "xargs"})


def named_targets(command: str, parse: Parse, workspace: Workspace) -> tuple[str, ...]:
    """Real paths inside the workspace. What a program decides for itself, or a variable holds, is not among them."""
    targets = {workspace.locate("shell", path) for each in parse(command).commands for path in _written(each)}
    return tuple(sorted(target.real for target in targets if target.inside and target.powerful))


def _written(command: Command) -> Iterator[str]:
    for redirect in command.redirects:
        if ">" in redirect.operator and redirect.target.known:
            yield redirect.target.text
    words: list[str] = [word.text for word in command.words if word.known]
    while words and os.path.basename(words[0]) in _WRAPPERS:
        words = [word for word in words[1:] if not word.startswith("-") and "=" not in word]
    name = os.path.basename(words[0]) if words else ""
    in_place = name in _IN_PLACE and any(word.startswith(("-i", "--in-place")) for word in words)
    if name in _WRITERS or in_place:
        yield from (word.removeprefix("of=") for word in words[1:] if word and not word.startswith("-"))
    elif name in _COPIERS:
        yield from [word for word in words[1:] if word and not word.startswith("-")][-1:]
    elif name in _FETCHERS:
        yield from (after for flag, after in pairwise(words) if flag in ("-o", "-O", "--output"))
