"""What a tool prints: shown while it comes, kept whole in a log when it is long, cut to head and tail for the model."""

from __future__ import annotations

import codecs
import time
from contextlib import suppress

from baton.adapters.tools.output.cleaner import Cleaner
from baton.adapters.tools.output.logs import Log, Logs
from baton.ports.tool import Output

LIMIT = 8_000
SHOWN = 200_000
_GLIMPSE = 400
_HEAD = 0.4
_EASY = bytes({9, 10, *range(0x20, 0x7F)})


class Capture:
    """Takes output in pieces; memory stays bounded whatever comes.

    Up to `limit` characters are the model's whole. With one more a log is begun that holds everything, and the model
    gets head, tail and the log's path. `output` is told each piece up to `SHOWN` characters, then a glimpse a second.
    """

    def __init__(self, logs: Logs, tool: str, limit: int = LIMIT, output: Output | None = None) -> None:
        self._logs = logs
        self._tool = tool
        self._limit = max(200, limit)
        self._output = output
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._cleaner = Cleaner()
        self._text = ""
        self._tail = ""
        self._total = 0
        self._glimpsed = 0.0
        self._log: Log | None = None
        self._trouble = ""

    @property
    def log(self) -> str | None:
        """The log's path below the workspace, if the output was long."""
        return self._log.path if self._log else None

    def feed(self, data: bytes) -> None:
        if self._cleaner.idle and not data.translate(None, _EASY) and not self._decoder.getstate()[0]:
            text = data.decode("ascii")
            self._cleaner.passed(text)
            self._keep(text)
        else:
            self.add(self._decoder.decode(data))

    def add(self, text: str) -> None:
        self._keep(self._cleaner.clean(text))

    def close(self) -> None:
        """No more comes. Call it once, in any case."""
        self._keep(self._cleaner.clean(self._decoder.decode(b"", final=True)) + self._cleaner.rest())
        if self._log:
            self._log.close()

    def text(self) -> str:
        """What the model gets."""
        if self._total <= self._limit:
            return self._text
        left = self._total - len(self._text) - len(self._tail)
        where = f"all of it is in {self.log}" if self._log else f"it could not be kept: {self._trouble}"
        return f"{self._text}\n[… {left:,} characters left out; {where} …]\n{self._tail}"

    def _keep(self, text: str) -> None:
        if not text:
            return
        self._show(text)
        begun = self._total > self._limit
        self._total += len(text)
        if begun:
            self._long(text)
        elif self._total <= self._limit:
            self._text += text
        else:
            self._begin(self._text + text)

    def _begin(self, text: str) -> None:
        try:
            self._log = self._logs.open(self._tool)
        except OSError as error:
            self._trouble = (error.strerror or str(error)).lower()
        self._text = text[: int(self._limit * _HEAD)]
        self._tail = text[len(self._text) :][-self._tail_length :]
        if self._log:
            self._log.write(text)

    def _long(self, text: str) -> None:
        self._tail = (self._tail + text[-self._tail_length :])[-self._tail_length :]
        if self._log:
            self._log.write(text)

    @property
    def _tail_length(self) -> int:
        return self._limit - int(self._limit * _HEAD)

    def _show(self, text: str) -> None:
        if self._output is None:
            return
        if self._total + len(text) <= SHOWN:
            self._output(text)
        elif (now := time.monotonic()) - self._glimpsed >= 1:
            self._glimpsed = now
            self._output(f"\n[…]\n{text[-_GLIMPSE:]}")


def clipped(logs: Logs, tool: str, limit: int, text: str) -> tuple[str, str | None]:
    """A text that is already there, as the model gets it, and the path of its log if it was long."""
    capture = Capture(logs, tool, limit)
    try:
        capture.add(text)
    finally:
        with suppress(OSError):
            capture.close()
    return capture.text(), capture.log
