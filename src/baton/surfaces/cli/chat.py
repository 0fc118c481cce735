"""`baton` and `baton resume`: the chat, where there is a terminal for it."""

from __future__ import annotations

import argparse
import os
import sys

from baton import __version__
from baton.core.errors import BadInput
from baton.surfaces.cli.app import App
from baton.surfaces.words import conversations as words
from baton.surfaces.words import counts

RECENT = 5


def chat(app: App, options: argparse.Namespace) -> int:
    """Without a terminal, `baton` alone says where you are and what there is."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return _show_home(app)
    _check_drawable()
    return app.tui(None, model=options.model, mode=options.mode)


def resume(app: App, options: argparse.Namespace) -> int:
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise BadInput(reason=words.NO_TERMINAL)
    _check_drawable()
    return app.tui(options.conversation or "", model=options.model, mode=options.mode, go_on=options.go_on)


def _check_drawable() -> None:
    term = os.environ.get("TERM", "")
    if term in ("dumb", "unknown", ""):
        raise BadInput(reason=words.DUMB_TERMINAL.format(term=term or words.UNSET))


def _show_home(app: App) -> int:
    """Where you are, what there is, and what to type next."""
    from baton.surfaces.cli.sessions import print_table
    from baton.surfaces.shared.formats import count, shorten_home

    store = app.store()
    rows = list(store.conversations.page(RECENT, begun=True).rows)
    total = count(store.conversations.count(), counts.CONVERSATIONS)
    name = app.terminal.style(words.HOME_PROGRAM.format(version=__version__), "bold")
    directory, kept_in = shorten_home(os.getcwd()), shorten_home(store.location)
    app.terminal.line(words.HOME.format(program=name, directory=directory, conversations=total, store=kept_in))
    if rows:
        print_table(app.terminal, rows)
    app.terminal.line(app.terminal.style(words.HOME_NEXT if rows else words.HOME_NONE_YET, "dim"))
    return 0
