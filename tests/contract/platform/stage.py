"""What the contract suite needs of a platform's stage: a server, a person with a client, and a way to make trouble.

One stage per platform, in `tests/support/platforms/<name>/stage.py`, registered in `tests/contract/platform/stages.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import TracebackType
from typing import Protocol

from baton.core.transfer.place import Place
from baton.ports.platform import Platform


class Stage(Protocol):
    """Use as `async with`: starts the server, or joins one that runs for the whole session."""

    name: str
    lacks: Mapping[str, str]
    """Checks that cannot be made here, each with the reason that is printed: the check's name → why."""

    room: Place
    """The owner's room, where the bot may speak and can open threads if the platform has them."""

    group: Place | None
    """A room with the owner, the stranger and the bot; None where the platform has none."""

    owner: str
    stranger: str
    """Identities, as `Inbound.sender` has them."""

    async def __aenter__(self) -> Stage: ...

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    def platform(self) -> Platform:
        """A new adapter with the same account and the same state: what a restarted gateway would have."""
        ...

    def imposter(self) -> Platform:
        """An adapter whose credentials are wrong."""
        ...

    def settings(self) -> Mapping[str, object]:
        """What stands under `gateway.<name>` in a configuration that reaches this stage."""
        ...

    async def says(self, place: Place, text: str, *, sender: str = "", file: tuple[str, bytes] | None = None) -> str:
        """A person (the owner if not named) writes; gives back the id `Inbound.id` will have."""
        ...

    async def presses(self, place: Place, receipt: str, choice: str) -> None:
        """The owner presses a button of one of our messages."""
        ...

    async def redeliver(self, message_id: str) -> None:
        """The platform delivers an earlier message once more."""
        ...

    async def texts(self, place: Place) -> list[str]:
        """What a person sees of our messages in this place, in order, as plain text after all edits."""
        ...

    async def files(self, place: Place) -> list[tuple[str, bytes]]:
        """The files we sent there."""
        ...

    async def typed(self, place: Place) -> int:
        """How often typing was shown."""
        ...

    async def limit(self, times: int, after: float) -> None:
        """The next `times` sends are refused for now, with a delay of `after` seconds to respect."""
        ...

    async def fail(self, times: int) -> None:
        """The next `times` sends end in an internal error of the platform, and nothing is accepted."""
        ...

    async def swallow(self, times: int) -> None:
        """The next `times` sends are accepted and shown, and the answer never comes."""
        ...

    async def cut(self) -> None:
        """The connection for receiving is lost, and cannot be made again before `restore`."""
        ...

    async def restore(self) -> None: ...

    def violations(self) -> list[str]:
        """Everything in which a request or an answer broke the platform's published rules."""
        ...

    # More that only some stages have:
    #   chat: Place         a chat of the owner and the bot alone, where `room` is not one
    #   async leaves(place: Place, sender: str) -> None
    #                       somebody is no longer in the group
    #   calls: list[str]    what notifies one of its people, if it is sent as it is
    #   async called() -> list[str]
    #                       who was notified by name, or everybody, by a message of ours as the service got it
    #   async quotes(place: Place, quoted: str, text: str) -> str
    #                       the owner answers somebody's words with a text, as the platform's app does it; gives its id
    #   async forwards(place: Place, text: str) -> None
    #                       the owner passes on what somebody wrote
    #   async forge(how: str, text: str) -> int
    #                       somebody posts a message to our webhook whose signature is "wrong", "missing" or "replayed"
    #                       (a good one of another call); gives back the HTTP status of the answer
