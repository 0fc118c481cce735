"""Files a person names in a message: `@shop/cart.py`, `@"my notes.md"`, or some lines of one, `@shop/cart.py:10-40`.

Their content goes with the message, as data between two marks that nothing inside can imitate. Only files of the
workspace count, which the agent may read anyway: a pasted text that happens to name another file takes nothing along.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterable

from baton.core.log.payloads import UserInput
from baton.core.value import value
from baton.surfaces.shared import images
from baton.surfaces.words import files as words

LONGEST = 60_000
LONGEST_TOGETHER = 150_000
_LINES = re.compile(r"(.+):(\d{1,7})(?:-(\d{1,7}))?")
_MOST_BYTES = 2_000_000
_OPEN = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY


@value
class Attachment:
    """`name` is how the message calls it, `lines` how many of them are there."""

    name: str
    body: str
    lines: int


def find_attachments(text: str, base: str) -> list[Attachment]:
    """The text files of the workspace that a message names, each once; other words are left alone."""
    found: dict[str, Attachment] = {}
    room = LONGEST_TOGETHER
    for name in images.named_files(text):
        made = _attach(name, base) or _attach(name.rstrip(images.AFTER), base)
        if made is None or made.name in found:
            continue
        if len(made.body) > room:
            made = Attachment(made.name, words.FULL.format(most=LONGEST_TOGETHER), 0)
        found[made.name] = made
        room -= len(made.body)
    return [*found.values()]


def add_to(given: UserInput, attached: Iterable[Attachment]) -> UserInput:
    """The input as the model gets it; people go on seeing what was typed."""
    bodies = "".join(frame(each.name, each.body) for each in attached)
    return UserInput(given.text + bodies, images=given.images, shown=given.text) if bodies else given


def frame(name: str, body: str, by: str = words.BY_PERSON) -> str:
    mark = ""
    while not mark or mark in body:
        mark = f"file-{os.urandom(8).hex()}"
    return words.FRAMED.format(name=name.replace("\n", " "), by=by, mark=mark, body=body.rstrip("\n"))


def _attach(name: str, base: str) -> Attachment | None:
    """By its whole name first: a file may have a colon in it."""
    text = _content(name, base)
    if text is not None:
        return _made(name, text, 1, None)
    if not (ranged := _LINES.fullmatch(name)) or (text := _content(ranged[1], base)) is None:
        return None
    first = max(1, int(ranged[2]))
    return _made(name, text, first, max(first, int(ranged[3] or first)))


def _made(name: str, text: str, first: int, last: int | None) -> Attachment:
    lines = text.split("\n")
    if text.endswith("\n"):
        lines.pop()
    chosen = lines[first - 1 : last]
    if last and not chosen:
        return Attachment(name, words.NO_LINES.format(count=len(lines), first=first), 0)
    body = "\n".join(chosen)
    if len(body) <= LONGEST:
        return Attachment(name, body, len(chosen))
    shown = body[:LONGEST].rpartition("\n")[0] or body[:LONGEST]
    count = shown.count("\n") + 1
    more = len(chosen) - count
    return Attachment(name, shown + (words.LINE_MORE if more == 1 else words.LINES_MORE).format(count=more), count)


def _content(name: str, base: str) -> str | None:
    """The text of a regular file below the workspace, wherever links lead; None for anything else."""
    root = os.path.realpath(base)
    try:
        path = os.path.realpath(os.path.join(root, name))
        if os.path.commonpath((root, path)) != root:
            return None
        with os.fdopen(os.open(path, _OPEN | os.O_NOFOLLOW), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                return None
            data = file.read(_MOST_BYTES)
        if b"\0" in data or images.media_type(data[:16]):
            return None
        return data.decode(errors="replace" if len(data) == _MOST_BYTES else "strict").replace("\r\n", "\n")
    except (OSError, ValueError):
        return None
