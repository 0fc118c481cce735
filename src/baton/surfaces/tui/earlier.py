"""What was said before the packet a session began from: one line in the transcript, which opens."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rich.text import Text
from textual.widgets import Static

from baton.core.display import one_line, plain
from baton.core.log.payloads import AssistantStep, Payload, ToolCall, UserInput, payload
from baton.engine.aio import in_thread
from baton.surfaces.shared.transcript import last_entries
from baton.surfaces.tui.widgets import Fold

if TYPE_CHECKING:
    from baton.core.log.entry import Entry
    from baton.surfaces.shared.chat import Chat

LABEL = "Earlier: the conversation before this packet · /transcript has everything"
NOTHING = "Nothing was said before."
MOST = 200


class EarlierView(Fold):
    """Its content is read when it is first opened: most people never look, and it may be long."""

    def __init__(self, chat: Chat) -> None:
        self._chat = chat
        self._said = Static(classes="output")
        self._loaded = False
        super().__init__(LABEL, self._said, folded=True, classes="earlier")

    def fold(self, folded: bool) -> None:
        super().fold(folded)
        if not folded and not self._loaded:
            self._loaded = True
            self.run_worker(self._load(), exclusive=True)

    async def _load(self) -> None:
        self._said.update(Text(await in_thread(self._read)))

    def _read(self) -> str:
        store, conversation = self._chat.store, self._chat.current()
        head = store.conversations.get(conversation.id).head_id
        before = store.sessions.chain(head)[:-1]
        return "\n\n".join(_lines(last_entries(store, before, MOST))) or NOTHING


def _lines(entries: Sequence[Entry]) -> Iterator[str]:
    return (line for entry in entries if (line := _describe(payload(entry))))


def _describe(held: Payload) -> str:
    match held:
        case UserInput(synthetic=False):
            return f"› {plain(held.words)}"
        case AssistantStep() if held.text.strip():
            return plain(held.text).strip()
        case ToolCall():
            return f"• {one_line(held.title or held.name, 200)}"
        case _:
            return ""
