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
from baton.surfaces.words import counts
from baton.surfaces.words import moving as words

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
        app.terminal.note(words.NO_TRANSFERS)
    return 0


def show(app: App, options: argparse.Namespace) -> int:
    transfer = _find(app, options.transfer)
    if options.json:
        app.terminal.json(TRANSFER_WITH_JOURNAL.as_dict(transfer))
        return 0
    line = app.terminal.line
    line(words.SHOW_ID.format(id=transfer.id))
    title = app.store().conversations.get(transfer.conversation_id).title
    line(words.SHOW_CONVERSATION.format(title=title, id=transfer.conversation_id))
    line(words.SHOW_WAY.format(origin=transfer.origin, target=transfer.target))
    step = wording.describe_step(transfer)
    attempts = count(transfer.attempts, counts.ATTEMPTS)
    line(words.SHOW_STATE.format(state=transfer.state, step=step, attempts=attempts))
    if transfer.error:
        line(words.SHOW_ERROR.format(error=transfer.error))
    line(words.SHOW_REQUESTED.format(at=local_time(transfer.requested_at)))
    line(words.SHOW_CHANGED.format(at=local_time(transfer.updated_at)))
    for step, notes in transfer.notes.items():
        line(f"  {step:<10} {', '.join(f'{name} {held}' for name, held in notes.items() if held)}")
    if transfer.state == rules.FAILED:
        line(words.RETRY.format(id=transfer.id))
    return 0


def _find(app: App, transfer_id: str) -> Transfer:
    try:
        return app.store().transfers.get(transfer_id)
    except NotFound as error:
        raise NotFound(noun=error.facts["noun"], value=error.facts["value"], suggestion=words.LIST_TRANSFERS) from None


def cancel(app: App, options: argparse.Namespace) -> int:
    transfer = app.store().transfers.cancel(_find(app, options.transfer).id)
    return _report(
        app,
        options,
        transfer,
        words.STOP_ASKED.format(id=transfer.id) if transfer.cancel_asked else words.MOVE_CANCELLED,
    )


def retry(app: App, options: argparse.Namespace) -> int:
    """Requests a failed one again; its history stays."""
    failed = _find(app, options.transfer)
    if failed.state != rules.FAILED:
        raise BadInput(reason=words.NOT_FAILED.format(id=failed.id, state=failed.state))
    target = app.targets().resolve(failed.target)
    transfer = app.store().transfers.request(failed.conversation_id, failed.origin or HERE, target)
    return _report(app, options, transfer, words.ASKED_AGAIN.format(id=transfer.id))


def _report(app: App, options: argparse.Namespace, transfer: Transfer, text: str) -> int:
    if options.json:
        app.terminal.json(TRANSFER.as_dict(transfer))
    else:
        app.terminal.line(text)
    return 0
