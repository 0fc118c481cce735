"""The one table of slash commands, in an editor: which make sense there, and what they answer."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from baton.core.errors import BadInput, BatonError
from baton.core.transfer.transfer import COMPLETED, FAILED
from baton.surfaces.acp import updates
from baton.surfaces.shared import commands, wording
from baton.surfaces.shared.command import Command, Reply
from baton.surfaces.shared.stopping import stop_elsewhere
from baton.surfaces.words import editor as words

if TYPE_CHECKING:
    from baton.surfaces.acp.event_view import EventView
    from baton.surfaces.acp.frames import Json
    from baton.surfaces.acp.session import Session
    from baton.surfaces.shared.chat import Chat


def available_commands() -> Json:
    """The update that names the commands."""
    shown = [each for each in commands.COMMANDS if not each.by_editor]
    return {"sessionUpdate": "available_commands_update", "availableCommands": [_command(each) for each in shown]}


def _command(each: Command) -> Json:
    hint = each.usage.partition(" ")[2]
    return {"name": each.name, "description": each.summary, **({"input": {"hint": hint}} if hint else {})}


def find(text: str) -> tuple[Command, str] | None:
    """The command in a prompt, with its argument; None for an ordinary prompt."""
    return commands.find(text.strip()) if text.lstrip().startswith("/") else None


class Commands:
    """Runs the commands of one session. Replies and refusals are messages in the thread."""

    def __init__(self, session: Session, chat: Chat, view: EventView) -> None:
        self._session = session
        self._chat = chat
        self._view = view

    async def run(self, command: Command, rest: str) -> str:
        """Returns the prompt's stop reason."""
        try:
            reply = await self._run(command, rest)
            await self._view.catch_up()
            await self._show(reply)
        except BatonError as error:
            await self._view.catch_up()
            self._view.close_open()
            self._view.answer(str(error))
        return "end_turn"

    async def _run(self, command: Command, rest: str) -> Reply:
        if command.name == "stop" and not self._chat.busy:
            return Reply(await stop_elsewhere(self._chat.store, self._chat.conversation))
        if command.by_editor:
            raise BadInput(reason=command.by_editor)
        if command.name == "export":
            rest = os.path.join(self._chat.agent.workspace, rest or f"{self._chat.current().id}.jsonl")
        reply = await command.run(self._chat, rest)
        if reply.act == "transcript":
            return Reply(words.TRANSCRIPT.format(id=self._chat.current().id))
        return reply

    async def _show(self, reply: Reply) -> None:
        if reply.act == "review":
            from baton.surfaces.acp.handoff import HandoffReview

            await HandoffReview(self._session.line, self._chat, self._view).review(reply.subject)
        elif reply.act == "transfer":
            await self._watch_transfer(reply.subject)
        else:
            if reply.text and reply.act != "redraw":
                self._view.answer(_fence(reply.text))
            self._sync(reply)

    async def _watch_transfer(self, transfer_id: str) -> None:
        """Until it is over. The editor's thread stays open; loading it later shows what was said elsewhere."""
        from baton.engine.transfer import moves

        shown = ""
        async for transfer in moves.observe(self._chat.store, transfer_id):
            place = wording.platform_of(transfer)
            if transfer.state == COMPLETED:
                self._view.answer(words.MOVED.format(place=place))
            elif transfer.state == FAILED:
                self._view.answer(wording.describe_failure(transfer))
            elif transfer.step != shown:
                shown = transfer.step
                self._view.say(words.MOVING.format(place=place, step=wording.describe_step(transfer)))

    def _sync(self, reply: Reply) -> None:
        """Sends the editor what a command changed, in the forms the editor stores."""
        session = self._session
        if reply.act == "renamed":
            session.use_title(self._chat.current())
        elif reply.act in ("agent", "pick-model"):
            session.line.send(updates.mode(session.choices.mode))
            session.line.send(updates.options(session.choices.options()))


def _fence(text: str) -> str:
    """Keeps columns aligned where an editor draws Markdown."""
    return f"```text\n{text}\n```" if "\n" in text else text
