"""What the editor surface needs from the rest. Wiring implements it; nothing is built before it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from baton.core.value import value

if TYPE_CHECKING:
    from baton.ports.approver import Approver
    from baton.ports.editor import Editor
    from baton.ports.store import Store
    from baton.ports.terminal import Terminals
    from baton.surfaces.acp.params import Opening
    from baton.surfaces.shared.chat import Chat


@value
class Defaults:
    """The settings of a directory before anything is chosen. `models` are those that can be used."""

    model: str
    mode: str
    models: Sequence[str]


@value
class EditorPorts:
    """What the editor answers for: whether a call may run, its files and its terminals."""

    approver: Approver
    editor: Editor | None
    terminals: Terminals | None


@value
class Setup:
    """What a session's agent is made of. `say` is called with the progress of pulling a model, from any thread."""

    opening: Opening
    model: str
    mode: str
    ports: EditorPorts
    say: Callable[[str], None]


class Host(Protocol):
    """All methods may block for a moment and are called in threads, except `chat`."""

    def store(self) -> Store: ...

    def defaults(self, directory: str) -> Defaults:
        """`BadConfig` if a configuration file that applies there is wrong."""
        ...

    def usable(self, model: str) -> bool: ...

    def check_login(self) -> None:
        """`MissingKey` if the model that would be used has no key."""
        ...

    def prepare(self) -> None:
        """Imports what `chat` and the first prompt need."""
        ...

    async def chat(self, setup: Setup) -> Chat: ...
