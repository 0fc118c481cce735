"""The daemon's stream of events, cut into events."""

from __future__ import annotations

_MOST = 4_000_000


class Events:
    """Server-sent events from bytes as they come. One that is too large is passed over; comments are not events."""

    def __init__(self) -> None:
        self._rest = b""
        self._data: list[bytes] = []
        self._held = 0

    def feed(self, more: bytes) -> list[bytes]:
        """The data of the events that are complete now."""
        *lines, self._rest = (self._rest + more).split(b"\n")
        if len(self._rest) > _MOST:
            self._rest, self._held = b"", _MOST + 1
        return [each for line in lines if (each := self._line(line.removesuffix(b"\r"))) is not None]

    def _line(self, line: bytes) -> bytes | None:
        if not line:
            data, whole = b"\n".join(self._data), self._held <= _MOST
            self._data, self._held = [], 0
            return data if data and whole else None
        if line.startswith(b"data:"):
            self._held += len(line)
            if self._held <= _MOST:
                self._data.append(line[5:].removeprefix(b" "))
        return None
