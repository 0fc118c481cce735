"""The one table of slash commands, in an editor: which make sense there, and what they say in words."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from baton.core.errors import BadInput
from baton.surfaces.acp.frames import Json
from baton.surfaces.shared import commands

if TYPE_CHECKING:
    from baton.surfaces.shared.chat import Chat
    from baton.surfaces.shared.commands import Reply

ELSEWHERE = {
    "quit": "Close the thread in your editor; nothing is lost.",
    "stop": "Your editor's own stop does it, also while a command waits.",
    "sethome": "Send /sethome in the chat or channel that should be home.",
    "new": "A new thread in your editor begins a new conversation.",
    "resume": "Your editor's list of threads opens another conversation; `baton resume` does in a terminal.",
}
TRANSCRIPT = "`baton sessions show {id} --all` prints everything ever said here; loading this thread shows it too."


def available() -> Json:
    """The commands as an update."""
    shown = [each for each in commands.COMMANDS if each.name not in ELSEWHERE]
    return {"sessionUpdate": "available_commands_update", "availableCommands": [_command(each) for each in shown]}


def _command(each: commands.Command) -> Json:
    hint = each.usage.partition(" ")[2]
    return {"name": each.name, "description": each.summary, **({"input": {"hint": hint}} if hint else {})}


def find(text: str) -> tuple[commands.Command, str] | None:
    """The command that a prompt is, with its argument; None for an ordinary prompt."""
    return commands.find(text.strip()) if text.lstrip().startswith("/") else None


async def run(chat: Chat, command: commands.Command, rest: str) -> Reply:
    if command.name in ELSEWHERE:
        raise BadInput(reason=ELSEWHERE[command.name])
    if command.name == "export":
        rest = os.path.join(chat.agent.workspace, rest or f"{chat.current().id}.jsonl")
    reply = await command.run(chat, rest)
    if reply.act == "transcript":
        return commands.Reply(TRANSCRIPT.format(id=chat.current().id))
    return reply
