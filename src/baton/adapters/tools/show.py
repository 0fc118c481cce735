"""Shows a file to the person, where the conversation is: in the chat, the editor or the terminal.

The tool says which file, and what it held; the surface brings it there. What changed since is not shown.
"""

from __future__ import annotations

import mimetypes
import os
from collections.abc import Mapping
from typing import Any

from baton.adapters.files import opening
from baton.adapters.files.workspace import Workspace, outside_paths
from baton.adapters.tools import specs
from baton.adapters.tools.arguments import check
from baton.adapters.tools.intents import IntendedPath
from baton.core.agent.shown import MOST, ShownFile
from baton.core.display import one_line
from baton.core.errors import ToolError
from baton.engine.aio import finish_in_thread
from baton.ports.tool import READ, Intent, Outcome, Output

_CAPTION = 300
_PICTURES = ((b"\x89PNG\r\n\x1a\n", "image/png"), (b"\xff\xd8\xff", "image/jpeg"), (b"GIF8", "image/gif"))
_PROGRAMS = (b"\x7fELF", b"MZ", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe")
_ANY = "application/octet-stream"
DONE = "{path} is shown to the person ({kind}, {size:,} bytes)."


class Show:
    """A regular file of at most `MOST` bytes, and no program. Outside of the workspace it is asked for."""

    spec = specs.spec(
        "show",
        "Show a file or picture to the person, in their chat, editor or terminal. To look at a file yourself use read.",
        ["path"],
        path=specs.path("The file, relative to the workspace."),
        caption=specs.text("A line that goes with it.", most=_CAPTION),
    )

    def __init__(self, workspace: Workspace) -> None:
        self._path = IntendedPath(workspace, self.spec.name)

    async def intent(self, args: Mapping[str, Any]) -> Intent:
        checked = check(self.spec, args)
        target = await finish_in_thread(lambda: self._path.intend(args, checked["path"]))
        return Intent(f"Show {one_line(target.shown, 200)}", READ, outside=outside_paths(target, writes=False))

    async def run(self, args: Mapping[str, Any], output: Output) -> Outcome:
        del output
        checked = check(self.spec, args)
        return await finish_in_thread(lambda: self._show(args, checked))

    def _show(self, args: Mapping[str, Any], checked: Mapping[str, Any]) -> Outcome:
        target = self._path.take(args, checked["path"])
        with opening.as_tool_errors(self.spec.name, target.shown):
            found = opening.read(target.real, MOST)
        self._check(target.shown, found)
        name, caption = os.path.basename(target.real), one_line(str(checked.get("caption") or ""), _CAPTION)
        kind = media_type(name, found.data)
        shown = ShownFile(target.real, one_line(name, 200), kind, len(found.data), found.digest, caption)
        text = DONE.format(path=target.shown, kind=kind, size=shown.size)
        return Outcome(text, details={"path": target.shown, **shown.details()})

    def _check(self, shown: str, found: opening.Content) -> None:
        reason = ""
        if not found.whole:
            reason = f"it has {found.size:,} bytes; at most {MOST:,} can be shown"
        elif not found.data:
            reason = "it is empty"
        elif found.data.startswith(_PROGRAMS):
            reason = "it is a program"
        if reason:
            raise ToolError(tool=self.spec.name, reason=f"{shown}: {reason}")


def media_type(name: str, data: bytes) -> str:
    """By what the file holds if it is a picture, otherwise by its name."""
    for start, kind in _PICTURES:
        if data.startswith(start):
            return kind
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    guessed = mimetypes.guess_type(name)[0] or ""
    return _ANY if not guessed or guessed.startswith("image/") else guessed
