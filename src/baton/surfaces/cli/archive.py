"""`baton sessions export`, `import` and `backup`."""

from __future__ import annotations

import argparse
import os
import stat
import sys
import time
from collections.abc import Iterable, Iterator
from typing import BinaryIO

from baton.core.display import one_line
from baton.core.errors import BadInput
from baton.core.log.entry import RULE_PINNED
from baton.engine.archive import LINE_LIMIT, export_lines, import_lines
from baton.surfaces.cli.app import App
from baton.surfaces.shared.archive import write_export
from baton.surfaces.shared.formats import count, size
from baton.surfaces.words import conversations as words
from baton.surfaces.words import counts


def export(app: App, options: argparse.Namespace) -> int:
    store = app.store()
    if bool(options.conversation) == options.all:
        raise BadInput(reason=words.EXPORT_NOTHING)
    ids = (
        list(store.upkeep.ids())
        if options.all
        else _unique(store.conversations.find(text).id for text in options.conversation)
    )
    if options.to is None:
        app.terminal.raw(export_lines(store, ids))
        return 0
    write_export(store, ids, options.to, replace=options.force)
    app.terminal.note(
        words.EXPORTED.format(
            conversations=count(len(ids), counts.CONVERSATIONS), path=options.to, size=size(os.path.getsize(options.to))
        )
    )
    if options.json:
        app.terminal.json({"path": os.path.abspath(options.to), "conversations": ids})
    return 0


def _unique(ids: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(ids))


def import_(app: App, options: argparse.Namespace) -> int:
    store = app.store()
    if options.file == "-":
        done = import_lines(store, lines := _Lines(sys.stdin.buffer), words.STANDARD_INPUT)
    else:
        try:
            with _open_regular(options.file) as file:
                done = import_lines(store, lines := _Lines(file), options.file)
        except OSError as error:
            reason = words.UNREADABLE.format(path=options.file, reason=error.strerror or error)
            raise BadInput(reason=reason) from error
    for each in done.added if lines.may_pin else ():
        _tell_rules(app, each)
    if options.json:
        app.terminal.json({"added": done.added, "known": done.known})
    else:
        added, known = count(len(done.added), counts.CONVERSATIONS), len(done.known)
        app.terminal.line(words.IMPORTED.format(added=added, known=known))
    return 0


def _open_regular(path: str) -> BinaryIO:
    """The file, if it is one: a pipe that nobody writes to would be waited for without end."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise BadInput(reason=words.IMPORT_NO_FILE.format(path=path))
    return os.fdopen(descriptor, "rb")


def _tell_rules(app: App, conversation_id: str) -> None:
    """Pinned rules go with every request: whoever imports somebody's conversation is told that it brings some."""
    store = app.store()
    sessions = store.sessions.of(conversation_id)
    pinned = sum(entry.kind == RULE_PINNED for session in sessions for entry in store.entries.load(session.id))
    if pinned:
        title = one_line(store.conversations.get(conversation_id).title, 60)
        text = words.IMPORTED_RULE if pinned == 1 else words.IMPORTED_RULES
        app.terminal.note(text.format(count=pinned, title=title, id=conversation_id))


class _Lines:
    """Lines of bounded length: a longer one is cut, and then refused for its length. `may_pin` once a line names a
    pinned rule, so that the entries of a file without any are not looked through.
    """

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.may_pin = False

    def __iter__(self) -> Iterator[bytes]:
        while line := self._file.readline(LINE_LIMIT + 2):
            self.may_pin = self.may_pin or RULE_PINNED.encode() in line
            yield line


def backup(app: App, options: argparse.Namespace) -> int:
    store = app.store()
    path = options.file or _default(app)
    store.upkeep.backup(os.path.abspath(path))
    if options.json:
        app.terminal.json({"path": os.path.abspath(path), "bytes": os.path.getsize(path)})
    else:
        app.terminal.line(words.BACKED_UP.format(path=path, size=size(os.path.getsize(path))))
    return 0


def _default(app: App) -> str:
    directory = os.path.join(app.load_config().locations.home, "backups")
    os.makedirs(directory, mode=0o700, exist_ok=True)
    return os.path.join(directory, f"baton-{time.strftime('%Y%m%dT%H%M%S')}-{os.getpid()}.backup")
