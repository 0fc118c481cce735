"""Starting at the same instant in several processes."""

from __future__ import annotations

import time


def spin_until(instant: float) -> None:
    """`instant` is on the monotonic clock, which all processes of a machine share."""
    while time.monotonic() < instant:
        pass
