"""How Baton may work here: what a first start and `baton setup` offer, in words and as a port that wiring fills."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from baton.core.value import value

KEY, SERVER, DEMO = "key", "server", "demo"


@value
class Way:
    """One row. `models` are what it could be; none means that it cannot be chosen now."""

    kind: str
    title: str
    about: str
    models: tuple[str, ...] = ()


@value
class KeyProvider:
    """A provider that wants a key: the variable it is read from, and the model that stands for it."""

    name: str
    variable: str
    model: str


class Setup(Protocol):
    """`list_ways` looks for servers on this machine and takes a moment."""

    def list_ways(self) -> Sequence[Way]: ...

    def list_providers(self) -> Sequence[KeyProvider]: ...

    async def try_model(self, model: str, variable: str = "", key: str = "") -> str:
        """Why the model does not answer; empty if it does. Nothing is kept."""
        ...

    def keep(self, model: str, variable: str = "", key: str = "") -> str:
        """Makes the model the one to use, and the key one to know. Returns the file of the key, if one was given."""
        ...
