"""A part of Baton that is not installed, asked about at a terminal: installed, and the command begins anew."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

from baton.config.extras import install_command, is_installed
from baton.surfaces.cli.question import can_ask, is_yes
from baton.surfaces.words import doctor as words

if TYPE_CHECKING:
    from baton.core.errors import MissingExtra
    from baton.surfaces.cli.terminal import Terminal


def offer_install(error: MissingExtra, terminal: Terminal) -> bool:
    """Whether the part is installed now. Asks only where somebody can answer."""
    name = str(error.facts["extra"])
    if not can_ask():
        return False
    terminal.err.write(words.EXTRA_QUESTION)
    terminal.err.flush()
    if not is_yes(sys.stdin.readline()):
        return False
    done = subprocess.run(install_command(name), stdout=sys.stderr, check=False)
    found = done.returncode == 0 and _is_found(name)
    terminal.note(words.EXTRA_INSTALLED if found else words.EXTRA_FAILED)
    return found


def _is_found(name: str) -> bool:
    import importlib

    importlib.invalidate_caches()
    return is_installed(name)
