"""`baton transfers list | show | retry | cancel`."""

from __future__ import annotations

import argparse
import time

from baton.core.display import one_line
from baton.core.errors import BadInput, NotFound
from baton.core.transfer import transfer as rules
from baton.core.transfer.transfer import Transfer
from baton.engine.transfer.targets import HERE
from baton.surfaces.cli.app import App
from baton.surfaces.shared import wording
from baton.surfaces.shared.formats import ago, count, local_time
from baton.surfaces.shared.presenters import TRANSFER, TRANSFER_WITH_JOURNAL

NONE = "No transfers yet. To move a conversation: baton handoff --to telegram, or /handoff telegram in the chat."
ASKED = "Asked the gateway to stop it; `baton transfers show {id}` says what became of it."
CANCELLED = "Cancelled. The conversation is where it was; nothing was lost."
AGAIN = "Asked for again as {id}: baton transfers show {id}"
RETRY = "try again    baton transfers retry {id}"
LIST = "`baton transfers list` shows those there are."
_COLORS = {rules.COMPLETED: "green", rules.FAILED: "red"}


def list_(app: App, options: argparse.Namespace) -> int:
    store = app.store()
    if options.conversation:
        found = store.transfers.of(store.conversations.find(options.conversation).id)[::-1]
    else:
        found = store.transfers.recent(options.limit)
    if options.json:
        app.terminal.json([TRANSFER.as_dict(each) for each in found])
        return 0
    now = time.time_ns() // 1000
    for each in found:
        state = app.terminal.style(f"{each.state:<9}", _COLORS.get(each.state, "yellow"))
        title = one_line(store.conversations.get(each.conversation_id).title, 40)
        way = f"{each.origin.partition(':')[0]} → {each.target}"
        app.terminal.line(
            f"{each.id}  {state}  {way:<28} {ago(each.requested_at, now):<12} {title}  {each.error}".rstrip()
        )
    if not found:
        app.terminal.note(NONE)
    return 0


def show(app: App, options: argparse.Namespace) -> int:
    transfer = _find(app, options.transfer)
    if options.json:
        app.terminal.json(TRANSFER_WITH_JOURNAL.as_dict(transfer))
        return 0
    line = app.terminal.line
    line(f"transfer     {transfer.id}")
    line(f"conversation {app.store().conversations.get(transfer.conversation_id).title} ({transfer.conversation_id})")
    line(f"way          {transfer.origin} → {transfer.target}")
    step = wording.describe_step(transfer)
    line(f"state        {transfer.state} · {step} · {count(transfer.attempts, 'attempt')}")
    if transfer.error:
        line(f"error        {transfer.error}")
    line(f"requested    {local_time(transfer.requested_at)}")
    line(f"changed      {local_time(transfer.updated_at)}")
    for step, notes in transfer.notes.items():
        line(f"  {step:<10} {', '.join(f'{name} {held}' for name, held in notes.items() if held)}")
    if transfer.state == rules.FAILED:
        line(RETRY.format(id=transfer.id))
    return 0


def _find(app: App, transfer_id: str) -> Transfer:
    try:
        return app.store().transfers.get(transfer_id)
    except NotFound as error:
        raise NotFound(noun=error.facts["noun"], value=error.facts["value"], suggestion=LIST) from None


def cancel(app: App, options: argparse.Namespace) -> int:
    transfer = app.store().transfers.cancel(_find(app, options.transfer).id)
    return _report(app, options, transfer, ASKED.format(id=transfer.id) if transfer.cancel_asked else CANCELLED)


def retry(app: App, options: argparse.Namespace) -> int:
    """Requests a failed one again; its history stays."""
    failed = _find(app, options.transfer)
    if failed.state != rules.FAILED:
        raise BadInput(reason=f"Transfer {failed.id} is {failed.state}. Allowed: one that failed.")
    target = app.targets().resolve(failed.target)
    transfer = app.store().transfers.request(failed.conversation_id, failed.origin or HERE, target)
    return _report(app, options, transfer, AGAIN.format(id=transfer.id))


def _report(app: App, options: argparse.Namespace, transfer: Transfer, text: str) -> int:
    if options.json:
        app.terminal.json(TRANSFER.as_dict(transfer))
    else:
        app.terminal.line(text)
    return 0
