"""Handoffs in the terminal: progress while a packet is written, the review, and the switch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from baton.core.agent import event as events
from baton.core.errors import BatonError
from baton.core.handoff.rules.rule import PINNED, STANDING, TASK
from baton.engine.aio import in_thread
from baton.engine.turns.writer import count_context
from baton.surfaces.shared import handoffs, rules
from baton.surfaces.shared.wording import describe_context, describe_cost
from baton.surfaces.tui.replay import replay
from baton.surfaces.tui.screens import CANCEL, COMPARE, EDIT, RULES, START, Choice, PickScreen, ReviewScreen
from baton.surfaces.words import chat as words

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from baton.surfaces.shared.chat import Chat
    from baton.surfaces.shared.handoffs import Review
    from baton.surfaces.tui.app import ChatApp

SCOPES = {PINNED: words.SCOPE_PINNED, STANDING: words.SCOPE_STANDING, TASK: words.SCOPE_TASK}


class HandoffDialog:
    """`redraw` draws the conversation again after the head has moved."""

    def __init__(self, app: ChatApp, chat: Chat, redraw: Callable[[], Awaitable[None]]) -> None:
        self._app = app
        self._chat = chat
        self._redraw = redraw
        self._offered: events.HandoffOffered | None = None
        self._because = ""
        self._verified = ("", "")
        """What was found in which conversation, to be said again after its transcript was folded."""
        self.in_turn = False

    def begin_turn(self) -> None:
        self.in_turn, self._verified = True, ("", "")

    async def show_start(self, event: events.HandoffStarted) -> None:
        self._because = event.because
        await self._app.notice(words.CREATING.format(because=event.because))
        self._app.show_status(state=words.STATE_HANDOFF)

    async def show_step(self, event: events.HandoffStep) -> None:
        self._app.show_status(
            state=words.STATE_HANDOFF_STEP.format(step=event.step) if event.step else words.STATE_HANDOFF
        )

    async def show_packet(self, event: events.PacketWritten) -> None:
        if event.checkpoint:
            await self._app.notice(words.CHECKPOINT.format(ref=event.checkpoint))
        template = words.WRITTEN_CLEANED if event.secrets else words.WRITTEN
        told = template.format(path=event.path, tokens=event.tokens, share=event.share, secrets=event.secrets)
        cost = describe_cost(event.usage)
        await self._app.notice(f"{told} · {words.NARRATIVE_COST.format(cost=cost)}" if cost else told)

    async def keep_offer(self, event: events.HandoffOffered) -> None:
        """An offer that stopped the turn is shown when the turn has ended; one that was asked for, by whoever asked."""
        if event.resumes:
            self._offered = event

    async def show_end(self, event: events.HandoffEnded) -> None:
        if event.error:
            await self._app.notice(event.error, "error")
        elif event.after:
            if self.in_turn:
                await self._fold(event)
            await self._app.notice(describe_context(event.before, event.after))
        self._app.show_status(state=words.THINKING if self.in_turn else "")

    async def _fold(self, event: events.HandoffEnded) -> None:
        """The turn goes on in the fresh session: what was drawn of the last one becomes a line that opens."""
        head = await in_thread(self._chat.store.conversations.get, self._chat.current().id)
        entries = await in_thread(self._chat.store.entries.load, head.head_id)
        await self._app.transcript.clear()
        await replay(self._app, entries)
        told = words.FRESH.format(path=event.path, tokens=event.tokens)
        await self._app.notice(f"{self._because}. {told}" if self._because else told)

    async def show_verified(self, text: str) -> None:
        """How the workspace compares with the packet, and the next step: the first words of a fresh session."""
        if not self.in_turn and self._chat.conversation:
            self._verified = self._chat.conversation.id, text
        await self._app.notice(text)

    async def repeat_verified(self) -> None:
        """Says it again below a transcript that was drawn anew."""
        (conversation_id, text), self._verified = self._verified, ("", "")
        if text and self._chat.conversation and self._chat.conversation.id == conversation_id:
            await self._app.notice(text)

    async def reset_context(self, session_id: str) -> None:
        self._chat.tokens = await in_thread(count_context, self._chat.store, session_id)
        self._app.show_status(tokens=self._chat.tokens, compressions=0)

    async def end_turn(self) -> None:
        self.in_turn = False
        if self._offered is not None:
            offered, self._offered = self._offered, None
            self.show(await handoffs.review(self._chat, offered.draft_id, offered.doubt, resumes=True))

    def show(self, review: Review) -> None:
        self._app.bell()
        self._app.push_screen(ReviewScreen(review), lambda answer: self._on_answer(review, answer))

    def _on_answer(self, review: Review, answer: str | None) -> None:
        self._app.run_worker(self._act(review, answer or CANCEL), exclusive=False)

    async def _act(self, review: Review, answer: str) -> None:
        try:
            if answer == START:
                await self._start(review)
            elif answer == EDIT:
                self.show(await self._edit(review))
            elif answer == COMPARE:
                await self._compare(review)
            elif answer == RULES:
                await self._pick_rule(review)
            else:
                await handoffs.cancel(self._chat, review.draft_id)
                await self._app.notice(words.CANCELLED)
                await self._resume(review)
        except BatonError as error:
            await self._app.notice(str(error), "error")

    async def _compare(self, review: Review) -> None:
        from baton.surfaces.tui.screens import ReadScreen

        text = await handoffs.diff_with_last(self._chat, review) or words.FIRST_PACKET
        self._app.push_screen(ReadScreen(words.COMPARED, text), lambda _: self.show(review))

    async def _pick_rule(self, review: Review) -> None:
        if not review.rules:
            await self._app.notice(words.NO_RULES)
            self.show(review)
            return
        choices = [
            Choice(each.id, f"{each.number}  {each.text}", SCOPES[each.scope], f"{each.number} {each.text}")
            for each in review.rules
        ]
        self._app.push_screen(PickScreen(words.DROP_WHICH, choices), lambda chosen: self._on_rule(review, chosen))

    def _on_rule(self, review: Review, chosen: str | None) -> None:
        self._app.run_worker(self._drop_rule(review, chosen), exclusive=False)

    async def _drop_rule(self, review: Review, chosen: str | None) -> None:
        """Shows the review again, without the rule if one was chosen."""
        try:
            if chosen:
                await self._app.notice(rules.describe_drop(await rules.drop(self._chat, chosen)))
                review = await handoffs.review(self._chat, review.draft_id, review.doubt, resumes=review.resumes)
        except BatonError as error:
            await self._app.notice(str(error), "error")
        self.show(review)

    async def _edit(self, review: Review) -> Review:
        from baton.surfaces.shared.editor import edit_text

        with self._app.suspend():
            text = edit_text(review.markdown)
        return review if text == review.markdown else await handoffs.edit(self._chat, review.draft_id, text)

    async def _start(self, review: Review) -> None:
        await handoffs.start(self._chat, review.draft_id)
        await self._show_fresh(review.path, review.tokens)
        await self._resume(review)

    async def _show_fresh(self, path: str, tokens: int) -> None:
        await self._app.controller.view.catch_up()
        await self._redraw()
        await self._app.notice(words.FRESH.format(path=path, tokens=tokens))
        await self.repeat_verified()

    async def _resume(self, review: Review) -> None:
        """Continues work that was stopped for the question."""
        if review.resumes:
            await self._app.controller.go_on()
