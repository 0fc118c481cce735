"""What a tool prints: made safe for a terminal, shown while it comes, cut to head and tail for the model.

A long output is kept whole, as evidence, in a log of the workspace: `.baton/logs/<UTC stamp>-<tool>-<n>.log`.
"""

from __future__ import annotations

import codecs
import os
import re
import time
from contextlib import suppress
from itertools import count

from baton.adapters.files import opening
from baton.adapters.files.workspace import LOGS, Workspace
from baton.core.display import plain
from baton.ports.tool import Output

LIMIT = 8_000
SHOWN = 200_000
_GLIMPSE = 400
_HEAD = 0.4
_PLAIN_BYTES = bytes({9, 10, *range(0x20, 0x7F)})
_OPEN = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*\Z"  # CSI
    r"|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x1b\x07\x9c]*\Z"  # OSC, DCS and their kind
    r"|\x1b[ -/]*\Z"
)
_INTRODUCER = re.compile("[\x1b\x90\x98\x9b\x9d-\x9f]")
_LONGEST_SEQUENCE = 4096
LOG_CAP = 64 * 1024 * 1024
_FULL = "\n[the log is full: what came after its first {cap:,} bytes is not kept]\n"


class Capture:
    """Takes output in pieces; memory stays bounded whatever comes.

    Up to `limit` characters the model gets everything. Beyond that everything goes to a log, and the model gets head,
    tail and the log's path. `output` gets each piece up to `SHOWN` characters, then a glimpse every second.
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
        if self._cleaner.idle and not data.translate(None, _PLAIN_BYTES) and not self._decoder.getstate()[0]:
            text = data.decode("ascii")
            self._cleaner.note_passed(text)
            self._keep(text)
        else:
            self.add(self._decoder.decode(data))

    def add(self, text: str) -> None:
        self._keep(self._cleaner.clean(text))

    def close(self) -> None:
        """Call it exactly once, when no more comes, whatever happened."""
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


def clip_output(logs: Logs, tool: str, limit: int, text: str) -> tuple[str, str | None]:
    """A finished text as the model gets it, and the path of its log if it was long."""
    capture = Capture(logs, tool, limit)
    try:
        capture.add(text)
    finally:
        with suppress(OSError):
            capture.close()
    return capture.text(), capture.log


class Cleaner:
    """Gives in pieces what `core.display.plain` gives for the whole: a sequence split between two pieces is held back.

    A carriage return overwrites its line, as on a terminal; the part of the line that was already given stays.
    """

    def __init__(self) -> None:
        self._held = ""
        self._line_begun = False

    @property
    def idle(self) -> bool:
        """Whether nothing is held back."""
        return not self._held

    def clean(self, text: str) -> str:
        text = self._held + text
        cut = _find_unfinished(text)
        self._held = text[cut:]
        return self._take(text[:cut])

    def rest(self) -> str:
        """What was held back when no more comes."""
        text, self._held = self._held, ""
        return self._take(text)

    def note_passed(self, text: str) -> None:
        """Text that needs no cleaning went past this."""
        self._line_begun = not text.endswith("\n")

    def _take(self, text: str) -> str:
        if "\r" in text:
            text = self._without_returns(text.replace("\r\n", "\n"))
        text = plain(text)
        if text:
            self._line_begun = not text.endswith("\n")
        return text

    def _without_returns(self, text: str) -> str:
        lines = text.split("\n")
        begun = self._line_begun and "\r" in lines[0]
        return ("\n" if begun else "") + "\n".join(line.rpartition("\r")[2] for line in lines)


def _find_unfinished(text: str) -> int:
    """Where the sequence begins that the end of `text` cuts off; the length of `text` if there is none."""
    if text.endswith("\r"):
        return len(text) - 1
    end = len(text)
    begin = max(0, end - _LONGEST_SEQUENCE)
    starts = [found.start() for found in _INTRODUCER.finditer(text, begin)]
    return starts[-1] if starts and _OPEN.match(text, starts[-1]) else end


class Log:
    """One file, 0600. `path` is relative to the workspace. After `LOG_CAP` bytes it ends, and says so."""

    def __init__(self, path: str, descriptor: int) -> None:
        self.path = path
        self._descriptor = descriptor
        self._room = LOG_CAP

    def write(self, text: str) -> None:
        if self._room <= 0:
            return
        data = text.encode("utf-8", "replace")
        kept = data[: self._room]
        self._room -= len(data)
        self._put(kept)
        if self._room <= 0:
            self._put(_FULL.format(cap=LOG_CAP).encode())

    def _put(self, data: bytes) -> None:
        try:
            while data:
                data = data[os.write(self._descriptor, data) :]
        except OSError:  # the disk is full: the command continues, the log ends here
            self._room = 0

    def close(self) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1


class Logs:
    """The log directory of a workspace, made 0700 when first needed; git is told to ignore all of it."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._numbers = count(1)

    def prepare(self) -> str:
        """Makes the directory if it is missing, and returns its real path. Raises `OSError`; no link is followed."""
        path = os.path.join(self._workspace.root, LOGS)
        with opening.open_directory(path, make=0o700) as parent:
            _tighten(parent)
            with suppress(FileExistsError):
                descriptor = opening.create(".gitignore", parent, 0o600)
                os.write(descriptor, b"*\n")
                os.close(descriptor)
        return path

    def open(self, tool: str) -> Log:
        """A new log. Raises `OSError`."""
        with opening.open_directory(self.prepare()) as parent:
            while True:
                stamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
                name = f"{stamp}-{re.sub(r'[^A-Za-z0-9_-]', '_', tool)[:80]}-{next(self._numbers)}.log"
                with suppress(FileExistsError):
                    return Log(os.path.join(LOGS, name), opening.create(name, parent, 0o600))


def _tighten(parent: int) -> None:
    descriptor = os.open(".", os.O_RDONLY | os.O_DIRECTORY, dir_fd=parent)
    try:
        with suppress(PermissionError):
            os.fchmod(descriptor, 0o700)
    finally:
        os.close(descriptor)
