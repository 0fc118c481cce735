"""A message of the inbox, as the desk reads it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from baton.core.transfer.authority import OWNER
from baton.core.transfer.place import Place
from baton.core.value import value


@value
class Message:
    key: str
    place: Place
    body: Mapping[str, Any]
    attempts: int

    @property
    def text(self) -> str:
        return str(self.body.get("text", ""))

    @property
    def owner(self) -> bool:
        return self.body.get("role") == OWNER

    @property
    def choice(self) -> str:
        return str(self.body.get("choice", ""))
