"""What the author of a synthetic transcript planted in it, as its sidecar says."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Planted:
    """`revoked` are demands, each with the message that took it back; `absent` is what only dead branches hold.

    `demands` were never taken back.
    """

    canaries: tuple[str, ...] = ()
    revoked: tuple[tuple[str, str], ...] = ()
    absent: tuple[str, ...] = ()
    demands: tuple[str, ...] = ()


def read_planted(path: Path) -> Planted:
    held: dict[str, Any] = json.loads(path.read_text())
    revoked = dict(held.get("revoked", {}))
    lists = (tuple(held.get(name, ())) for name in ("absent", "constraints"))
    return Planted(tuple(held.get("canaries", ())), tuple(revoked.items()), *lists)
