"""Resuming a conversation: what was said, what a crash left behind, and who owns it meanwhile."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from baton.core.display import one_line
from baton.core.errors import BatonError, OwnedElsewhere
from baton.core.log import entry as kinds
from baton.core.log.interrupted import find_interrupted
from baton.core.log.payloads import UserInput, payload
from baton.core.transfer.place import platform_name
from baton.engine.aio import in_thread
from baton.engine.processes import new_owner
from baton.engine.transfer import moves
from baton.engine.turns.writer import count_context
from baton.surfaces.shared.formats import ago
from baton.surfaces.shared.transcript import last_model
from baton.surfaces.shared.wording import TERMINAL, holder
from baton.surfaces.tui.replay import image_names, replay
from baton.surfaces.tui.transcript import UserView
from baton.surfaces.words import chat as words

if TYPE_CHECKING:
    from baton.core.log.conversation import Conversation
    from baton.core.log.entry import Entry
    from baton.core.log.session import Vitals
    from baton.surfaces.shared.chat import Chat
    from baton.surfaces.tui.app import ChatApp
    from baton.surfaces.tui.event_view import EventView
    from baton.surfaces.tui.other_surfaces import OtherSurfaces

RECENT = 60
_LOOK_AGAIN = 0.5
_LEASE = 30.0


class Resume:
    """`saying` is held until what was left behind is dealt with: new messages wait for it. `others` is told how far of
    which session is on the screen.
    """

    def __init__(
        self,
        app: ChatApp,
        chat: Chat,
        view: EventView,
        saying: asyncio.Lock,
        others: OtherSurfaces,
    ) -> None:
        self._others = others
        self._app = app
        self._chat = chat
        self._view = view
        self._saying = saying

    async def remember(self) -> None:
        """Loads the history of the last conversation here, and says if it was interrupted or waits for an answer."""
        chat = self._chat
        page = chat.store.conversations.page
        rows = (await in_thread(page, 1, None, chat.agent.workspace, begun=True)).rows
        if not rows:
            return
        conversation = rows[0].conversation
        entries = await in_thread(chat.store.entries.last, conversation.head_id, RECENT)
        self._app.prompt.load_history(_user_texts(entries))
        if find_interrupted(entries):
            await self._app.notice(words.UNENDED.format(title=conversation.title, id=conversation.id), "warning")
        elif await in_thread(chat.store.drafts.list_waiting, conversation.id):
            await self._app.notice(
                words.PACKET_WAITS_THERE.format(title=conversation.title, id=conversation.id), "warning"
            )
        else:
            when = ago(conversation.updated_at, int(time.time() * 1_000_000))
            await self._app.notice(words.LAST.format(ago=when, title=one_line(conversation.title, 60)))

    async def redraw(self) -> None:
        """Draws the transcript again from what is stored, then recovers what a crash left behind."""
        conversation = self._chat.conversation
        before = await self._show(conversation)
        if conversation is None:
            return
        await self._remark(conversation, before)
        await self._saying.acquire()
        self._app.run_worker(self._recover(conversation), exclusive=False)

    async def _show(self, conversation: Conversation | None) -> str:
        """Draws what is stored now; returns which model answered last."""
        await self._app.transcript.clear()
        self._app.show_waiting([])
        self._app.show_status(tokens=0, cost=None, compressions=0, state="", place="")
        if conversation is None:
            return ""
        conversation = await in_thread(self._chat.store.conversations.get, conversation.id)
        entries, vitals, tokens = await in_thread(self._load, conversation.head_id)
        self._others.mark_drawn(conversation.head_id, entries[-1].seq if entries else 0)
        await replay(self._app, entries)
        self._app.prompt.load_history(_user_texts(entries))
        self._chat.tokens = tokens
        self._app.show_status(compressions=max(0, vitals.compressions), tokens=self._chat.tokens)
        return last_model(entries)

    async def _remark(self, conversation: Conversation, before: str) -> None:
        now = self._chat.agent.model
        if before not in ("", now):
            await self._app.notice(words.OTHER_MODEL.format(before=before, now=now))
        waiting = await in_thread(self._chat.store.drafts.list_waiting, conversation.id)
        if waiting:
            await self._app.notice(words.PACKET_WAITS, "warning")
        for draft in waiting:
            self._others.note_draft(draft.id)

    async def _come_back(self, conversation: Conversation) -> None:
        """Brings back a conversation that lives elsewhere."""
        try:
            owner = new_owner("terminal")
            back = await in_thread(moves.come_back, self._chat.store, conversation.id, owner, _LEASE)
        except BatonError as error:
            await self._app.notice(str(error), "warning")
        else:
            if back is not None:
                self._app.show_status(place="")
                await self._app.notice(words.BACK.format(place=platform_name(back.origin.partition(":")[0])))

    def _load(self, session_id: str) -> tuple[list[Entry], Vitals, int]:
        """What is drawn of a session, its counts, and how full its context is."""
        store = self._chat.store
        tokens = count_context(store, session_id)
        return store.entries.last(session_id, RECENT), store.sessions.vitals(session_id), tokens

    async def _recover(self, conversation: Conversation) -> None:
        """Reports what a crash left behind and runs input that nobody answered; then new messages may be sent."""
        try:
            left_behind = await self._left_behind(conversation)
            await self._come_back(conversation)
            for given in left_behind:
                view = UserView(given.words, image_names(given))
                self._view.add_waiting(await self._chat.runtime.send(conversation.id, given), view)
        except BatonError as error:
            await self._app.notice(str(error), "error")
        finally:
            self._saying.release()

    async def _left_behind(self, conversation: Conversation) -> list[UserInput]:
        """The input that a crash left. Waits while another process owns the conversation, and says so."""
        told = False
        try:
            while self._chat.conversation and self._chat.conversation.id == conversation.id:
                try:
                    found = await self._chat.runtime.recover(conversation.id)
                    if told:
                        await self._show(conversation)
                    return found
                except OwnedElsewhere as error:
                    if not told:
                        await self._app.notice(
                            words.HELD.format(where=holder(str(error.facts.get("owner", "")), TERMINAL)), "warning"
                        )
                        self._app.show_status(state=words.HELD_STATE)
                    told = True
                await asyncio.sleep(_LOOK_AGAIN)
            return []
        finally:
            if told and self._app.line.state == words.HELD_STATE:
                self._app.show_status(state="")


def _user_texts(entries: list[Entry]) -> list[str]:
    """What the person said, for the prompt's history."""
    given = (payload(entry) for entry in entries if entry.kind == kinds.USER)
    return [held.words for held in given if isinstance(held, UserInput) and not held.synthetic]
