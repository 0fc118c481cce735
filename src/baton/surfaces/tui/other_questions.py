"""Questions of this conversation that another surface asked: shown here too, and answered here if that comes first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from baton.core.agent import question as rules
from baton.core.agent.question import TERMINAL, Question
from baton.core.errors import AnsweredAlready, BatonError, QuestionGone
from baton.core.log.owner import describe_owner
from baton.engine.aio import in_thread
from baton.engine.handoff.handoff import stands
from baton.engine.turns import questions
from baton.surfaces.tui.approval import ApprovalView
from baton.surfaces.words import chat as words

if TYPE_CHECKING:
    from baton.core.handoff.packet import Draft
    from baton.ports.approver import Answer
    from baton.surfaces.shared.chat import Chat
    from baton.surfaces.tui.app import ChatApp


class OtherQuestions:
    """Looks at the store whenever it is asked to; draws what is new and takes back what has ended."""

    def __init__(self, app: ChatApp, chat: Chat) -> None:
        self._app = app
        self._chat = chat
        self._shown: dict[str, tuple[Question, ApprovalView]] = {}
        self._answered: set[str] = set()
        """Given here: a look that began before must not show them again."""
        self._drafts: set[str] = set()

    async def look(self, conversation_id: str) -> None:
        store = self._chat.store
        found = {each.handle: each for each in await in_thread(questions.list_open, store, conversation_id)}
        for handle, (question, view) in tuple(self._shown.items()):
            if handle not in found:
                del self._shown[handle]
                await self._close(question, view)
        for handle, question in found.items():
            shown = handle in self._shown and self._shown[handle][1].is_attached
            if not shown and handle not in self._answered:
                await self._show(question)
        await self._look_at_drafts(conversation_id)

    def note_draft(self, draft_id: str) -> None:
        """It is known here already: it was made here, or is being shown."""
        self._drafts.add(draft_id)

    async def answer(self, handle: str, given: Answer) -> bool:
        """False if the question is not one of another surface."""
        if handle not in self._shown:
            return False
        self._answered.add(handle)
        question, view = self._shown.pop(handle)
        asked = view.question
        await view.remove()
        try:
            done = await in_thread(self._give, question, given)
        except BatonError as error:
            await self._app.notice(f"{asked}: {error}", "warning")
        else:
            text = words.ANSWER_KEPT if done.kept else words.ANSWERED
            await self._app.notice(text.format(asked=asked, how=rules.describe_answer(done.question)))
        return True

    def _give(self, question: Question, given: Answer) -> questions.Given:
        store = self._chat.store
        return questions.answer(store, question, given.choice, where=TERMINAL, comment=given.comment)

    async def _show(self, question: Question) -> None:
        place = rules.describe_where(question.place.partition(":")[0])
        who = describe_owner(question.owner, capital=True)
        await self._app.notice((words.ASKED_IN if place else words.ASKED).format(who=who, place=place), "warning")
        view = ApprovalView(question.as_asked())
        self._shown[question.handle] = question, view
        await self._app.add(view)
        if not self._app.prompt.text:
            view.focus()
        self._app.bell()

    async def _close(self, question: Question, view: ApprovalView) -> None:
        asked = view.question
        if view.is_attached:
            await view.remove()
            self._app.prompt.focus()
        try:
            ended = await in_thread(questions.find, self._chat.store, question.conversation_id, question.handle)
            how = rules.describe_answer(ended)
        except (AnsweredAlready, QuestionGone):
            how = rules.NO_LONGER_OPEN
        await self._app.notice(words.ANSWERED.format(asked=asked, how=how))

    async def _look_at_drafts(self, conversation_id: str) -> None:
        """What a dialogue shows at this moment is known already."""
        for draft in await in_thread(self._list_drafts, conversation_id):
            if draft.id not in self._drafts:
                self._drafts.add(draft.id)
                if len(self._app.screen_stack) == 1:
                    await self._app.notice(words.PACKET_WAITS, "warning")
                    self._app.bell()

    def _list_drafts(self, conversation_id: str) -> list[Draft]:
        store = self._chat.store
        waiting = store.drafts.list_waiting(conversation_id)[-1:]
        head = store.conversations.get(conversation_id).head_id if waiting else ""
        return [draft for draft in waiting if stands(store, head, draft)]
