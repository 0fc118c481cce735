"""Commands in an editor, and handoffs above all: reviewed there, and gone on with in the same thread."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from baton.core.errors import BatonError
from baton.surfaces import handoffs
from baton.surfaces.acp import slash, updates
from baton.surfaces.acp.review import CANCEL, LATER, START, Decision, decide

if TYPE_CHECKING:
    from baton.surfaces.acp.following import Following
    from baton.surfaces.acp.frames import Json
    from baton.surfaces.acp.session import Session
    from baton.surfaces.chat import Chat
    from baton.surfaces.commands import Command, Reply
    from baton.surfaces.handoffs import Review

STARTED = (
    "Fresh session {session}. It began from the packet {path}.\n\n"
    "This thread goes on in it: say what is next, or just “{prompt}”\n\n"
    "In a client that cannot go on here, open a new thread and paste:\n\n"
    "```text\nRead {path} and go on with the work described there. "
    "Look at the live state of the workspace before you change anything.\n```"
)
KEPT = "Cancelled. The session goes on as it was. The packet is {path}."
WAITS = (
    "The draft waits for an answer; the session goes on as it was. The packet is {path}.\n\n"
    "`baton handoff --confirm {draft}` starts the fresh session, `/handoff` writes a new packet."
)
CONTINUE = "Continue in the fresh session"


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
        return await self._review(review) != LATER

    @staticmethod
    def action(session_id: str) -> Json:
        """What a client may offer as a button: a prompt to this very session."""
        return {"label": CONTINUE, "sessionId": session_id, "prompt": handoffs.CONTINUE}

    async def _reply(self, command: Command, reply: Reply) -> None:
        if reply.act == "review":
            await self._review(await handoffs.review(self._chat, reply.draft))
            return
        if reply.text:
            self._following.answer(_fenced(reply.text))
        if command.name == "fresh":
            await self._started(self._chat.current().head_id)
        await self._sync(command)

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
            session = await handoffs.start(self._chat, review.draft_id)
            await self._started(session.id, review.path)
        return decision.what

    async def _started(self, session_id: str, path: str = "") -> None:
        """The visible end of a handoff: the packet, what happens next, and text for a client that cannot switch."""
        await self._following.caught_up()
        first = await asyncio.to_thread(self._chat.store.entries.load, session_id, limit=1)
        path = path or str(first[0].data.get("path", ""))
        words = STARTED.format(session=session_id, path=path, prompt=handoffs.CONTINUE)
        action = self.action(self._session.line.session_id)
        self._following.answer(words, {"baton": {"packetPath": path, "continue": action}})


def _fenced(words: str) -> str:
    """Columns stay columns where an editor draws Markdown."""
    return f"```text\n{words}\n```" if "\n" in words else words
