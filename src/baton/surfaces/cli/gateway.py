"""`baton gateway`, whether one lives (`status`), and the token of its HTTP API (`token`)."""

from __future__ import annotations

import argparse
import time

from baton.core.value import asdict
from baton.engine.targets import CONNECTED
from baton.surfaces.cli.app import App
from baton.surfaces.cli.words import ago

NONE = "No gateway is running. Start one with: baton gateway"


def gateway(app: App, options: argparse.Namespace) -> int:
    if options.what == "status":
        return _status(app, options)
    if options.what == "token":
        return _token(app, options)
    return app.gateway(model=options.model, mode=options.mode)


def _token(app: App, options: argparse.Namespace) -> int:
    """Made if there is none yet."""
    from baton.surfaces.api.token import load_token, token_path

    home = str(app.loaded().locations.home)
    token = load_token(home)
    if options.json:
        app.terminal.json({"token": token, "path": token_path(home)})
    else:
        app.terminal.line(token)
    return 0


def _status(app: App, options: argparse.Namespace) -> int:
    """0 if a gateway lives, 1 if none does."""
    rows = app.targets().gateways()
    homes = app.directory().homes()
    if options.json:
        app.terminal.json({"gateways": [asdict(row) for row in rows], "homes": homes})
        return 0 if rows else 1
    now = time.time_ns() // 1000
    for row in rows:
        app.terminal.line(
            f"{row.id} on {row.host} (pid {row.pid}), started {ago(row.started, now)}  {row.api}".rstrip()
        )
        for name, state in row.platforms.items():
            color = "green" if state == CONNECTED else "red"
            who = f" as {row.names[name]}" if row.names.get(name) else ""
            home = f" · home {homes[name]}" if name in homes else " · no home channel: baton pair " + name
            app.terminal.line(f"  {name:<9} {app.terminal.style(state, color)}{who}{home}")
        app.terminal.line("  " + " · ".join(f"{count} {name.replace('_', ' ')}" for name, count in row.figures.items()))
    if not rows:
        app.terminal.note(NONE)
    return 0 if rows else 1
