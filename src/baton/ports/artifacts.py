"""Where packets are kept as files, beside the store."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol


class Artifacts(Protocol):
    def write(self, session_id: str, markdown: str, twin: Mapping[str, Any]) -> str:
        """Keeps a packet and its machine-readable twin; returns the packet's path below the workspace.

        Both are there whole or not at all, readable by their owner only. Raises `PacketNotSaved`.
        """
        ...
