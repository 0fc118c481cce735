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
from baton.surfaces.words import checkpoints as words
from baton.surfaces.words import counts

if TYPE_CHECKING:
    from baton.engine.handoff.pruning import Pruning

MOST = 100_000
_SIGNS = {"added": ("A", "green"), "modified": ("M", "yellow"), "deleted": ("D", "red"), "retyped": ("T", "yellow")}
_SHORT = 10


def list_(app: App, options: argparse.Namespace) -> int:
    if options.limit < 1:
        raise BadInput(reason=words.LIMIT.format(limit=options.limit))
    found = app.workspace().checkpoints()[: options.limit]
    if options.json:
        app.terminal.json([each.as_dict() for each in found])
        return 0
    now = time.time_ns() // 1000
    for each in found:
        app.terminal.line(_row(app, each, now))
    if not found:
        app.terminal.note(words.NONE)
    return 0


def _row(app: App, kept: Checkpoint, now: int) -> str:
    """One checkpoint on one line; `now` is in microseconds."""
    name = app.terminal.style(f"{kept.name:<26}", "cyan")
    when = f"{ago(kept.at * 1_000_000, now):<12}"
    where = app.terminal.style(f"{kept.sha[:_SHORT]} {one_line(_where(kept), 30)}", "dim")
    message = one_line(kept.message, 70)
    if kept.left_out_count:
        message = words.ROW_LEFT_OUT.format(message=message, count=kept.left_out_count)
    return f"{name} {when} {message}  {where}"


def _where(kept: Checkpoint) -> str:
    branch = quote_path(kept.branch) if kept.branch else words.DETACHED if kept.base else ""
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
    _print_left_out(app, words.LEFT_OUT, kept.left_out)
    if kept.base:
        terminal.line(terminal.style(words.LOOK.format(base=kept.base[:_SHORT], sha=kept.sha[:_SHORT]), "dim"))
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
        written = count(len(done.written), counts.FILES)
        terminal.line(words.RESTORED.format(name=name, written=written, removed=len(done.removed)))
    elif not done.left_out:
        terminal.line(words.NOTHING.format(name=name))
    if done.kept:
        terminal.line(words.NEW.format(name=name))
        for path in done.kept:
            terminal.line(f"  {quote_path(path)}")
    _print_left_out(app, words.UNTOUCHED, done.left_out)
    if done.saved:
        terminal.line(words.SAVED.format(name=done.saved.name))
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
        raise BadInput(reason=words.KEEP.format(keep=keep, most=MOST))
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
    sentence = (words.WOULD_GO if dry_run else words.GONE) if found.outdated else words.NOTHING_TO_PRUNE
    app.terminal.line(sentence.format(checkpoints=count(len(found.outdated), counts.CHECKPOINTS)))
    for sentence, left in ((words.ELSEWHERE, found.elsewhere), (words.UNKNOWN, found.unknown)):
        if left:
            app.terminal.note(sentence.format(checkpoints=count(left, counts.CHECKPOINTS)))
