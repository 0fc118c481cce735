"""What opens over the chat: lists to pick from, the transcript, the help."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from textwrap import wrap
from typing import TYPE_CHECKING

from textual.app import SuspendNotSupported

from baton.core.display import columns, one_line
from baton.core.errors import BatonError
from baton.engine.aio import in_thread
from baton.surfaces.shared.commands import COMMANDS
from baton.surfaces.shared.editor import edit_text
from baton.surfaces.shared.formats import ago, count, describe_place, shorten_home
from baton.surfaces.tui.screens import Choice, PickScreen, ReadScreen
from baton.surfaces.tui.story import draw_transcript
from baton.surfaces.words import chat as words
from baton.surfaces.words import counts

if TYPE_CHECKING:
    from textual.content import Content

    from baton.core.log.conversation import Conversation, Row
    from baton.core.log.entry import Entry
    from baton.surfaces.shared.chat import ModelOffer
    from baton.surfaces.tui.app import Backend, ChatApp

LISTED = 200
WORDS_NEED = 34
READ = 2000

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
        self._app.push_screen(PickScreen(words.PICK_CONVERSATION, choices), self._on_pick("/resume"))

    async def pick_model(self) -> None:
        self._app.remark(words.LOOKING)
        choices = model_choices(await in_thread(self._backend.models), self._chat.agent.model)
        self._app.remark("")
        self._app.push_screen(PickScreen(words.PICK_MODEL, choices, other_model), self._on_pick("/model"))

    def _on_pick(self, command: str) -> Callable[[str | None], None]:
        async def take(key: str) -> None:
            await self._take(f"{command} {key}")

        def pick(key: str | None) -> None:
            if key:
                self._app.run_worker(take(key), exclusive=False)

        return pick

    def show_help(self) -> None:
        listed = [(command.usage, command.summary) for command in COMMANDS]
        self._app.push_screen(
            ReadScreen(words.HELP_TITLE, lambda width: f"{lay_out(words.KEYS, width)}\n\n{lay_out(listed, width)}")
        )

    def pick_from_history(self) -> None:
        texts = self._app.prompt.sent_texts

        def put(key: str | None) -> None:
            if key:
                self._app.prompt.put(texts[int(key)])

        self._app.push_screen(PickScreen(words.PICK_SAID, history_choices(texts)), put)

    def edit_prompt(self) -> None:
        try:
            with self._app.suspend():
                text = edit_text(self._app.prompt.whole(), name="message")
        except (BatonError, SuspendNotSupported) as error:
            self._app.remark(str(error))
        else:
            self._app.prompt.put(text.rstrip("\n"))

    async def show_transcript(self) -> None:
        conversation = self._chat.current()
        text = await in_thread(self._read_transcript, conversation)
        self._app.push_screen(ReadScreen(conversation.title, text, at_end=True))

    def _read_transcript(self, conversation: Conversation) -> Content:
        entries, left_out = self._entries(conversation)
        chain = [session.id for session in self._chat.store.sessions.chain(conversation.head_id)]
        return draw_transcript(
            entries, chain, words.ONLY_LAST.format(count=len(entries), id=conversation.id) if left_out else ""
        )

    def _entries(self, conversation: Conversation) -> tuple[list[Entry], bool]:
        """The newest entries of all sessions, and whether there are more."""
        found: list[Entry] = []
        for session in reversed(self._chat.store.sessions.of(conversation.id)):
            if (room := READ - len(found)) <= 0:
                return found, True
            found = [entry for entry in self._chat.store.entries.last(session.id, room) if not entry.copied] + found
        return found, len(found) >= READ


def lay_out(rows: Iterable[tuple[str, str]], width: int) -> str:
    """Two columns, the second one wrapped; one below the other where it is narrow."""
    rows = [*rows]
    column = max(columns(label) for label, _ in rows) + 2
    if width - column < WORDS_NEED:
        column = 2
    lines: list[str] = []
    for label, about in rows:
        first, *rest = wrap(about, max(20, width - column))
        if columns(label) + 2 <= column:
            lines.append(label + " " * (column - columns(label)) + first)
        else:
            lines += [label, " " * column + first]
        lines += [" " * column + line for line in rest]
    return "\n".join(lines)


def history_choices(texts: Sequence[str]) -> list[Choice]:
    """What you said, the newest first, each once."""
    newest = {text: number for number, text in enumerate(texts)}
    rows = sorted(newest.items(), key=lambda row: -row[1])
    return [Choice(str(number), one_line(text, 300), "", text) for text, number in rows]


def model_choices(offers: Iterable[ModelOffer], current: str) -> list[Choice]:
    """Usable models first; the others with the reason why not."""
    rows = [_model(offer, current) for offer in offers]
    if current not in {row.key for row in rows}:
        rows.insert(0, Choice(current, current, words.USED, current))
    return [*(row for row in rows if row.enabled), *(row for row in rows if not row.enabled)]


def _model(offer: ModelOffer, current: str) -> Choice:
    named = not offer.model.endswith(":NAME")
    about = f"{offer.reason} → {offer.fix}" if offer.fix else offer.reason
    if offer.usable and not named:
        about = f"{about} · {words.TYPE_NAME}"
    if offer.model == current:
        about = f"{words.USED} · {about}"
    return Choice(offer.model, offer.model, about, f"{offer.model} {about}", enabled=offer.usable and named)


def other_model(typed: str) -> Choice | None:
    """Any `provider:name`."""
    provider, colon, name = typed.partition(":")
    if not (provider and colon and name) or any(c.isspace() for c in typed):
        return None
    return Choice(typed, typed, words.AS_TYPED, typed)


def conversation_choices(rows: Iterable[Row], now: int) -> list[Choice]:
    return [_conversation(row, now) for row in rows]


def _conversation(row: Row, now: int) -> Choice:
    one = row.conversation
    where = describe_place(row)
    about = f"{ago(one.updated_at, now)} · {count(row.entries, counts.ENTRIES)} · {shorten_home(one.workspace)}"
    return Choice(
        one.id, one.title, f"{where} · {about}" if where else about, f"{one.title} {one.workspace} {one.id} {where}"
    )
