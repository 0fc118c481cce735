"""`baton checkpoint list | show | restore`."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterable

from baton.core.display import one_line
from baton.core.errors import BadInput
from baton.core.handoff.checkpoint import Checkpoint, LeftOut
from baton.core.paths import quoted
from baton.surfaces.cli.app import App
from baton.surfaces.shared.formats import ago, count, local

NONE = "There are no checkpoints here. Baton makes one before each handoff of a work tree with changes."
LOOK = "To read it: git diff {base} {sha}"
LEFT_OUT = "Left out:"
UNTOUCHED = "Not touched:"
RESTORED = "{name} restored: {written} written, {removed} removed."
NOTHING = "Nothing to do: the files are as they were in {name}."
SAVED = "The state before is kept: baton checkpoint restore {name}"
NEW = "Left where they are, {name} does not know them:"
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
        app.terminal.line(row(app, each, now))
    if not found:
        app.terminal.note(NONE)
    return 0


def row(app: App, kept: Checkpoint, now: int) -> str:
    """One checkpoint on one line; `now` is in microseconds."""
    name = app.terminal.style(f"{kept.name:<26}", "cyan")
    when = f"{ago(kept.at * 1_000_000, now):<12}"
    where = app.terminal.style(f"{kept.sha[:_SHORT]} {one_line(_where(kept), 30)}", "dim")
    left_out = f"  ({kept.left_out_count} left out)" if kept.left_out_count else ""
    return f"{name} {when} {one_line(kept.message, 70)}{left_out}  {where}"


def _where(kept: Checkpoint) -> str:
    branch = quoted(kept.branch) if kept.branch else "detached" if kept.base else ""
    return f"{branch}, {kept.operation}" if kept.operation else branch


def show(app: App, options: argparse.Namespace) -> int:
    found = app.workspace().show(options.ref)
    kept = found.checkpoint
    if options.json:
        changes = [{"what": each.what, "path": quoted(each.path)} for each in found.changes]
        app.terminal.json({**kept.as_dict(), "changes": changes})
        return 0
    terminal = app.terminal
    terminal.line(f"{terminal.style(one_line(kept.message, 200), 'bold')}  {terminal.style(kept.name, 'cyan')}")
    terminal.line(f"{local(kept.at * 1_000_000)}  {kept.sha}  {_where(kept)}".rstrip())
    for each in found.changes:
        sign, color = _SIGNS[each.what]
        terminal.line(f"  {terminal.style(sign, color)} {quoted(each.path)}")
    _left_out(app, LEFT_OUT, kept.left_out)
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
            terminal.line(f"  {terminal.style(sign, color)} {quoted(path)}")
    if done.written or done.removed:
        counts = {"written": count(len(done.written), "file"), "removed": str(len(done.removed))}
        terminal.line(RESTORED.format(name=name, **counts))
    elif not done.left_out:
        terminal.line(NOTHING.format(name=name))
    if done.kept:
        terminal.line(NEW.format(name=name))
        for path in done.kept:
            terminal.line(f"  {quoted(path)}")
    _left_out(app, UNTOUCHED, done.left_out)
    if done.saved:
        terminal.line(SAVED.format(name=done.saved.name))
    return code


def _left_out(app: App, heading: str, files: Iterable[LeftOut]) -> None:
    for position, each in enumerate(files):
        if not position:
            app.terminal.line(heading)
        reason = app.terminal.style(f"({one_line(each.reason, 100)})", "dim")
        app.terminal.line(f"  {quoted(each.path)} {reason}")
