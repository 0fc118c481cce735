"""`baton acp`: the agent for editors, and its self-test."""

from __future__ import annotations

import argparse
import sys

from baton.surfaces.cli.app import App, Exchange
from baton.surfaces.cli.terminal import Terminal
from baton.surfaces.words import run as words


def acp(app: App, options: argparse.Namespace) -> int:
    if options.check:
        return _check(app, options)
    if sys.stdin.isatty():
        app.terminal.note(words.FOR_EDITORS)
    return app.acp(model=options.model, mode=options.mode, unstable=options.unstable)


def _check(app: App, options: argparse.Namespace) -> int:
    """0 if every step was answered as an editor needs it."""
    seen = app.check_acp(model=options.model, mode=options.mode)
    if options.json:
        app.terminal.json([each.as_dict() for each in seen])
    else:
        for each in seen:
            app.terminal.line(_line(app.terminal, each))
            for fact in each.facts:
                app.terminal.line(app.terminal.style(f"    {fact}", "dim"))
    return 1 if any(each.error for each in seen) else 0


def _line(terminal: Terminal, seen: Exchange) -> str:
    mark = terminal.style("✗", "red") if seen.error else terminal.style("✓", "green")
    return f"{mark} {seen.method:<16} {seen.seconds * 1000:6.0f} ms" + (f"  {seen.error}" if seen.error else "")
