"""Questions that another surface asked in a session's conversation: put to the editor too, as long as they are open.

The first stored answer counts. A question that was answered elsewhere is withdrawn, and the thread says how it ended.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING

from baton.core.agent import question as rules
from baton.core.agent.question import EDITOR, Question
from baton.core.display import one_line
from baton.core.errors import BatonError, QuestionGone
from baton.core.log.owner import describe_owner
from baton.engine.aio import in_thread
from baton.engine.handoff.handoff import stands
from baton.engine.turns import questions
from baton.surfaces.acp import tool_calls
from baton.surfaces.acp.editor import ask_permission
from baton.surfaces.acp.frames import RpcError
from baton.surfaces.acp.peer import PeerGone
from baton.surfaces.acp.tool_calls import KnownCall
from baton.surfaces.words import editor as words

if TYPE_CHECKING:
    from baton.surfaces.acp.client import Line
    from baton.surfaces.acp.event_view import EventView
    from baton.surfaces.shared.chat import Chat

LOOK = 1.0


class OtherQuestions:
    """Looks at the store once a second while no turn runs here; use as a task."""

    def __init__(self, line: Line, view: EventView, chat: Chat) -> None:
        self._line = line
        self._view = view
        self._chat = chat
        self._asked: dict[str, asyncio.Task[None]] = {}
        self._drafts: set[str] = set()

    async def run(self) -> None:
        try:
            while True:
                with suppress(BatonError):
                    await self._look(self._chat.current().id)
                await asyncio.sleep(LOOK)
        finally:
            for task in self._asked.values():
                task.cancel()

    async def _look(self, conversation_id: str) -> None:
        if self._chat.runtime.busy(conversation_id):
            self._drafts.update(await in_thread(self._list_drafts, conversation_id))
            return
        found = {each.handle: each for each in await in_thread(questions.list_open, self._chat.store, conversation_id)}
        for handle in [each for each in self._asked if each not in found]:
            self._asked.pop(handle).cancel()
        for handle, question in found.items():
            if handle not in self._asked:
                self._asked[handle] = asyncio.create_task(self._ask(question))
        for draft_id in await in_thread(self._list_drafts, conversation_id):
            if draft_id not in self._drafts:
                self._drafts.add(draft_id)
                if not self._view.asking:  # a dialogue here shows it at this moment
                    self._view.say(words.DRAFT_WAITS)

    def _list_drafts(self, conversation_id: str) -> list[str]:
        """The draft that waits for an answer now, if there is one."""
        store = self._chat.store
        waiting = store.drafts.list_waiting(conversation_id)[-1:]
        head = store.conversations.get(conversation_id).head_id if waiting else ""
        return [draft.id for draft in waiting if stands(store, head, draft)]

    async def _ask(self, question: Question) -> None:
        """Closing the dialogue is no answer: the question stays open elsewhere."""
        call_id, title = f"question-{question.handle}", one_line(question.title or question.tool, 200)
        place = rules.describe_where(question.place.partition(":")[0])
        who = describe_owner(question.owner, capital=True)
        self._view.say((words.ASKED_IN if place else words.ASKED).format(who=who, place=place, title=title))
        diff = question.preview if question.preview.startswith("--- ") else ""
        shown = KnownCall(question.tool, question.args, title, "" if diff else question.preview, diff)
        workspace = self._chat.agent.workspace
        self._line.send(tool_calls.announce(call_id, shown, workspace, "pending"))
        try:
            about = tool_calls.describe(call_id, shown, workspace, "pending")
            chosen = await ask_permission(self._line, self._view, about, question.as_asked())
            if chosen:
                self._line.send(tool_calls.progress(call_id, "completed", await self._answer(question, chosen, title)))
        except asyncio.CancelledError:
            self._line.send(tool_calls.progress(call_id, "completed", self._describe_end(question, title)))
            raise
        except (RpcError, PeerGone):
            return

    async def _answer(self, question: Question, chosen: str, title: str) -> str:
        try:
            given = await in_thread(questions.answer, self._chat.store, question, chosen, where=EDITOR)
        except BatonError as error:
            return f"{title}: {error}"
        text = words.ENDED_KEPT if given.kept else words.ENDED
        return text.format(title=title, how=rules.describe_answer(given.question))

    def _describe_end(self, question: Question, title: str) -> str:
        try:
            ended = questions.find(self._chat.store, question.conversation_id, question.handle)
        except QuestionGone:
            return words.ENDED.format(title=title, how=rules.NO_LONGER_OPEN)
        except BatonError:
            return title
        return words.ENDED.format(title=title, how=rules.describe_answer(ended))
