"""A new Baton in place of this process: it takes over the terminal.

It replaces this program under the same process id. If this one started it as a child and left, the shell would take
the terminal back.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import NoReturn

FLAG_KEYS = {"model": "model", "mode": "agent.mode", "color": "ui.color"}
"""The keys of the configuration that have an option of their own."""


def replace_process(words: Sequence[str]) -> NoReturn:
    """`baton WORDS`, by the Python that runs this."""
    sys.stdout.flush()
    sys.stderr.flush()
    os.execv(sys.executable, [sys.executable, "-m", "baton", *words])  # noqa: S606


def agent_words(model: str | None, mode: str | None, flags: Sequence[str] = (), color: str | None = None) -> list[str]:
    """The options of this process that hold for the next one too; what has an option of its own comes before what
    `--set` says of the same key.
    """
    named = {"model": model, "mode": mode, "color": color}
    covered = {FLAG_KEYS[name] for name, given in named.items() if given}
    left = [pair for pair in flags if pair.partition("=")[0] not in covered]
    return [f"--{name}={given}" for name, given in named.items() if given] + [f"--set={pair}" for pair in left]
