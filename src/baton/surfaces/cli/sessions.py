"""`baton sessions list` and `rename`."""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Iterator

from baton.core.display import fitted, one_line
from baton.core.errors import BadInput
from baton.core.log.conversation import Row
from baton.ports.store import Store
from baton.surfaces.cli.app import App
from baton.surfaces.cli.terminal import Terminal
from baton.surfaces.shared.formats import ago, elsewhere, short, tilde
from baton.surfaces.shared.presenters import row_dict

NONE_YET = "No conversations yet."
NONE_HERE = "No conversations in {workspace}."
_PAGE = 1000


def list_(app: App, options: argparse.Namespace) -> int:
    if options.limit < 1:
        raise BadInput(reason=f"--limit {options.limit} is not allowed. Allowed: 1 or more, or --all.")
    workspace = os.getcwd() if options.here else options.workspace and os.path.abspath(options.workspace)
    rows = list(_rows(app.store(), workspace, None if options.all else options.limit))
    terminal = app.terminal
    if options.json:
        terminal.json([row_dict(row) for row in rows])
    elif rows:
        print_table(terminal, rows)
    else:
        terminal.note(NONE_HERE.format(workspace=workspace) if workspace else NONE_YET)
    return 0


def _rows(store: Store, workspace: str | None, limit: int | None) -> Iterator[Row]:
    after: str | None = None
    left = limit
    while left is None or left > 0:
        most = _PAGE if left is None else min(left, _PAGE)
        page = store.conversations.page(most, after, workspace, begun=True)
        yield from page.rows
        after = page.after
        left = left and left - len(page.rows)
        if after is None:
            return


def print_table(terminal: Terminal, rows: list[Row]) -> None:
    now = time.time_ns() // 1000
    room = max(20, min(60, terminal.width - 56))
    for row in rows:
        conversation = row.conversation
        cells = (
            terminal.style(conversation.id, "cyan"),
            terminal.style(fitted(conversation.title, room), "bold"),
            f"{ago(conversation.updated_at, now):>10}",
            terminal.style(f"{short(row.entries):>6} entries", "dim"),
            terminal.style(one_line(tilde(conversation.workspace), 40), "dim"),
            terminal.style(elsewhere(row), "yellow"),
        )
        terminal.line("  ".join(cells).rstrip())


def rename(app: App, options: argparse.Namespace) -> int:
    store = app.store()
    renamed = store.conversations.rename(store.conversations.find(options.conversation).id, options.title)
    if options.json:
        app.terminal.json({"id": renamed.id, "title": renamed.title})
    else:
        app.terminal.line(f"{app.terminal.style(renamed.id, 'cyan')}  {app.terminal.style(renamed.title, 'bold')}")
    return 0
