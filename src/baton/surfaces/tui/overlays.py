"""What opens over the chat: lists to pick from, the transcript, the help."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Iterable
from typing import TYPE_CHECKING

from baton.engine.aio import in_thread
from baton.surfaces.shared.formats import ago, count, describe_place, shorten_home
from baton.surfaces.tui.screens import Choice, PickScreen, ReadScreen

if TYPE_CHECKING:
    from baton.core.log.conversation import Conversation, Row
    from baton.core.log.entry import Entry
    from baton.surfaces.shared.chat import ModelOffer
    from baton.surfaces.tui.app import Backend, ChatApp

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
USED = "used now"

Take = Callable[[str], Awaitable[None]]


class Overlays:
    """`take` is called with the command that a choice stands for."""

    def __init__(self, app: ChatApp, backend: Backend, take: Take) -> None:
        self._app = app
        self._backend = backend
        self._chat = backend.chat
        self._take = take

    async def pick_conversation(self) -> None:
        rows = (await in_thread(self._chat.store.conversations.page, LISTED, begun=True)).rows
        choices = conversation_choices(rows, int(time.time() * 1_000_000))
        self._app.push_screen(PickScreen("Conversations", choices), self._on_pick("/resume"))

    async def pick_model(self) -> None:
        self._app.remark(LOOKING)
        choices = model_choices(await in_thread(self._backend.models), self._chat.agent.model)
        self._app.remark("")
        self._app.push_screen(PickScreen("Models", choices, other_model), self._on_pick("/model"))

    def _on_pick(self, command: str) -> Callable[[str | None], None]:
        async def take(key: str) -> None:
            await self._take(f"{command} {key}")

        def pick(key: str | None) -> None:
            if key:
                self._app.run_worker(take(key), exclusive=False)

        return pick

    def show_help(self, commands: str) -> None:
        self._app.push_screen(ReadScreen("Commands and keys", f"{commands}\n\n{KEYS}"))

    async def show_transcript(self) -> None:
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


def model_choices(offers: Iterable[ModelOffer], current: str) -> list[Choice]:
    """Usable models first; the others with the reason why not."""
    rows = [_model(offer, current) for offer in offers]
    if current not in {row.key for row in rows}:
        rows.insert(0, Choice(current, current, USED, current))
    return [*(row for row in rows if row.enabled), *(row for row in rows if not row.enabled)]


def _model(offer: ModelOffer, current: str) -> Choice:
    named = not offer.model.endswith(":NAME")
    about = f"{offer.reason}{f' → {offer.fix}' if offer.fix else ''}"
    if offer.usable and not named:
        about += " · type its name"
    if offer.model == current:
        about = f"{USED} · {about}"
    return Choice(offer.model, offer.model, about, f"{offer.model} {about}", enabled=offer.usable and named)


def other_model(typed: str) -> Choice | None:
    """Any `provider:name`."""
    provider, colon, name = typed.partition(":")
    if not (provider and colon and name) or any(c.isspace() for c in typed):
        return None
    return Choice(typed, typed, "as typed", typed)


def conversation_choices(rows: Iterable[Row], now: int) -> list[Choice]:
    return [_conversation(row, now) for row in rows]


def _conversation(row: Row, now: int) -> Choice:
    one = row.conversation
    where = describe_place(row)
    about = f"{ago(one.updated_at, now)} · {count(row.entries, 'entry', 'entries')} · {shorten_home(one.workspace)}"
    return Choice(
        one.id, one.title, f"{where} · {about}" if where else about, f"{one.title} {one.workspace} {one.id} {where}"
    )
