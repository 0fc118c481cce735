"""A messaging platform: places where people talk, each behind the same small interface.

Promises of every implementation, checked by one contract suite:

- One function makes every `Place`, for what comes in and for what is opened: a reply in an opened thread comes from
  exactly the place that `open_thread` returned.
- `run` passes each message to the sink and acknowledges it to the platform only after the sink returned: what the sink
  did not keep is delivered again. Messages of a place come in order. Our own messages, and those of other bots and
  webhooks, never come.
- A `sender` is the platform's stable id of a person, never a name that can be changed.
- Nobody gets a say by being in a room: a room stands for a person only if `Abilities.fixed_chats` is declared.
- `send` says what happened. It returns: the message was accepted. `SendRefused`: it never will be. `SendLater`: it was
  not, and may be tried again. `SendUnsure`: nobody knows. Nothing is retried inside.
- A token or password is in no error, log line or address.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Sequence
from typing import Literal, Protocol

from baton.core.transfer.place import Place
from baton.core.value import value

Unit = Literal["chars", "utf16", "bytes"]
Once = Literal["key", "probe", "none"]


@value
class Abilities:
    """What a platform can do. The contract suite proves each claim.

    `limit` is the longest text of one message, in `unit`, as `Platform.size` counts it. `once` says how a message that
    may have been sent is not sent twice: the platform drops a `key` it knows, it can be asked with `find` (`probe`), or
    there is no way. `alone` where only one process may receive: a second would take the messages away from the first.
    `fixed_chats` where the members of a direct chat can never change, and its id never passes to somebody else: whoever
    writes there today is whoever wrote there yesterday.
    """

    limit: int
    unit: Unit
    once: Once
    threads: bool = False
    edits: bool = False
    typing: bool = False
    files: bool = False
    buttons: bool = False
    alone: bool = False
    fixed_chats: bool = False


@value
class File:
    """A file on a platform: `ref` is what the platform needs to fetch it, whenever that is."""

    ref: str
    name: str
    media_type: str = ""
    size: int = 0


@value
class Inbound:
    """A message of a person. `id` is the platform's own, the same when it is delivered again.

    `sender` is `platform:stable-id`. `name` is only for display. `direct` in a room of this person and us alone.
    `choice` is the value of a button they pressed, and `text` is empty then. `quotes` is the receipt of the message of
    ours that it answers, if any. Quoted and forwarded text is never part of `text`. What has neither words nor files is
    `odd`: one of `ODD`. An edited message comes once for each edit, with its whole new text: `corrects` is the `id` of
    the message it was, and it has no files.
    """

    id: str
    place: Place
    sender: str
    text: str
    direct: bool
    name: str = ""
    files: tuple[File, ...] = ()
    choice: str = ""
    quotes: str = ""
    odd: str = ""
    corrects: str = ""


ODD = ("sticker", "contact", "poll", "order", "other")
"""Kinds of messages that say nothing in words and are no files; whoever sends one is told so."""


@value
class Button:
    label: str
    choice: str
    """At most 60 bytes, plain ASCII."""


@value
class Upload:
    name: str
    media_type: str
    data: bytes


@value
class Outgoing:
    """Markdown, already within the limit, perhaps with buttons or one file. `text` may be empty only with a file."""

    text: str
    buttons: tuple[Button, ...] = ()
    file: Upload | None = None


Sink = Callable[[Inbound], Awaitable[bool | None]]
"""Returns once the message is kept, or known to be none of ours. True if it is kept under its id, so that nothing
happens if it comes again.
"""

Greeting = Sequence[tuple[str, str]]
"""Slash commands with their summaries, for platforms that list them."""


class PlatformState(Protocol):
    """Small texts a platform keeps between runs, such as how far it has read. May be called from any thread."""

    def get(self, key: str) -> str | None: ...

    def put(self, key: str, text: str) -> None: ...


class Platform(Protocol):
    @property
    def name(self) -> str: ...

    @property
    def abilities(self) -> Abilities: ...

    def size(self, text: str) -> int:
        """How much of the limit this Markdown takes once it is rendered."""
        ...

    def room(self, text: str) -> Place:
        """The place that a room's id in the configuration means, such as `777` or `C012`; `BadPlace` if none."""
        ...

    async def connect(self, commands: Greeting) -> str:
        """Logs in; returns our own name there. `BadCredentials` within seconds if that is refused, `SendLater` if the
        platform cannot be reached now.
        """
        ...

    async def run(self, sink: Sink) -> None:
        """Receives until cancelled, through any number of lost connections. Ends only with `BadCredentials`, or
        `SomebodyElse` if the platform serves one receiver and that is another. `connect` is called first.
        """
        ...

    async def send(self, place: Place, message: Outgoing, key: str) -> str:
        """The receipt: what `edit` and `quotes` know the message by."""
        ...

    async def find(self, place: Place, key: str) -> str | None:
        """The receipt of a message sent with this key, where `once` is `probe`."""
        ...

    async def edit(self, place: Place, receipt: str, message: Outgoing) -> None:
        """Replaces text and buttons. Replacing them by the same is harmless."""
        ...

    async def show_typing(self, place: Place) -> None:
        """Shows that an answer is being written, for a few seconds. May do nothing; raises only `SendLater`."""
        ...

    async def open_thread(self, room: Place, title: str, key: str) -> Place:
        """A fresh thread in a room, or the room itself if it has no threads. The same key gives the same thread, if the
        platform allows it.
        """
        ...

    async def check_reader(self, room: Place, people: Collection[str]) -> None:
        """Raises `SendRefused` with the reason if the platform knows that none of these senders can read there now:
        after they left, for instance. Returns if one can, or if the platform does not say.
        """
        ...

    async def fetch(self, file: File) -> bytes:
        """A file somebody sent. `SendRefused` if it is gone or too large."""
        ...

    async def close(self) -> None: ...
