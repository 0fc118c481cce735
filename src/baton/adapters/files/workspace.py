"""The directory an agent works in, and where a path given by a model leads.

Every link and `..` in a path is followed before anything is decided about it: `locate` returns the real path. Whatever
then opens it walks exactly that path without following links (`opening`), so a link swapped in afterwards leads
nowhere.
"""

from __future__ import annotations

import os
from pathlib import Path

from baton.adapters.files.powerful import is_powerful
from baton.core.display import one_line, spell_name
from baton.core.errors import ToolError
from baton.core.value import value

LOGS = os.path.join(".baton", "logs")


@value
class Target:
    """Where a path leads: `real` is absolute and free of links, `shown` is what people and models are told. Writing to
    what is `powerful` makes programs act, so it counts as reaching outside.
    """

    real: str
    shown: str
    inside: bool
    powerful: bool


class Workspace:
    """`root` is the real path of the directory."""

    def __init__(self, root: str | Path) -> None:
        self.root = os.path.realpath(root)

    def locate(self, tool: str, path: str) -> Target:
        """Where `path`, relative to the root, leads now; it need not exist. `ToolError` for what cannot be a path."""
        try:
            os.fsencode(path)
            expanded = os.path.expanduser(path) if path == "~" or path.startswith("~/") else path
            real = os.path.realpath(os.path.join(self.root, expanded))
            os.fsencode(real)
            if "\0" in path:
                raise ValueError
        except (ValueError, RuntimeError):
            raise ToolError(tool=tool, reason=f"{one_line(repr(path), 80)} cannot be a path") from None
        except OSError as error:
            raise ToolError(tool=tool, reason=f"{one_line(path, 80)}: {error.strerror}") from None
        return self.target(real)

    def target(self, real: str) -> Target:
        """The target for a path that is already real."""
        inside = real == self.root or real.startswith(self.root.rstrip("/") + "/")
        below = os.path.relpath(real, self.root) if inside else ""
        return Target(real, spell_name(below if inside else real), inside, inside and is_powerful(real, self.root))


def outside_paths(target: Target, *, writes: bool) -> tuple[str, ...]:
    """What an intent has to name: the path, if it leaves the workspace or if writing there could make programs act."""
    return () if target.inside and not (writes and target.powerful) else (target.shown,)
