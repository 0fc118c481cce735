"""`baton sessions export`, `import` and `backup`."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterable, Iterator
from typing import BinaryIO

from baton.core.errors import BadInput
from baton.engine.archive import LINE_LIMIT, export_lines, import_lines
from baton.surfaces.cli.app import App
from baton.surfaces.shared.archive import write_export
from baton.surfaces.shared.formats import count, size

NOTHING_NAMED = "Name the conversations to export, or give --all."
WRITTEN = "{conversations} written to {path} ({size})."
IMPORTED = "{added} imported, {known} known before."
BACKED_UP = "Backup written to {path} ({size})."


def export(app: App, options: argparse.Namespace) -> int:
    store = app.store()
    if bool(options.conversation) == options.all:
        raise BadInput(reason=NOTHING_NAMED)
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
        WRITTEN.format(
            conversations=count(len(ids), "conversation"), path=options.to, size=size(os.path.getsize(options.to))
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
        done = import_lines(store, _lines(sys.stdin.buffer), "standard input")
    else:
        try:
            with open(options.file, "rb") as file:
                done = import_lines(store, _lines(file), options.file)
        except OSError as error:
            reason = f"{options.file} cannot be read: {error.strerror or error}."
            raise BadInput(reason=reason) from error
    if options.json:
        app.terminal.json({"added": done.added, "known": done.known})
    else:
        added, known = count(len(done.added), "conversation"), len(done.known)
        app.terminal.line(IMPORTED.format(added=added, known=known))
    return 0


def _lines(file: BinaryIO) -> Iterator[bytes]:
    """Lines of bounded length: a longer one is cut, and then refused for its length."""
    while line := file.readline(LINE_LIMIT + 2):
        yield line


def backup(app: App, options: argparse.Namespace) -> int:
    store = app.store()
    path = options.file or _default(app)
    store.upkeep.backup(os.path.abspath(path))
    if options.json:
        app.terminal.json({"path": os.path.abspath(path), "bytes": os.path.getsize(path)})
    else:
        app.terminal.line(BACKED_UP.format(path=path, size=size(os.path.getsize(path))))
    return 0


def _default(app: App) -> str:
    directory = os.path.join(app.load_config().locations.home, "backups")
    os.makedirs(directory, mode=0o700, exist_ok=True)
    return os.path.join(directory, f"baton-{time.strftime('%Y%m%dT%H%M%S')}-{os.getpid()}.backup")
