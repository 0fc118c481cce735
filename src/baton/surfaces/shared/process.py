"""A new Baton in place of this process: it takes over the terminal.

It replaces this program under the same process id. If this one started it as a child and left, the shell would take
the terminal back.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import NoReturn


def replace_process(words: Sequence[str]) -> NoReturn:
    """`baton WORDS`, by the Python that runs this."""
    sys.stdout.flush()
    sys.stderr.flush()
    os.execv(sys.executable, [sys.executable, "-m", "baton", *words])  # noqa: S606


def agent_words(model: str | None, mode: str | None) -> list[str]:
    """The options of this process that hold for the next one too."""
    return [*(["--model", model] if model else []), *(["--mode", mode] if mode else [])]
