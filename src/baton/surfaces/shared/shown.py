"""The content of a file that the agent shows, if it is still what was shown."""

from __future__ import annotations

import os
import stat
from hashlib import sha256
from typing import TYPE_CHECKING

from baton.core.agent.shown import MOST

if TYPE_CHECKING:
    from baton.core.agent.shown import ShownFile

_OPEN = os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC


def read_shown(shown: ShownFile) -> bytes | None:
    """None if it is gone or has changed: what was approved is shown, or nothing. Blocks for a moment."""
    try:
        with os.fdopen(os.open(shown.path, _OPEN), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                return None
            data = file.read(MOST + 1)
    except (OSError, ValueError):
        return None
    return data if sha256(data).hexdigest() == shown.sha256 else None
