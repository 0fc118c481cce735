"""Letters into the outbox: cut to the platform's measure, under keys that make a repetition harmless."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress

from baton.core.errors import NotFound
from baton.core.split import split
from baton.core.transfer import letter as letters
from baton.core.transfer.letter import Letter
from baton.core.transfer.place import Place
from baton.core.value import replace
from baton.engine.aio import retry_store
from baton.engine.mail.readers import Readers
from baton.engine.mail.worker import Put
from baton.ports.platform import Platform
from baton.ports.store import Store

Clean = Callable[[str, str], str]
"""A text without the secrets that are known for a conversation; its id may be empty."""

_ROOM = 24
"""Kept free in every part for a mark of repetition."""


class OutboxWriter:
    """Puts letters into the outbox. Whatever leaves through it is cleaned of secrets first."""

    def __init__(
        self,
        store: Store,
        platforms: Mapping[str, Platform],
        clean: Clean,
        readers: Readers | None = None,
        put: Put | None = None,
    ) -> None:
        self._store = store
        self._put = put or store.outbox.put
        self.readers = readers or Readers()
        self._platforms = platforms
        self._clean = clean

    @property
    def platforms(self) -> Mapping[str, Platform]:
        return self._platforms

    def platform(self, place: Place) -> Platform | None:
        return self._platforms.get(place.platform)

    def clean(self, text: str, conversation_id: str = "") -> str:
        return self._clean(text, conversation_id)

    async def put(self, place: Place, key: str, letter: Letter, conversation_id: str = "") -> str:
        """Returns the key of the last part once all are stored; they are sent as soon as they can be. What was put
        before under a key stays.
        """
        return await retry_store(lambda: self.put_now(place, key, letter, conversation_id))

    def fill_in(self, place: Place, key: str, letter: Letter, conversation_id: str = "") -> None:
        """As `put_now`, for what is probably there: it looks before it writes."""
        for number, part in enumerate(self._parts(place, letter, conversation_id)):
            try:
                self._store.outbox.get(f"{key}/{number}")
            except NotFound:
                self._put(f"{key}/{number}", place, letters.to_body(part), conversation_id)

    def put_now(self, place: Place, key: str, letter: Letter, conversation_id: str = "") -> str:
        """As `put`, and blocks; a store that is away is not waited for."""
        parts = self._parts(place, letter, conversation_id)
        last = ""
        for number, part in enumerate(parts):
            last = f"{key}/{number}"
            self._put(last, place, letters.to_body(part), conversation_id)
        return last

    def _find(self, key: str) -> str:
        """The key if something was put under it. Most answers had no preview, and then nobody has to ask for one."""
        if key:
            with suppress(NotFound):
                return self._store.outbox.get(key).key
        return ""

    def _parts(self, place: Place, letter: Letter, conversation_id: str) -> list[Letter]:
        """The first replaces what is to be replaced, the last of the text has the buttons; a file comes by itself."""
        platform = self._platforms.get(place.platform)
        text = self._clean(letter.text, conversation_id)
        limit = platform.abilities.limit - _ROOM if platform else 0
        texts = split(text, limit, platform.size) if platform else [text]
        parts = [Letter(text, preview=letter.preview) for text in texts if text.strip()]
        if parts:
            parts[-1] = replace(parts[-1], buttons=letter.buttons)
            parts[0] = replace(parts[0], replaces=self._find(letter.replaces))
        return [*parts, Letter("", file=letter.file)] if letter.file else parts
