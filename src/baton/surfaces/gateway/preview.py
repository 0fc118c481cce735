"""An answer while it is being written: one message, changed every few seconds. It is never the record."""

from __future__ import annotations

import asyncio
import re
from contextlib import suppress
from typing import TYPE_CHECKING

from baton.core.errors import NotFound, PlatformError, StoreError
from baton.core.split import split
from baton.core.transfer import replies
from baton.core.transfer.letter import Letter
from baton.core.transfer.mail import SENT
from baton.engine.aio import in_thread
from baton.engine.mail.delivery import to_outgoing

if TYPE_CHECKING:
    from baton.core.transfer.place import Place
    from baton.engine.mail.outbox import OutboxWriter
    from baton.ports.platform import Platform
    from baton.ports.store import Store

FIRST_PREVIEW = 1.5
NEXT_PREVIEW = 2.5
_LAST_CHANGE = 20.0
_LENGTH = 1500
_MARK = " ▌"
_BEGUN = re.compile(r"[!-~]*\Z")
"""A word that may go on, of letters that secrets are made of."""


class Preview:
    """A preview of the reply with this key: its newest part, as much as one message holds. What may be the beginning
    of a secret is not shown: only whole words are, cleaned together with all that came before them.
    """

    def __init__(self, store: Store, outbox: OutboxWriter, place: Place, key: str, conversation_id: str) -> None:
        self._store = store
        self._outbox = outbox
        self._place = place
        self._key = key
        self._conversation_id = conversation_id
        self._text = ""
        self._shown = ""
        self._put = ""
        self._putting: asyncio.Future[str] | None = None
        self._editing: asyncio.Future[None] | None = None
        self._task: asyncio.Task[None] | None = None

    def add(self, text: str) -> None:
        self._text += text
        if self._task is None:
            self._task = asyncio.create_task(self._show())

    async def _show(self) -> None:
        platform = self._outbox.platform(self._place)
        if platform is None:
            return
        await asyncio.sleep(FIRST_PREVIEW)
        letter = Letter(await self._look(platform), preview=True)
        self._putting = asyncio.ensure_future(in_thread(self._put_now, letter))
        self._put = await asyncio.shield(self._putting)
        while self._put:
            await asyncio.sleep(NEXT_PREVIEW)
            before = self._shown
            if await self._look(platform) != before and (receipt := await self._receipt()):
                with suppress(PlatformError):
                    await self._outbox.readers.check(platform, self._place)
                    shown = to_outgoing(Letter(self._shown), platform)
                    self._editing = asyncio.ensure_future(platform.edit(self._place, receipt, shown))
                    self._editing.add_done_callback(_forget)
                    await asyncio.shield(self._editing)

    def _put_now(self, letter: Letter) -> str:
        """Puts it now or not at all: after the answer itself, which somebody else may have put, it would stay for ever.
        Returns the key it has in the outbox.
        """
        with suppress(StoreError):
            try:
                self._store.outbox.get(replies.first_part(self._key))
            except NotFound:
                put = self._outbox.put_now
                return put(self._place, replies.shown_under(self._key), letter, self._conversation_id)
        return ""

    async def _look(self, platform: Platform) -> str:
        self._shown = await in_thread(self._part, self._text, platform)
        return self._shown

    def _part(self, text: str, platform: Platform) -> str:
        """The end of it that fits into one message."""
        clean = self._outbox.clean(_BEGUN.sub("", text), self._conversation_id)[-_LENGTH:]
        parts = split(clean, platform.abilities.limit // 2, platform.size)
        return f"{(parts[-1] if parts else '').strip() or '…'}{_MARK}"

    async def _receipt(self) -> str:
        with suppress(NotFound, StoreError):
            mail = await in_thread(self._store.outbox.get, self._put)
            return mail.receipt if mail.state == SENT else ""
        return ""

    async def end(self) -> str:
        """Stops showing it. Returns the key of what was shown, for the final text to replace; what is being put or
        changed is finished first, or it would appear after the final text, or in its place.
        """
        self.drop()
        if self._task is not None:
            await asyncio.wait([self._task])
        if self._editing is not None:
            await asyncio.wait([self._editing], timeout=_LAST_CHANGE)
        return await self._putting if self._putting else ""

    def drop(self) -> None:
        if self._task is not None:
            self._task.cancel()


def _forget(editing: asyncio.Future[None]) -> None:
    """How a change ended that nobody waits for any more: a preview is worth no complaint."""
    if not editing.cancelled():
        editing.exception()
