"""What was said before the packet a session began from: one line in the transcript, which opens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content
from textual.widgets import Static

from baton.engine.aio import in_thread
from baton.surfaces.shared.transcript import last_entries
from baton.surfaces.tui.story import draw_brief
from baton.surfaces.tui.widgets import Fold
from baton.surfaces.words import chat as words

if TYPE_CHECKING:
    from baton.surfaces.shared.chat import Chat

MOST = 200


class EarlierView(Fold):
    """Its content is read when it is first opened: most people never look, and it may be long."""

    def __init__(self, chat: Chat) -> None:
        self._chat = chat
        self._said = Static(classes="output")
        self._loaded = False
        super().__init__(words.EARLIER, self._said, folded=True, classes="earlier")

    def fold(self, folded: bool) -> None:
        super().fold(folded)
        if not folded and not self._loaded:
            self._loaded = True
            self.run_worker(self._load(), exclusive=True)

    async def _load(self) -> None:
        self._said.update(await in_thread(self._read))

    def _read(self) -> Content:
        store, conversation = self._chat.store, self._chat.current()
        chain = store.sessions.chain(store.conversations.get(conversation.id).head_id)
        entries = last_entries(store, chain[:-1], MOST)
        return draw_brief(entries) if entries else Content(words.NOTHING_EARLIER)
