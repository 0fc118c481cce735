"""`baton checkpoint list | show | restore | prune`."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterable
from typing import TYPE_CHECKING

from baton.core.display import one_line
from baton.core.errors import BadInput
from baton.core.handoff.checkpoint import Checkpoint, LeftOut
from baton.core.handoff.retention import Retention
from baton.core.paths import quote_path
from baton.surfaces.cli.app import App
from baton.surfaces.shared.formats import ago, count, local_time

if TYPE_CHECKING:
    from baton.engine.handoff.pruning import Pruning

NONE = "There are no checkpoints here. Baton makes one before each handoff of a work tree with changes."
LOOK = "To read it: git diff {base} {sha}"
LEFT_OUT = "Left out:"
UNTOUCHED = "Not touched:"
RESTORED = "{name} restored: {written} written, {removed} removed."
NOTHING = "Nothing to do: the files are as they were in {name}."
SAVED = "The state before is kept: baton checkpoint restore {name}"
NEW = "Left where they are, {name} does not know them:"
MOST = 100_000
NOT_ALLOWED = "--keep {keep} is not allowed. Allowed: a whole number from 0 (no limit) to {most}."
NOTHING_TO_PRUNE = "Nothing to prune."
WOULD_GO = "{checkpoints} would be removed. Nothing was changed."
GONE = "{checkpoints} removed. Their hashes can still be read until git collects them."
ELSEWHERE = "{checkpoints} of other work trees left alone; run this there."
UNKNOWN = "{checkpoints} of conversations that this store does not know left alone."
_SIGNS = {"added": ("A", "green"), "modified": ("M", "yellow"), "deleted": ("D", "red"), "retyped": ("T", "yellow")}
_SHORT = 10


def list_(app: App, options: argparse.Namespace) -> int:
    if options.limit < 1:
        raise BadInput(reason=f"--limit {options.limit} is not allowed. Allowed: 1 or more.")
    found = app.workspace().checkpoints()[: options.limit]
    if options.json:
        app.terminal.json([each.as_dict() for each in found])
        return 0
    now = time.time_ns() // 1000
    for each in found:
        app.terminal.line(_row(app, each, now))
    if not found:
        app.terminal.note(NONE)
    return 0


def _row(app: App, kept: Checkpoint, now: int) -> str:
    """One checkpoint on one line; `now` is in microseconds."""
    name = app.terminal.style(f"{kept.name:<26}", "cyan")
    when = f"{ago(kept.at * 1_000_000, now):<12}"
    where = app.terminal.style(f"{kept.sha[:_SHORT]} {one_line(_where(kept), 30)}", "dim")
    left_out = f"  ({kept.left_out_count} left out)" if kept.left_out_count else ""
    return f"{name} {when} {one_line(kept.message, 70)}{left_out}  {where}"


def _where(kept: Checkpoint) -> str:
    branch = quote_path(kept.branch) if kept.branch else "detached" if kept.base else ""
    return f"{branch}, {kept.operation}" if kept.operation else branch


def show(app: App, options: argparse.Namespace) -> int:
    found = app.workspace().show(options.ref)
    kept = found.checkpoint
    if options.json:
        changes = [{"what": each.what, "path": quote_path(each.path)} for each in found.changes]
        app.terminal.json({**kept.as_dict(), "changes": changes})
        return 0
    terminal = app.terminal
    terminal.line(f"{terminal.style(one_line(kept.message, 200), 'bold')}  {terminal.style(kept.name, 'cyan')}")
    terminal.line(f"{local_time(kept.at * 1_000_000)}  {kept.sha}  {_where(kept)}".rstrip())
    for each in found.changes:
        sign, color = _SIGNS[each.what]
        terminal.line(f"  {terminal.style(sign, color)} {quote_path(each.path)}")
    _print_left_out(app, LEFT_OUT, kept.left_out)
    if kept.base:
        terminal.line(terminal.style(LOOK.format(base=kept.base[:_SHORT], sha=kept.sha[:_SHORT]), "dim"))
    return 0


def restore(app: App, options: argparse.Namespace) -> int:
    """1 when some files could not be brought back."""
    done = app.workspace().restore(options.ref, force=options.force)
    code = 1 if done.left_out else 0
    if options.json:
        app.terminal.json(done.as_dict())
        return code
    name, terminal = done.checkpoint.name, app.terminal
    for sign, color, paths in (("M", "yellow", done.written), ("D", "red", done.removed)):
        for path in paths:
            terminal.line(f"  {terminal.style(sign, color)} {quote_path(path)}")
    if done.written or done.removed:
        counts = {"written": count(len(done.written), "file"), "removed": str(len(done.removed))}
        terminal.line(RESTORED.format(name=name, **counts))
    elif not done.left_out:
        terminal.line(NOTHING.format(name=name))
    if done.kept:
        terminal.line(NEW.format(name=name))
        for path in done.kept:
            terminal.line(f"  {quote_path(path)}")
    _print_left_out(app, UNTOUCHED, done.left_out)
    if done.saved:
        terminal.line(SAVED.format(name=done.saved.name))
    return code


def _print_left_out(app: App, heading: str, files: Iterable[LeftOut]) -> None:
    for position, each in enumerate(files):
        if not position:
            app.terminal.line(heading)
        reason = app.terminal.style(f"({one_line(each.reason, 100)})", "dim")
        app.terminal.line(f"  {quote_path(each.path)} {reason}")


def prune(app: App, options: argparse.Namespace) -> int:
    from baton.engine.handoff.pruning import plan

    retention = _retention(app, options.keep)
    workspace = app.workspace()
    found = plan(app.store(), workspace.checkpoints(), workspace.top(), retention, time.time())
    if not options.dry_run:
        workspace.forget(found.outdated)
    if options.json:
        app.terminal.json(_pruning_dict(found, retention, dry_run=options.dry_run))
    else:
        _report_pruning(app, found, dry_run=options.dry_run)
    return 0


def _retention(app: App, keep: int | None) -> Retention:
    if keep is not None and not 0 <= keep <= MOST:
        raise BadInput(reason=NOT_ALLOWED.format(keep=keep, most=MOST))
    given = app.load_config().settings.checkpoint
    return Retention(given.keep if keep is None else keep, given.keep_days)


def _pruning_dict(found: Pruning, retention: Retention, *, dry_run: bool) -> dict[str, object]:
    return {
        "dry_run": dry_run,
        "keep": retention.keep,
        "keep_days": retention.days,
        "outdated": [each.as_dict() for each in found.outdated],
        "removed": [] if dry_run else [each.name for each in found.outdated],
        "elsewhere": found.elsewhere,
        "unknown": found.unknown,
    }


def _report_pruning(app: App, found: Pruning, *, dry_run: bool) -> None:
    now = time.time_ns() // 1000
    for each in found.outdated:
        app.terminal.line(_row(app, each, now))
    sentence = (WOULD_GO if dry_run else GONE) if found.outdated else NOTHING_TO_PRUNE
    app.terminal.line(sentence.format(checkpoints=count(len(found.outdated), "checkpoint")))
    for sentence, left in ((ELSEWHERE, found.elsewhere), (UNKNOWN, found.unknown)):
        if left:
            app.terminal.note(sentence.format(checkpoints=count(left, "checkpoint")))
