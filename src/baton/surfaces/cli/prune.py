"""`baton sessions prune`: show first, ask, then remove."""

from __future__ import annotations

import argparse
import re
import time

from baton.core.display import one_line
from baton.core.errors import BadInput
from baton.core.log.conversation import Conversation
from baton.surfaces.cli.app import App
from baton.surfaces.shared.formats import count, iso, local

_AGE = re.compile(r"([0-9]{1,5})([hdwy])")
_HOURS = {"h": 1, "d": 24, "w": 24 * 7, "y": 24 * 365}
NO_AGE = "Say how old: --older-than 90d. Allowed: a number with h, d, w or y. (Or set sessions.retention_days.)"
NOTHING_OLD = "Nothing is that old."
WOULD_GO = "{conversations} would be removed. Nothing was changed."
SURE = "Remove {conversations} for good?"
KEPT = "Nothing was removed."
GONE = "{conversations} removed."
STILL_USED = "{conversations} kept: used again meanwhile."
PRUNING = "Pruning"


def prune(app: App, options: argparse.Namespace) -> int:
    store = app.store()
    before = time.time_ns() // 1000 - _hours(app, options.older_than) * 3_600_000_000
    old = store.upkeep.idle_since(before)
    removed: list[str] = []
    if old and not options.dry_run and _sure(app, options, old):
        progress = app.terminal.progress(PRUNING)
        for done, conversation in enumerate(old, 1):
            if store.upkeep.remove(conversation.id, before):
                removed.append(conversation.id)
            progress(done, len(old))
    _report(app, options, old, removed)
    return 0


def _hours(app: App, age: str | None) -> int:
    days = app.loaded().settings.sessions.retention_days
    if age is None and days is not None:
        return days * 24
    match = _AGE.fullmatch(age or "")
    if match is None:
        raise BadInput(reason=NO_AGE)
    return int(match[1]) * _HOURS[match[2]]


def _sure(app: App, options: argparse.Namespace, old: list[Conversation]) -> bool:
    if options.yes:
        return True
    if not options.json:
        _list(app, old)
    return app.terminal.ask(SURE.format(conversations=count(len(old), "conversation")))


def _list(app: App, old: list[Conversation]) -> None:
    for each in old:
        cells = (app.terminal.style(each.id, "cyan"), local(each.updated_at), one_line(each.title, 60))
        app.terminal.line("  ".join(cells))


def _report(app: App, options: argparse.Namespace, old: list[Conversation], removed: list[str]) -> None:
    if options.json:
        rows = [{"id": each.id, "title": each.title, "updated_at": iso(each.updated_at)} for each in old]
        app.terminal.json({"dry_run": options.dry_run, "old": rows, "removed": removed})
        return
    conversations = count(len(old), "conversation")
    if not old:
        app.terminal.line(NOTHING_OLD)
    elif options.dry_run:
        _list(app, old)
        app.terminal.line(WOULD_GO.format(conversations=conversations))
    elif not removed:
        app.terminal.line(KEPT)
    else:
        app.terminal.line(GONE.format(conversations=count(len(removed), "conversation")))
        if len(removed) < len(old):
            app.terminal.line(STILL_USED.format(conversations=count(len(old) - len(removed), "conversation")))
