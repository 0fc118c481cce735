"""`baton models` and `baton model pull | list | remove`."""

from __future__ import annotations

import argparse
import time

from baton.surfaces.cli.app import App
from baton.surfaces.cli.question import can_ask, may_pull
from baton.surfaces.shared.formats import size
from baton.surfaces.words import setup as words


def models(app: App, options: argparse.Namespace) -> int:
    offers, current = app.models()
    if options.json:
        rows = [{"model": each.model, "usable": each.usable, "reason": each.reason, "fix": each.fix} for each in offers]
        app.terminal.json({"current": current, "models": rows})
        return 0
    app.terminal.line(f"{app.terminal.style(current, 'bold')}  {words.USED_NOW}")
    for each in offers:
        sign = app.terminal.style("✓", "green") if each.usable else app.terminal.style("·", "dim")
        fix = f"  → {each.fix}" if each.fix else ""
        app.terminal.line(f"{sign} {each.model:<44} {each.reason}{app.terminal.style(fix, 'yellow')}")
    return 0


def pull(app: App, options: argparse.Namespace) -> int:
    plan = app.local_models().plan_pull(options.name)
    if plan and not may_pull(plan, asks=not options.json and can_ask()):
        app.terminal.note(words.NOT_PULLED)
        return 1
    bar = app.terminal.progress(words.PULLING.format(name=options.name))
    start = time.monotonic()
    found = app.local_models().pull(options.name, bar)
    if options.json:
        app.terminal.json({"name": found.name, "path": found.path, "bytes": found.bytes})
    else:
        seconds = time.monotonic() - start
        app.terminal.line(words.PULLED.format(name=found.name, size=size(found.bytes), seconds=seconds))
    return 0


def list_(app: App, options: argparse.Namespace) -> int:
    rows = app.local_models().list_models()
    if options.json:
        app.terminal.json(
            [{"name": row.name, "bytes": row.bytes, "here": row.here, "about": row.about} for row in rows]
        )
        return 0
    for row in rows:
        sign = app.terminal.style("✓", "green") if row.here else app.terminal.style("·", "dim")
        app.terminal.line(f"{sign} {row.name:<20} {size(row.bytes):>9}  {row.about}")
    if not any(row.here for row in rows):
        app.terminal.note(words.NO_LOCAL_MODEL)
    return 0


def remove(app: App, options: argparse.Namespace) -> int:
    freed = app.local_models().remove(options.name)
    if options.json:
        app.terminal.json({"name": options.name, "bytes": freed})
    else:
        app.terminal.line(words.MODEL_REMOVED.format(name=options.name, size=size(freed)))
    return 0
