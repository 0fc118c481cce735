"""What opens over the chat: lists to pick from, the transcript, the help."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from baton.engine.aio import in_thread

if TYPE_CHECKING:
    from baton.core.log.conversation import Conversation
    from baton.core.log.entry import Entry
    from baton.surfaces.tui.app import ChatApp, Desk

LISTED = 200
READ = 2000
LOOKING = "looking which models can be used…"
ONLY_LAST = "[the last {count:,} entries; `baton sessions show {id} --all` prints everything]"
KEYS = """\
Enter       send                    Shift+Enter Ctrl+J  new line
Esc         stop the turn           Ctrl+C twice        leave; nothing is lost
↑ ↓         history, waiting input  Tab                 complete a /command, @file
PgUp PgDn   scroll                  Ctrl+O              fold or unfold tool calls
Ctrl+Y      copy the last answer;   Ctrl+C              copy what the mouse marked
            again: its code         Shift+Tab           what tools may do unasked
Ctrl+T      dark or light           F1                  this help"""

Take = Callable[[str], Awaitable[None]]


class Overlays:
    """`take` hears the command that a choice amounts to."""

    def __init__(self, app: ChatApp, desk: Desk, take: Take) -> None:
        self._app = app
        self._desk = desk
        self._chat = desk.chat
        self._take = take

    async def pick_conversation(self) -> None:
        from baton.surfaces.tui.pickers import PickScreen, conversation_choices

        rows = (await in_thread(self._chat.store.conversations.page, LISTED, begun=True)).rows
        choices = conversation_choices(rows, int(time.time() * 1_000_000))
        self._app.push_screen(PickScreen("Conversations", choices), self._picked("/resume"))

    async def pick_model(self) -> None:
        from baton.surfaces.tui.pickers import PickScreen, model_choices, other_model

        self._app.remark(LOOKING)
        choices = model_choices(await in_thread(self._desk.models), self._chat.agent.model)
        self._app.remark("")
        self._app.push_screen(PickScreen("Models", choices, other_model), self._picked("/model"))

    def _picked(self, command: str) -> Callable[[str | None], None]:
        async def take(key: str) -> None:
            await self._take(f"{command} {key}")

        def picked(key: str | None) -> None:
            if key:
                self._app.run_worker(take(key), exclusive=False)

        return picked

    def help(self, commands: str) -> None:
        from baton.surfaces.tui.screens import ReadScreen

        self._app.push_screen(ReadScreen("Commands and keys", f"{commands}\n\n{KEYS}"))

    async def transcript(self) -> None:
        from baton.surfaces.tui.screens import ReadScreen

        conversation = self._chat.current()
        entries, left_out = await in_thread(self._entries, conversation)
        parts = [ONLY_LAST.format(count=len(entries), id=conversation.id)] if left_out else []
        parts += [f"[{entry.kind} #{entry.seq}]\n{entry.text}" for entry in entries]
        self._app.push_screen(ReadScreen(conversation.title, "\n\n".join(parts), at_end=True))

    def _entries(self, conversation: Conversation) -> tuple[list[Entry], bool]:
        """The newest entries of all sessions, and whether there are more."""
        found: list[Entry] = []
        for session in reversed(self._chat.store.sessions.of(conversation.id)):
            if (room := READ - len(found)) <= 0:
                return found, True
            found = [entry for entry in self._chat.store.entries.last(session.id, room) if not entry.copied] + found
        return found, len(found) >= READ
