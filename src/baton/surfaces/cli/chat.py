"""`baton` and `baton resume`: the chat, where there is a terminal for it."""

from __future__ import annotations

import argparse
import os
import sys

from baton import __version__
from baton.core.errors import BadInput
from baton.surfaces.cli.app import App

RECENT = 5
DUMB = 'TERM={term} cannot show the chat. Set TERM to what your terminal is, or use `baton run "…"`.'
NONE_YET = "No conversations yet. `baton --help` shows what Baton can do."
NEXT = "baton sessions show TITLE · baton sessions search WORD · baton --help"
NO_TERMINAL = 'There is no terminal to chat in. `baton run "…"` is for scripts.'


def chat(app: App, options: argparse.Namespace) -> int:
    """Without a terminal, `baton` alone says where you are and what there is."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return _show_home(app)
    _check_drawable()
    return app.tui(None, model=options.model, mode=options.mode)


def resume(app: App, options: argparse.Namespace) -> int:
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise BadInput(reason=NO_TERMINAL)
    _check_drawable()
    return app.tui(options.conversation or "", model=options.model, mode=options.mode, go_on=options.go_on)


def _check_drawable() -> None:
    term = os.environ.get("TERM", "")
    if term in ("dumb", "unknown", ""):
        raise BadInput(reason=DUMB.format(term=term or "(unset)"))


def _show_home(app: App) -> int:
    """Where you are, what there is, and what to type next."""
    from baton.surfaces.cli.sessions import print_table
    from baton.surfaces.shared.formats import count, shorten_home

    store = app.store()
    rows = list(store.conversations.page(RECENT, begun=True).rows)
    total = count(store.conversations.count(), "conversation")
    name = app.terminal.style(f"Baton {__version__}", "bold")
    app.terminal.line(f"{name} · {shorten_home(os.getcwd())} · {total} in {shorten_home(store.location)}")
    if rows:
        print_table(app.terminal, rows)
    app.terminal.line(app.terminal.style(NEXT if rows else NONE_YET, "dim"))
    return 0
