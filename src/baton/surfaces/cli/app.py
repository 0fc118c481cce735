"""What a command works with. Wiring builds it; nothing in it is made before a command asks for it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from baton.core.value import value

if TYPE_CHECKING:
    from baton.config import Loaded
    from baton.engine.transfer.people import Directory
    from baton.engine.transfer.targets import Targets
    from baton.ports.approver import Approver
    from baton.ports.model import Pull
    from baton.ports.store import Finding, Progress, Store
    from baton.ports.workspace import LiveWorkspace
    from baton.surfaces.cli.terminal import Terminal
    from baton.surfaces.shared.chat import Chat, ModelOffer
    from baton.surfaces.shared.setup import Setup


class RepairReport(Protocol):
    """What a repair did, for people."""

    @property
    def sentences(self) -> tuple[str, ...]: ...

    def as_dict(self) -> dict[str, Any]: ...


class Exchange(Protocol):
    """One step of the editor agent's self-test. `error` is empty if it was answered as an editor needs it."""

    @property
    def method(self) -> str: ...
    @property
    def seconds(self) -> float: ...
    @property
    def error(self) -> str: ...
    @property
    def facts(self) -> Sequence[str]: ...

    def as_dict(self) -> dict[str, Any]: ...


@value
class LocalModel:
    """A model that can run inside Baton."""

    name: str
    bytes: int
    here: bool
    about: str
    path: str = ""


class LocalModels(Protocol):
    def list_models(self) -> list[LocalModel]: ...

    def plan_pull(self, name: str) -> Pull | None:
        """What `pull` would fetch, or None if the model is here. Asks nobody."""
        ...

    def pull(self, name: str, progress: Progress) -> LocalModel: ...

    def remove(self, name: str) -> int:
        """Bytes freed; `NotFound` if it is not here."""
        ...


class App(Protocol):
    @property
    def terminal(self) -> Terminal: ...

    def setup(self) -> Setup:
        """What Baton could work with here."""
        ...

    def load_config(self) -> Loaded:
        """The configuration with where each value came from; `BadConfig` if it is wrong."""
        ...

    def store(self) -> Store: ...

    def clean(self, text: str, conversation_id: str = "") -> str:
        """The text without secrets: those known here, and those that the conversation has shown."""
        ...

    def store_location(self) -> str:
        """Where the store is or would be, without opening it; never with a password."""
        ...

    def repair(self) -> RepairReport: ...

    async def chat(
        self, approver: Approver, *, surface: str, model: str | None, mode: str | None, workspace: str | None = None
    ) -> Chat:
        """A chat over the store and the agent of a workspace (default: this directory), ready for turns."""
        ...

    def tui(self, resume: str | None, *, model: str | None, mode: str | None, go_on: bool = False) -> int:
        """Runs the terminal chat until the user leaves. `resume` names a conversation; empty means: let the user pick.
        With `go_on` the agent continues the work at once.
        """
        ...

    def acp(self, *, model: str | None, mode: str | None, unstable: bool) -> int:
        """Serves an editor on standard input and output until that ends."""
        ...

    def check_acp(self, *, model: str | None, mode: str | None) -> Sequence[Exchange]:
        """Starts that agent in a process of its own and talks to it as an editor would."""
        ...

    def gateway(self, *, model: str | None, mode: str | None) -> int:
        """Hosts the messaging platforms until it is stopped."""
        ...

    def targets(self) -> Targets:
        """Where conversations can go, and the gateways that live."""
        ...

    def directory(self) -> Directory:
        """Who may speak on messaging platforms."""
        ...

    def describe_missing(self, platform: str) -> str:
        """The line that sets what a messaging platform still needs in the configuration here; empty if all is set."""
        ...

    def models(self) -> tuple[Sequence[ModelOffer], str]:
        """Every provider with whether it can be used here, and the model that is used now."""
        ...

    def checkup(self) -> Iterable[Finding]:
        """How the agent is set up: its model, the sandbox, MCP servers, the gateway. A silent server takes seconds."""
        ...

    def local_models(self) -> LocalModels: ...

    def workspace(self) -> LiveWorkspace:
        """The current directory as it is now, and its checkpoints."""
        ...
