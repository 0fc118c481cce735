"""`baton` and `baton resume`: the chat, where there is a terminal for it."""

from __future__ import annotations

import argparse
import os
import sys

from baton.core.errors import BadInput
from baton.surfaces.cli.app import App

DUMB = 'TERM={term} cannot show the chat. Set TERM to what your terminal is, or use `baton run "…"`.'
NO_TERMINAL = 'There is no terminal to chat in. `baton run "…"` is for scripts.'


def chat(app: App, options: argparse.Namespace) -> int:
    """Without a terminal, `baton` alone says where you are and what there is."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        from baton.surfaces.cli.home import home

        return home(app, options)
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
