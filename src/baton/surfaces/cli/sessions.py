"""`baton sessions list` and `rename`."""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Iterator
from typing import Any

from baton.core.display import fitted, one_line
from baton.core.errors import BadInput
from baton.core.log.conversation import Row
from baton.core.transfer.place import TERMINAL, platform_name
from baton.ports.store import Store
from baton.surfaces.cli.app import App
from baton.surfaces.cli.terminal import Terminal
from baton.surfaces.cli.words import ago, iso, short

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
        terminal.json([as_dict(row) for row in rows])
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


def as_dict(row: Row) -> dict[str, Any]:
    conversation = row.conversation
    return {
        "id": conversation.id,
        "title": conversation.title,
        "workspace": conversation.workspace,
        "head": conversation.head_id,
        "sessions": row.sessions,
        "model": row.model,
        "entries": row.entries,
        "tokens": row.tokens,
        "owner": conversation.owner,
        "lives_in": row.moved_to or TERMINAL,
        "created_at": iso(conversation.created_at),
        "updated_at": iso(conversation.updated_at),
    }


def elsewhere(row: Row) -> str:
    """Where it lives, if that is not the terminal."""
    return f"in {platform_name(row.moved_to)}" if row.moved_to not in ("", TERMINAL) else ""


def tilde(path: str) -> str:
    home = os.path.expanduser("~")
    return f"~{path[len(home) :]}" if path == home or path.startswith(home + os.sep) else path


def rename(app: App, options: argparse.Namespace) -> int:
    store = app.store()
    renamed = store.conversations.rename(store.conversations.find(options.conversation).id, options.title)
    if options.json:
        app.terminal.json({"id": renamed.id, "title": renamed.title})
    else:
        app.terminal.line(f"{app.terminal.style(renamed.id, 'cyan')}  {app.terminal.style(renamed.title, 'bold')}")
    return 0
