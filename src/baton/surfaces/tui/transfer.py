"""A transfer out of the terminal: watched until it ends; the terminal closes when it has arrived."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from baton.core.errors import BatonError
from baton.core.transfer import transfer as rules
from baton.engine.aio import in_thread
from baton.engine.transfer import moves
from baton.surfaces.shared import wording
from baton.surfaces.words import chat as words

if TYPE_CHECKING:
    from baton.core.transfer.transfer import Transfer
    from baton.surfaces.shared.chat import Chat
    from baton.surfaces.tui.app import ChatApp


class OutgoingTransfer:
    """`saying` is held during the transfer: what is typed meanwhile waits."""

    def __init__(self, app: ChatApp, chat: Chat, saying: asyncio.Lock) -> None:
        self._app = app
        self._chat = chat
        self._saying = saying
        self._transfer_id = ""

    @property
    def under_way(self) -> bool:
        return bool(self._transfer_id)

    def begin(self, transfer_id: str) -> None:
        self._app.run_worker(self._wait(transfer_id), exclusive=False)

    async def stop(self) -> bool:
        """Asks the gateway to stop the transfer that is under way. False if there is none."""
        if not self._transfer_id:
            return False
        await in_thread(self._chat.store.transfers.cancel, self._transfer_id)
        await self._app.notice(words.STOPPING)
        return True

    async def _wait(self, transfer_id: str) -> None:
        async with self._saying:
            self._transfer_id = transfer_id
            try:
                await self._finish(await self._watch(transfer_id))
            except BatonError as error:
                await self._app.notice(str(error), "error")
            finally:
                self._transfer_id = ""
                self._app.show_status(state="")

    async def _watch(self, transfer_id: str) -> Transfer:
        began, told = time.monotonic(), False
        transfer = None
        async for transfer in moves.observe(self._chat.store, transfer_id):
            place, seconds = wording.platform_of(transfer), time.monotonic() - began
            self._app.show_status(state=words.MOVING.format(place=place, step=wording.describe_step(transfer)))
            if seconds > wording.PATIENCE and not told:
                told = True
                await self._app.notice(words.SLOW.format(place=place, seconds=seconds), "warning")
        assert transfer is not None
        return transfer

    async def _finish(self, transfer: Transfer) -> None:
        if transfer.state == rules.COMPLETED:
            self._app.farewell = words.MOVED_AWAY.format(
                place=wording.platform_of(transfer), conversation=transfer.conversation_id
            )
            self._app.exit(0)
        else:
            await self._app.notice(wording.describe_failure(transfer), "error")
