"""What the editor surface is given. Wiring builds it; nothing in it is made before somebody asks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from baton.core.value import value

if TYPE_CHECKING:
    from baton.ports.approver import Approver
    from baton.ports.editor import Editor
    from baton.ports.store import Store
    from baton.ports.terminal import Terminals
    from baton.surfaces.acp.params import GivenServer
    from baton.surfaces.shared.chat import Chat


@value
class Defaults:
    """What holds in a directory before anything is chosen. `models` are those that can be used here."""

    model: str
    mode: str
    models: Sequence[str]


@value
class Setup:
    """What a session's agent is made of. `say` is told how a model is being pulled, from any thread."""

    directory: str
    model: str
    mode: str
    servers: Sequence[GivenServer]
    approver: Approver
    editor: Editor | None
    terminals: Terminals | None
    say: Callable[[str], None]


class Host(Protocol):
    """Everything may block for a moment and is called in threads, except `chat`."""

    def store(self) -> Store: ...

    def defaults(self, directory: str) -> Defaults:
        """`BadConfig` if a configuration file that holds there is wrong."""
        ...

    def usable(self, model: str) -> bool: ...

    def check_login(self) -> None:
        """`MissingKey` if the model that would be used has no key."""
        ...

    def prepare(self) -> None:
        """Imports what `chat` needs."""
        ...

    async def chat(self, setup: Setup) -> Chat: ...
