"""Progress for whoever waits: one line at a time on standard error."""

from __future__ import annotations

import sys


def say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
