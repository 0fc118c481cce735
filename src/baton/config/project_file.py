"""What the file of a project may set: the one list.

Such a file comes with a repository, so it may be anybody's. It may set what is harmless in anybody's hands: how things
look. Every other key is yours alone, and so is a new one until it is put here. What a project file may not set, and
whatever else is wrong with it, is ignored with a warning: an error would let any repository keep you from working in
it.
"""

from __future__ import annotations

import os
from pathlib import Path

MAY_SET = frozenset({"ui.color", "ui.pager"})
LARGEST = 100_000
"""Bytes: more than every key with a comment of its own takes, and read in a blink whatever it holds."""


def leads_out(file: Path) -> bool:
    """Whether a link puts this file, of the directory `.baton` of a project, outside of the project."""
    project = os.path.realpath(file.parent.parent)
    return not Path(os.path.realpath(file)).is_relative_to(project)
