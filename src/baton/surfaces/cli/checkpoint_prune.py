"""`baton checkpoint prune`: removes what the rules allow, and says what was left alone."""

from __future__ import annotations

import argparse
import time

from baton.core.errors import BadInput
from baton.core.handoff.retention import Retention
from baton.engine.handoff.pruning import Pruning, plan
from baton.surfaces.cli.app import App
from baton.surfaces.cli.checkpoint import row
from baton.surfaces.shared.formats import count

MOST = 100_000
NOT_ALLOWED = "--keep {keep} is not allowed. Allowed: a whole number from 0 (no limit) to {most}."
NOTHING = "Nothing to prune."
WOULD_GO = "{checkpoints} would be removed. Nothing was changed."
GONE = "{checkpoints} removed. Their hashes can still be read until git collects them."
ELSEWHERE = "{checkpoints} of other work trees left alone; run this there."
UNKNOWN = "{checkpoints} of conversations that this store does not know left alone."


def prune(app: App, options: argparse.Namespace) -> int:
    retention = _retention(app, options.keep)
    workspace = app.workspace()
    found = plan(app.store(), workspace.checkpoints(), workspace.top(), retention, time.time())
    if not options.dry_run:
        workspace.forget(found.outdated)
    if options.json:
        app.terminal.json(_as_dict(found, retention, dry_run=options.dry_run))
    else:
        _report(app, found, dry_run=options.dry_run)
    return 0


def _retention(app: App, keep: int | None) -> Retention:
    if keep is not None and not 0 <= keep <= MOST:
        raise BadInput(reason=NOT_ALLOWED.format(keep=keep, most=MOST))
    given = app.loaded().settings.checkpoint
    return Retention(given.keep if keep is None else keep, given.keep_days)


def _as_dict(found: Pruning, retention: Retention, *, dry_run: bool) -> dict[str, object]:
    return {
        "dry_run": dry_run,
        "keep": retention.keep,
        "keep_days": retention.days,
        "outdated": [each.as_dict() for each in found.outdated],
        "removed": [] if dry_run else [each.name for each in found.outdated],
        "elsewhere": found.elsewhere,
        "unknown": found.unknown,
    }


def _report(app: App, found: Pruning, *, dry_run: bool) -> None:
    now = time.time_ns() // 1000
    for each in found.outdated:
        app.terminal.line(row(app, each, now))
    told = (WOULD_GO if dry_run else GONE) if found.outdated else NOTHING
    app.terminal.line(told.format(checkpoints=count(len(found.outdated), "checkpoint")))
    for sentence, left in ((ELSEWHERE, found.elsewhere), (UNKNOWN, found.unknown)):
        if left:
            app.terminal.note(sentence.format(checkpoints=count(left, "checkpoint")))
