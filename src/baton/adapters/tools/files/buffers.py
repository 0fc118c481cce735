"""Files as an editor has them: what is typed there and not saved yet is what a tool reads and changes.

The disk stays the truth about what a file is (a link, a device, bytes that are no text, too large): the editor is only
asked about text files of the workspace, and believed only where its text differs.
"""

from __future__ import annotations

from collections.abc import Callable

from baton.adapters.tools.files import opening
from baton.adapters.tools.files.media import not_text
from baton.adapters.tools.workspace import Target
from baton.core.value import replace
from baton.ports.editor import Editor


class Buffers:
    """Without an `editor` everything is as on the disk."""

    def __init__(self, editor: Editor | None) -> None:
        self._editor = editor

    def of(self, target: Target) -> Callable[[opening.Content], opening.Content]:
        return lambda content: self.newer(target, content)

    def newer(self, target: Target, content: opening.Content) -> opening.Content:
        """The content of a file as the editor has it, which is mostly what is on the disk."""
        if self._editor is None or not target.inside or not content.whole or not_text(content.data[:65_536]):
            return content
        held = self._editor.read(target.real)
        if held is None or _same(held, content.data):
            return content
        data = held.encode("utf-8", "replace")
        return replace(content, data=data, size=len(data))

    def write(self, target: Target, before: opening.Content | None, after: bytes) -> bool:
        """Lets the editor change the file. False if it does not, and the disk must be written. Raises `OSError`."""
        if self._editor is None or not target.inside or target.powerful or not_text(after):
            return False
        if before is not None and not_text(before.data):
            return False
        opening.check_standing(target.real, missing=before is None)
        return self._editor.write(target.real, after.decode())


def _same(held: str, data: bytes) -> bool:
    """Editors show neither a mark at the beginning nor how lines end."""
    disk = data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")
    return held == disk or held.replace("\r\n", "\n") == disk.replace("\r\n", "\n")
