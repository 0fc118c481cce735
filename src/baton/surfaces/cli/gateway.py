"""`baton gateway`, whether one lives (`status`), and the token of its HTTP API (`token`)."""

from __future__ import annotations

import argparse
import time

from baton.engine.transfer.targets import BEAT, CONNECTED, STANDBY, GatewayRow
from baton.surfaces.cli.app import App
from baton.surfaces.shared.formats import ago
from baton.surfaces.shared.presenters import GATEWAY
from baton.surfaces.words import moving as words


def gateway(app: App, options: argparse.Namespace) -> int:
    if options.what == "status":
        return _status(app, options)
    if options.what == "token":
        return _token(app, options)
    return app.gateway(model=options.model, mode=options.mode)


def _token(app: App, options: argparse.Namespace) -> int:
    """Prints the token; one is made if there is none yet."""
    from baton.surfaces.shared.api_token import load_token, token_path

    home = str(app.load_config().locations.home)
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
        app.terminal.json({"gateways": [GATEWAY.as_dict(row) for row in rows], "homes": homes})
        return 0 if rows else 1
    now = time.time_ns() // 1000
    for row in rows:
        app.terminal.line(_heading(row, now))
        for name, state in row.platforms.items():
            _platform(app, name, state, row.names.get(name, ""), homes.get(name, ""))
        if not row.platforms:
            app.terminal.line(words.NO_PLATFORM)
        app.terminal.line(app.terminal.style(_describe_figures(row), "dim"))
    if not rows:
        app.terminal.note(words.NO_GATEWAY_RUNS)
    return 0 if rows else 1


def _heading(row: GatewayRow, now: int) -> str:
    """One that has not been heard of for longer than usual may have died."""
    silent = (now - row.beat) // 1_000_000
    text = words.GATEWAY_SILENT if silent > 2 * BEAT else words.GATEWAY
    began = ago(row.started, now)
    return f"{text.format(host=row.host, pid=row.pid, began=began, seconds=silent)}  {row.api}".rstrip()


def _describe_figures(row: GatewayRow) -> str:
    told = [
        words.FIGURES.get(name, words.FIGURE).format(count=held, name=name)
        for name, held in row.figures.items()
        if held
    ]
    return words.SINCE_THEN.format(figures=" · ".join(told)) if told else words.NOTHING_YET


def _platform(app: App, name: str, state: str, ours: str, home: str) -> None:
    color = "green" if state == CONNECTED else "yellow" if state.startswith(STANDBY) else "red"
    shown = app.terminal.style(state.removeprefix(f"{name} "), color)
    who = words.CONNECTED_AS.format(state=shown, name=ours) if ours else shown
    where = words.HOME.format(place=home) if home else words.NO_HOME.format(platform=name)
    app.terminal.line(f"  {name:<9} {who}" + (f" · {where}" if state == CONNECTED or home else ""))
