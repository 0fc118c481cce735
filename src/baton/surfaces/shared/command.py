"""A slash command as a row of the table: what it is called, where it exists, and how it is run there."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Literal, Protocol

from baton.core.transfer.letter import Letter
from baton.core.value import value
from baton.surfaces.shared.chat import Chat

if TYPE_CHECKING:
    from baton.core.log.conversation import Conversation
    from baton.core.transfer.place import Place

Act = Literal[
    "",
    "quit",
    "help",
    "pick-conversation",
    "pick-model",
    "agent",
    "renamed",
    "redraw",
    "undone",
    "transcript",
    "review",
    "transfer",
]
Run = Callable[[Chat, str], Awaitable["Reply"]]
RunInChannel = Callable[["Channel", "Asked"], Awaitable[Letter]]


@value
class Reply:
    """Text for the user. `act` is what only the surface can do: quit, show help, let the user pick a conversation or a
    model, show that the agent or the title changed, redraw (after an undo, too) or show the transcript, review a
    draft, wait for a transfer; `subject` is the id of the draft or transfer.
    """

    text: str = ""
    act: Act = ""
    subject: str = ""


@value
class Asked:
    """A command in a channel: what follows its name, where it was given and by whom, and the conversation that the
    place speaks for.
    """

    rest: str
    place: Place
    bound: Conversation | None
    sender: str


class Channel(Protocol):
    """What a channel does in its own way. The gateway implements it; the table says for which command."""

    def chat(self, bound: Conversation | None) -> Chat:
        """The chat of the place's conversation; `BadInput` if it speaks for none."""
        ...

    async def status(self, asked: Asked) -> Letter: ...

    async def stop(self, asked: Asked) -> Letter: ...

    async def hand_off(self, asked: Asked) -> Letter: ...

    async def list_conversations(self, asked: Asked) -> Letter: ...

    async def resume(self, asked: Asked) -> Letter: ...

    async def begin(self, asked: Asked) -> Letter: ...

    async def set_home(self, asked: Asked) -> Letter: ...


@value
class Command:
    """One row: a command exists in terminals, in editors unless these do it `by_editor`, and in channels if it is
    `in_channels`. There it is run by the channel itself (`channel`), or else with a chat, as everywhere.
    """

    name: str
    usage: str
    summary: str
    run: Run
    in_channels: bool = False
    channel: RunInChannel | None = None
    repeatable: bool = False
    """Whether it may be run again after an interruption: once or twice is the same."""
    aliases: tuple[str, ...] = ()
    """Other names for it in channels."""
    by_editor: str = ""
    """How an editor's user does it without the command."""

    @property
    def complete(self) -> bool:
        """Whether it can be run without an argument."""
        rest = self.usage.partition(" ")[2]
        return not rest or rest.startswith("[")

    async def run_in_channel(self, channel: Channel, asked: Asked) -> Letter:
        """The answer, as a letter to the place; `BadInput` if it needs a conversation and there is none."""
        if self.channel is not None:
            return await self.channel(channel, asked)
        return Letter((await self.run(channel.chat(asked.bound), asked.rest)).text)
