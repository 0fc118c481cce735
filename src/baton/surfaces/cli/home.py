"""`baton` alone: where you are, what there is, and what to type next."""

from __future__ import annotations

import argparse
import os

from baton import __version__
from baton.surfaces.cli.app import App
from baton.surfaces.cli.sessions import print_table
from baton.surfaces.shared.formats import count, tilde

RECENT = 5
NONE_YET = "No conversations yet. `baton --help` shows what Baton can do."
NEXT = "baton sessions show TITLE · baton sessions search WORD · baton --help"


def home(app: App, _: argparse.Namespace) -> int:
    store = app.store()
    rows = list(store.conversations.page(RECENT, begun=True).rows)
    total = count(store.conversations.count(), "conversation")
    name = app.terminal.style(f"Baton {__version__}", "bold")
    app.terminal.line(f"{name} · {tilde(os.getcwd())} · {total} in {tilde(store.location)}")
    if rows:
        print_table(app.terminal, rows)
    app.terminal.line(app.terminal.style(NEXT if rows else NONE_YET, "dim"))
    return 0
