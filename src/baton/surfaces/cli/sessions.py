"""`baton sessions list | rename | search | prune`."""

from __future__ import annotations

import argparse
import os
import re
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

from baton.core.display import fit, one_line, plain
from baton.core.errors import BadInput
from baton.core.log.conversation import Conversation, Row
from baton.ports.store import Store
from baton.surfaces.cli.app import App
from baton.surfaces.cli.terminal import Terminal
from baton.surfaces.shared.formats import ago, count, describe_place, iso_time, local_time, short_count, shorten_home
from baton.surfaces.words import conversations as words
from baton.surfaces.words import counts
from baton.surfaces.words.transcript import FOUND, FOUND_ELSEWHERE

if TYPE_CHECKING:
    from baton.core.log.search import Hit

_PAGE = 1000
_AGE = r"([0-9]{1,5})([hdwy])"
_HOURS = {"h": 1, "d": 24, "w": 24 * 7, "y": 24 * 365}


def list_(app: App, options: argparse.Namespace) -> int:
    if options.limit < 1:
        raise BadInput(reason=words.LIMIT_OR_ALL.format(limit=options.limit))
    workspace = os.getcwd() if options.here else options.workspace and os.path.abspath(options.workspace)
    rows = list(_rows(app.store(), workspace, None if options.all else options.limit))
    terminal = app.terminal
    if options.json:
        from baton.surfaces.shared.presenters import CONVERSATION_ROW

        terminal.json([CONVERSATION_ROW.as_dict(row) for row in rows])
    elif rows:
        print_table(terminal, rows)
    else:
        terminal.note(words.NONE_HERE.format(workspace=workspace) if workspace else words.NONE_YET)
    return 0


def _rows(store: Store, workspace: str | None, limit: int | None) -> Iterator[Row]:
    after: str | None = None
    left = limit
    while left is None or left > 0:
        most = _PAGE if left is None else min(left, _PAGE)
        page = store.conversations.page(most, after, workspace, begun=True)
        yield from page.rows
        after = page.after
        left = left and left - len(page.rows)
        if after is None:
            return


def print_table(terminal: Terminal, rows: list[Row]) -> None:
    now = time.time_ns() // 1000
    room = max(20, min(60, terminal.width - 56))
    for row in rows:
        conversation = row.conversation
        cells = (
            terminal.style(conversation.id, "cyan"),
            terminal.style(fit(conversation.title, room), "bold"),
            f"{ago(conversation.updated_at, now):>10}",
            terminal.style(words.ENTRIES.format(count=short_count(row.entries)), "dim"),
            terminal.style(one_line(shorten_home(conversation.workspace), 40), "dim"),
            terminal.style(describe_place(row), "yellow"),
        )
        terminal.line("  ".join(cells).rstrip())


def rename(app: App, options: argparse.Namespace) -> int:
    store = app.store()
    found = store.conversations.find(options.conversation)
    renamed = store.conversations.rename(found.id, app.clean(options.title, found.id))
    if options.json:
        app.terminal.json({"id": renamed.id, "title": renamed.title})
    else:
        app.terminal.line(f"{app.terminal.style(renamed.id, 'cyan')}  {app.terminal.style(renamed.title, 'bold')}")
    return 0


def search(app: App, options: argparse.Namespace) -> int:
    if options.limit < 1:
        raise BadInput(reason=words.LIMIT.format(limit=options.limit))
    hits = app.store().search.find(" ".join(options.query), options.limit, app.terminal.progress(words.INDEXING))
    if options.json:
        from baton.surfaces.shared.presenters import HIT

        app.terminal.json([HIT.as_dict(hit) for hit in hits])
        return 0
    shown = ""
    for hit in hits:
        if hit.conversation_id != shown:
            shown = hit.conversation_id
            title = app.terminal.style(hit.title, "bold")
            app.terminal.line(f"{title}  {app.terminal.style(hit.conversation_id, 'cyan')}")
        where = f"{local_time(hit.at)} {FOUND.get(hit.kind, FOUND_ELSEWHERE):<7}"
        app.terminal.line(f"  {app.terminal.style(where, 'dim')} {_mark(app.terminal, hit)}")
    if not hits:
        app.terminal.note(words.NOTHING_FOUND)
    return 0


def _mark(terminal: Terminal, hit: Hit) -> str:
    pieces: list[str] = []
    end = 0
    for start, stop in hit.spans:
        pieces += [plain(hit.snippet[end:start]), terminal.style(plain(hit.snippet[start:stop]), "yellow", "bold")]
        end = stop
    return "".join([*pieces, plain(hit.snippet[end:])])


def prune(app: App, options: argparse.Namespace) -> int:
    store = app.store()
    before = time.time_ns() // 1000 - _parse_age(app, options.older_than) * 3_600_000_000
    old = store.upkeep.idle_since(before)
    removed: list[str] = []
    if old and not options.dry_run and _is_sure(app, options, old):
        progress = app.terminal.progress(words.PRUNING)
        for done, conversation in enumerate(old, 1):
            if store.upkeep.remove(conversation.id, before):
                removed.append(conversation.id)
            progress(done, len(old))
    _report_pruning(app, options, old, removed)
    return 0


def _parse_age(app: App, age: str | None) -> int:
    """In hours; without one, what the configuration says."""
    days = app.load_config().settings.sessions.retention_days
    if age is None and days is not None:
        return days * 24
    match = re.fullmatch(_AGE, age or "")
    if match is None:
        raise BadInput(reason=words.NO_AGE)
    return int(match[1]) * _HOURS[match[2]]


def _is_sure(app: App, options: argparse.Namespace, old: list[Conversation]) -> bool:
    if options.yes:
        return True
    if not options.json:
        _list_old(app, old)
    return app.terminal.ask(words.PRUNE_SURE.format(conversations=count(len(old), counts.CONVERSATIONS)))


def _list_old(app: App, old: list[Conversation]) -> None:
    for each in old:
        cells = (app.terminal.style(each.id, "cyan"), local_time(each.updated_at), one_line(each.title, 60))
        app.terminal.line("  ".join(cells))


def _report_pruning(app: App, options: argparse.Namespace, old: list[Conversation], removed: list[str]) -> None:
    if options.json:
        rows = [{"id": each.id, "title": each.title, "updated_at": iso_time(each.updated_at)} for each in old]
        app.terminal.json({"dry_run": options.dry_run, "old": rows, "removed": removed})
        return
    conversations = count(len(old), counts.CONVERSATIONS)
    if not old:
        app.terminal.line(words.NOTHING_OLD)
    elif options.dry_run:
        _list_old(app, old)
        app.terminal.line(words.WOULD_BE_REMOVED.format(conversations=conversations))
    elif not removed:
        app.terminal.line(words.NOTHING_REMOVED)
    else:
        app.terminal.line(words.REMOVED.format(conversations=count(len(removed), counts.CONVERSATIONS)))
        if len(removed) < len(old):
            kept = len(old) - len(removed)
            app.terminal.line((words.STILL_USED_ONE if kept == 1 else words.STILL_USED).format(count=kept))
