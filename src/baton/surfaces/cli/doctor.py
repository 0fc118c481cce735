"""`baton doctor`: whether all is well, and if not, the exact command that helps."""

from __future__ import annotations

import argparse
import os
import platform
import stat
import sys
from collections.abc import Iterator, Sequence

from baton import __version__
from baton.core.errors import BatonError
from baton.core.value import asdict
from baton.ports.store import Finding
from baton.surfaces.cli.app import App
from baton.surfaces.cli.disk import check_disk
from baton.surfaces.shared.formats import count, size
from baton.surfaces.words import counts
from baton.surfaces.words import doctor as words

_SIGNS = {"ok": ("✓", "green"), "warning": ("!", "yellow"), "error": ("✗", "red")}


def doctor(app: App, options: argparse.Namespace) -> int:
    """0 when nothing is wrong, 1 when something is."""
    repaired = app.repair() if options.repair else None
    findings = list(_findings(app, quick=options.quick))
    failed = any(finding.level == "error" for finding in findings)
    if options.json:
        report = {"ok": not failed, "findings": [asdict(finding) for finding in findings]}
        app.terminal.json({**report, "repair": repaired.as_dict() if repaired else None})
        return int(failed)
    for sentence in repaired.sentences if repaired else ():
        app.terminal.line(f"{app.terminal.style('repair', 'bold')}  {sentence}")
    for finding in findings:
        _print(app, finding)
    _print_verdict(app, findings)
    return int(failed)


def _print_verdict(app: App, findings: Sequence[Finding]) -> None:
    """The last line, which is all that some read: well is only what has neither errors nor warnings."""
    errors, warnings = (sum(each.level == level for each in findings) for level in ("error", "warning"))
    if errors:
        app.terminal.line(app.terminal.style(words.BROKEN.format(errors=count(errors, counts.ERRORS)), "red"))
    elif warnings:
        app.terminal.line(app.terminal.style(words.WORKS.format(warnings=count(warnings, counts.WARNINGS)), "yellow"))
    else:
        app.terminal.line(app.terminal.style(words.WELL, "green"))


def _print(app: App, finding: Finding) -> None:
    sign, color = _SIGNS[finding.level]
    app.terminal.line(f"{app.terminal.style(sign, color)} {finding.subject:<15} {finding.text}")
    if finding.todo:
        app.terminal.line(f"  {'':<15} {app.terminal.style('→ ' + finding.todo, 'yellow')}")


def _findings(app: App, *, quick: bool) -> Iterator[Finding]:
    yield Finding(
        "ok", "baton", words.PROGRAM.format(version=__version__, python=platform.python_version(), system=sys.platform)
    )
    try:
        loaded = app.load_config()
    except BatonError as error:
        yield _describe_failure("config", error)
        return
    files = [str(file) for file in (loaded.locations.user, loaded.locations.project) if file and file.exists()]
    yield Finding("ok", "config", ", ".join(files) or words.DEFAULTS.format(file=loaded.locations.user))
    for sentence in loaded.ignored:
        yield Finding("warning", "config", sentence)
    yield from _home(str(loaded.locations.home))
    yield from check_disk(str(loaded.locations.home))
    yield from app.checkup()
    yield from _store(app, quick=quick)


def _home(path: str) -> Iterator[Finding]:
    if os.path.isdir(path) and stat.S_IMODE(os.stat(path).st_mode) & 0o077:
        yield Finding("warning", "home", words.HOME_READABLE.format(path=path), words.PRIVATE.format(path=path))
    else:
        yield Finding("ok", "home", path)


def _store(app: App, *, quick: bool) -> Iterator[Finding]:
    try:
        store = app.store()
        conversations = count(store.conversations.count(), counts.CONVERSATIONS)
        yield Finding(
            "ok",
            "store",
            words.STORE.format(store=store.location, conversations=conversations, size=size(store.upkeep.size())),
        )
        if not quick:
            yield from store.upkeep.check(app.terminal.progress(words.READING))
    except BatonError as error:
        yield _describe_failure("store", error)


def _describe_failure(subject: str, error: BatonError) -> Finding:
    what, kept, todo = error.parts()
    return Finding("error", subject, " ".join(filter(None, (what, kept))), todo)
