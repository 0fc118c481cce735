"""`baton handoff --to PLACE`: requested, and watched until it has arrived or the user has waited long enough."""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from typing import TYPE_CHECKING

from baton.core.errors import AlreadyThere, AtWork, BadInput, OwnedElsewhere
from baton.core.transfer import transfer as rules
from baton.core.transfer.place import TERMINAL, platform_name
from baton.engine.transfer import moves
from baton.engine.transfer.targets import HERE
from baton.surfaces.cli.app import App
from baton.surfaces.shared import wording
from baton.surfaces.shared.presenters import TRANSFER
from baton.surfaces.shared.wording import holder
from baton.surfaces.words import moving as words

if TYPE_CHECKING:
    from baton.core.log.conversation import Conversation
    from baton.core.transfer.transfer import Transfer

_LONG = 10.0


def move(app: App, options: argparse.Namespace, conversation: Conversation) -> int:
    """0 once it has arrived, 1 if it failed, 3 if it is still on its way when the wait ends."""
    store = app.store()
    target = app.targets().resolve(options.to)
    if target == TERMINAL:
        raise BadInput(reason=words.NOT_TO_TERMINAL)
    if target == moves.lives_in(store, conversation.id):
        raise AlreadyThere(conversation=conversation.id, place=platform_name(target))
    if (owner := store.conversations.get(conversation.id).owner) is not None:
        _check_idle(app, conversation, owner)
    transfer = store.transfers.request(conversation.id, HERE, target)
    patience = wording.PATIENCE if options.wait is None else float(options.wait)
    try:
        return asyncio.run(_Wait(app, transfer, patience, as_json=options.json).run())
    except KeyboardInterrupt:
        app.terminal.note(f"\n{words.MOVE_CONTINUES}\n{words.MOVE_LATER.format(id=transfer.id)}")
        raise


def _check_idle(app: App, conversation: Conversation, owner: str) -> None:
    """Raises `AtWork` while a turn runs somewhere."""
    conversations = app.store().conversations
    try:
        conversations.release(conversations.claim(conversation.id, "handoff", 1.0))
    except OwnedElsewhere:
        raise AtWork(conversation=conversation.id, where=holder(owner)) from None


class _Wait:
    """Only observes: whoever waits for a transfer never ends it."""

    def __init__(self, app: App, transfer: Transfer, patience: float, *, as_json: bool) -> None:
        self._app = app
        self._transfer = transfer
        self._until = time.monotonic() + patience
        self._patience = patience
        self._json = as_json
        self._began = time.monotonic()
        self._shown = ""

    async def run(self) -> int:
        async for transfer in moves.observe(self._app.store(), self._transfer.id):
            self._transfer = transfer
            self._show_step(transfer)
            if transfer.state in rules.ACTIVE and time.monotonic() > self._until and not self._ask_to_wait():
                return self._report("running", 3, self._describe_wait(transfer))
        if self._transfer.state == rules.COMPLETED:
            text = words.MOVED.format(
                place=wording.platform_of(self._transfer), conversation=self._transfer.conversation_id
            )
            return self._report(rules.COMPLETED, 0, text)
        return self._report(rules.FAILED, 1, wording.describe_failure(self._transfer))

    def _show_step(self, transfer: Transfer) -> None:
        if self._json or transfer.step == self._shown:
            return
        self._shown = transfer.step
        seconds = time.monotonic() - self._began
        self._app.terminal.note(words.MOVE_STEP.format(step=wording.describe_step(transfer), seconds=seconds))

    def _ask_to_wait(self) -> bool:
        """Whether the user wants to keep waiting; a script does not."""
        if self._json or not sys.stdin.isatty():
            return False
        self._app.terminal.note(self._describe_wait(self._transfer))
        self._until = time.monotonic() + self._patience
        return self._app.terminal.ask(words.KEEP_WAITING)

    def _describe_wait(self, transfer: Transfer) -> str:
        seconds, place = time.monotonic() - self._began, wording.platform_of(transfer)
        text = words.MOVE_SLOW if seconds > _LONG else words.MOVE_WAITS
        text = text.format(seconds=seconds, step=wording.describe_step(transfer), place=place)
        return f"{text}\n{words.MOVE_LATER.format(id=transfer.id)}"

    def _report(self, state: str, code: int, text: str) -> int:
        if self._json:
            self._app.terminal.json({**TRANSFER.as_dict(self._transfer), "state": state})
        else:
            self._app.terminal.line(text)
        return code
