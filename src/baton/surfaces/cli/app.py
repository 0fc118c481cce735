"""What commands are given. Wiring builds it; nothing in it is made before a command asks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from baton.config import Loaded
    from baton.ports.store import Store
    from baton.surfaces.cli.terminal import Terminal


class Mended(Protocol):
    """What a repair did, for people."""

    @property
    def sentences(self) -> tuple[str, ...]: ...

    def as_dict(self) -> dict[str, Any]: ...


class App(Protocol):
    @property
    def terminal(self) -> Terminal: ...

    def loaded(self) -> Loaded:
        """The configuration with where each value came from; `BadConfig` if it is wrong."""
        ...

    def store(self) -> Store: ...

    def store_location(self) -> str:
        """Where the store is or would be, without opening it; never with a password."""
        ...

    def repair(self) -> Mended: ...
