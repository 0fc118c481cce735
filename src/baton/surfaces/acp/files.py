"""The client's files, for tools that run in threads."""

from __future__ import annotations

import asyncio
from concurrent.futures import TimeoutError as LateError
from typing import TYPE_CHECKING

from baton.surfaces.acp.frames import Json, RpcError
from baton.surfaces.acp.peer import Gone

if TYPE_CHECKING:
    from baton.surfaces.acp.client import Line

SECONDS = 10.0


class EditorFiles:
    """Implements `ports.editor.Editor` over a session's line."""

    def __init__(self, line: Line) -> None:
        self._line = line
        self._loop = asyncio.get_running_loop()

    def read(self, path: str) -> str | None:
        if not self._line.can.reads:
            return None
        try:
            content = self._ask("fs/read_text_file", {"path": path}).get("content")
        except OSError:
            return None
        return content if isinstance(content, str) else None

    def write(self, path: str, text: str) -> bool:
        if not self._line.can.writes:
            return False
        self._ask("fs/write_text_file", {"path": path, "content": text})
        return True

    def _ask(self, method: str, params: Json) -> Json:
        asking = asyncio.run_coroutine_threadsafe(self._line.ask(method, params), self._loop)
        try:
            return asking.result(SECONDS)
        except RpcError as error:
            raise OSError(f"the editor refused: {error.message}") from None
        except (Gone, LateError):
            asking.cancel()
            raise OSError("the editor did not answer") from None
