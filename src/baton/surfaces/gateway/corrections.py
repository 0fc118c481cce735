"""An edited message: what somebody said, said better.

If the turn of the first words has not begun, the new words take their place; otherwise they are sent on, once, as a
correction. Only whoever said it can correct it, and neither a command nor an answer to a question is done again.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from baton.core.display import one_line
from baton.core.errors import NotFound
from baton.core.log.waiting import UNKNOWN, WITHDRAWN, find_fate, name_revision
from baton.core.value import replace
from baton.engine.aio import in_thread
from baton.surfaces.gateway.reception import Message, from_mail
from baton.surfaces.words import channel as words

if TYPE_CHECKING:
    from baton.engine.turns.runtime import Runtime
    from baton.ports.store import Store

_SHOWN = 120
_LAST = 300


class Corrections:
    def __init__(self, store: Store, runtime: Runtime) -> None:
        self._store = store
        self._runtime = runtime

    async def find_original(self, message: Message) -> Message | None:
        """What is corrected; None if it is not known any more, is another's, or says the same."""
        original = await in_thread(self._load, message.corrects)
        if original is None or original.sender != message.sender or original.place.platform != message.place.platform:
            return None
        return None if original.text == message.text else original

    async def apply(self, message: Message, original: Message, conversation_id: str) -> Message | None:
        """The message to submit, in the place of the original: the new words alone, with its files, if these take its
        place, or a correction. None if that was done before a crash.
        """
        key = name_revision(original.key, message.key)
        message = replace(message, key=key, place=original.place, direct=original.direct)
        if await in_thread(self._find_fate, conversation_id, key) != UNKNOWN:
            return None
        withdrawn = await self._runtime.withdraw(conversation_id, inbox=original.key)
        if withdrawn or await in_thread(self._find_fate, conversation_id, original.key) == WITHDRAWN:
            return replace(message, files=original.files)
        before = one_line(original.text, _SHOWN)
        return replace(message, text=words.CORRECTION.format(before=before, text=message.text))

    def _load(self, key: str) -> Message | None:
        with suppress(NotFound):
            return from_mail(self._store.inbox.get(key))
        return None

    def _find_fate(self, conversation_id: str, key: str) -> str:
        head = self._store.conversations.get(conversation_id).head_id
        return find_fate(self._store.entries.last(head, _LAST), key)
