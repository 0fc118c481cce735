"""Commands in an editor, and handoffs above all: reviewed there, and gone on with in the same thread."""

from __future__ import annotations

from typing import TYPE_CHECKING

from baton.core.errors import BatonError
from baton.core.transfer.transfer import COMPLETED, FAILED
from baton.engine.transfer import moves
from baton.surfaces.acp import slash, updates
from baton.surfaces.acp.review import CANCEL, LATER, START, Decision, decide
from baton.surfaces.shared import handoffs
from baton.surfaces.shared import wording as words

if TYPE_CHECKING:
    from baton.surfaces.acp.following import Following
    from baton.surfaces.acp.session import Session
    from baton.surfaces.shared.chat import Chat
    from baton.surfaces.shared.commands import Command, Reply
    from baton.surfaces.shared.handoffs import Review

KEPT = "Cancelled. The session goes on as it was. The packet is {path}."
WAITS = (
    "The draft waits for an answer; the session goes on as it was. The packet is {path}.\n\n"
    "`baton handoff --confirm {draft}` starts the fresh session, `/handoff` writes a new packet."
)


MOVING = "Moving to {place}: {step}…"
MOVED = "This conversation now lives in {place}. Write here any time to go on in the editor."


class Handing:
    def __init__(self, session: Session, chat: Chat, following: Following) -> None:
        self._session = session
        self._chat = chat
        self._following = following

    async def command(self, command: Command, rest: str) -> str:
        """Runs a slash command; what it says is a message, also when it is refused."""
        try:
            reply = await slash.run(self._chat, command, rest)
            await self._following.caught_up()
            await self._reply(command, reply)
        except BatonError as error:
            await self._following.caught_up()
            self._following.settle()
            self._following.answer(str(error))
        return "end_turn"

    async def asked(self) -> bool:
        """A turn was stopped to ask for a handoff. Whether it should go on, in the session that is live then."""
        offered = self._following.offered
        if offered is None:
            return False
        review = await handoffs.review(self._chat, offered.draft_id, offered.doubt, resumes=True)
        self._following.goes_on = True
        try:
            return await self._review(review) != LATER
        finally:
            self._following.goes_on = False

    async def _reply(self, command: Command, reply: Reply) -> None:
        if reply.act == "review":
            await self._review(await handoffs.review(self._chat, reply.subject))
            return
        if reply.act == "transfer":
            await self._moved(reply.subject)
            return
        if reply.text and command.name != "fresh":
            self._following.answer(_fenced(reply.text))
        await self._sync(command)

    async def _moved(self, transfer_id: str) -> None:
        """Watched until it is there; the editor's thread stays, and shows what was said elsewhere when it is loaded."""
        shown = ""
        async for transfer in moves.observe(self._chat.store, transfer_id):
            place = words.place(transfer)
            if transfer.state == COMPLETED:
                self._following.answer(MOVED.format(place=place))
            elif transfer.state == FAILED:
                self._following.answer(words.failed(transfer))
            elif transfer.step != shown:
                shown = transfer.step
                self._following.say(MOVING.format(place=place, step=words.step(transfer)))

    async def _sync(self, command: Command) -> None:
        """What a command changed, in the forms in which an editor keeps it."""
        session = self._session
        if command.name == "rename":
            session.titled(self._chat.current())
        elif command.name in ("mode", "model"):
            session.line.send(updates.mode(session.choices.mode))
            session.line.send(updates.options(session.choices.options()))

    async def _review(self, review: Review) -> str:
        decision = await decide(self._session.line, self._following, review)
        try:
            return await self._act(review, decision)
        finally:
            await self._following.caught_up()

    async def _act(self, review: Review, decision: Decision) -> str:
        if decision.what == LATER:
            self._following.answer(WAITS.format(path=review.path, draft=review.draft_id))
        elif decision.what == CANCEL:
            await handoffs.cancel(self._chat, review.draft_id)
            self._following.answer(KEPT.format(path=review.path))
        elif decision.what == START:
            if decision.packet:
                review = await handoffs.edit(self._chat, review.draft_id, decision.packet)
            await handoffs.start(self._chat, review.draft_id)
        return decision.what


def _fenced(words: str) -> str:
    """Columns stay columns where an editor draws Markdown."""
    return f"```text\n{words}\n```" if "\n" in words else words
