"""The process of a local model: `python -m baton.adapters.models.local.worker`, JSON lines in and out.

    in    {"path": …, "window": …, "threads": …, "parent": pid}     once, first
          {"id": 1, "body": {…}}        {"cancel": 1}
    out   {"ready": seconds}  or  {"failed": reason}                once, first
          {"id": 1, "read": [done, total]}                          while the prompt is read
          {"id": 1, "text": "…"}
          {"id": 1, "done": {"stop": …, "input": …, "output": …, "cached": …}}      stop: stop, length, loop, cancelled
          {"id": 1, "error": {"type": …, "message": …}}

Requests are served one at a time, in order; each ends with exactly one `done` or `error`, a cancelled one too. The
process ends when its input does, and with its parent, however that ends.
"""

from __future__ import annotations

import ctypes
import json
import os
import queue
import signal
import sys
import threading
import time
from collections.abc import Mapping
from typing import Any

from baton.adapters.models.local.llama import Llama

_PR_SET_PDEATHSIG = 1

_LOOP_TIMES = 8
_LOOP_LEAST = 400
_LOOP_LONGEST = 120
_LOOP_TAIL = max(_LOOP_LEAST, _LOOP_TIMES * _LOOP_LONGEST)
_LOOP_EVERY = 40


class Outlet:
    """The way to the parent: its own descriptor, so that nothing a library prints gets between the lines."""

    def __init__(self) -> None:
        self._fd = os.dup(1)
        os.dup2(2, 1)
        self._lock = threading.Lock()

    def send(self, message: Mapping[str, Any]) -> None:
        data = json.dumps(message).encode() + b"\n"
        with self._lock:
            while data:
                data = data[os.write(self._fd, data) :]


class Inbox:
    """Requests in order, and which of them were cancelled."""

    def __init__(self) -> None:
        self.requests: queue.Queue[Mapping[str, Any]] = queue.Queue()
        self._cancelled: set[int] = set()

    def listen(self) -> None:
        """Takes in lines for ever; the end of the input is the end of the process."""
        for line in sys.stdin.buffer:
            message = json.loads(line)
            if "cancel" in message:
                self._cancelled.add(message["cancel"])
            else:
                self.requests.put(message)
        os._exit(0)

    def is_cancelled(self, number: int) -> bool:
        return number in self._cancelled

    def forget(self, number: int) -> None:
        self._cancelled.discard(number)


class Service:
    """One request: what llama.cpp streams, in the words of this protocol."""

    def __init__(self, number: int, inbox: Inbox, outlet: Outlet) -> None:
        self._number = number
        self._inbox = inbox
        self._outlet = outlet
        self._ended = False
        self._loop = LoopDetector()
        self._done: dict[str, Any] = {"stop": "cancelled", "input": 0, "output": 0, "cached": 0}

    def run(self, llama: Llama, body: Mapping[str, Any]) -> None:
        try:
            if not self._inbox.is_cancelled(self._number):
                llama.generate(body, self._take_chunk)
        except (ValueError, RuntimeError) as error:
            self._error({"type": "invalid", "message": str(error)})
        if not self._ended:
            self._outlet.send({"id": self._number, "done": self._done})
        self._inbox.forget(self._number)

    def _take_chunk(self, chunk: Mapping[str, Any]) -> bool:
        """Takes one chunk; True ends the generation."""
        if self._inbox.is_cancelled(self._number):
            self._done["stop"] = "cancelled"
            return True
        if "error" in chunk:
            self._error(chunk["error"])
            return True
        self._progress(chunk.get("prompt_progress"))
        for choice in chunk.get("choices", ()):
            if text := choice.get("delta", {}).get("content"):
                self._outlet.send({"id": self._number, "text": text})
                self._done["output"] += 1
                if self._loop.feed(text):
                    self._done["stop"] = "loop"
                    return True
            if choice.get("finish_reason"):
                self._done["stop"] = choice["finish_reason"]
        self._usage(chunk.get("usage"))
        return False

    def _progress(self, progress: Mapping[str, int] | None) -> None:
        if progress:
            self._done |= {"input": progress["total"], "cached": progress.get("cache", 0)}
            self._outlet.send({"id": self._number, "read": [progress["processed"], progress["total"]]})

    def _usage(self, usage: Mapping[str, Any] | None) -> None:
        if usage:
            cached = usage.get("prompt_tokens_details", {}).get("cached_tokens", 0)
            self._done |= {"input": usage["prompt_tokens"], "output": usage["completion_tokens"], "cached": cached}

    def _error(self, error: Mapping[str, Any]) -> None:
        self._ended = True
        self._outlet.send({"id": self._number, "error": {"type": error.get("type"), "message": error.get("message")}})


class LoopDetector:
    """Notices when a small model has lost the thread and says the same thing over and over.

    It is a loop once the same characters came eight times in a row and are, together,
    more than any table or rule would have.

    The alternative, to make repeated words less likely, was measured: it also takes away the words that a call or a
    copied line of code has to repeat.
    """

    def __init__(self) -> None:
        self._tail = ""
        self._new = 0

    def feed(self, text: str) -> bool:
        """True if the model repeats itself."""
        self._tail = (self._tail + text)[-_LOOP_TAIL:]
        self._new += len(text)
        if self._new < _LOOP_EVERY or len(self._tail) < _LOOP_LEAST:
            return False
        self._new = 0
        return any(self._repeats(length) for length in range(1, _LOOP_LONGEST + 1))

    def _repeats(self, length: int) -> bool:
        times = max(_LOOP_TIMES, -(-_LOOP_LEAST // length))
        return self._tail.endswith(self._tail[-length:] * times)


def end_with_parent(parent: int) -> None:
    """Asks the kernel to kill this process when its parent dies, where that is possible; elsewhere the end of the input
    ends it.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(0)


def main() -> None:
    outlet = Outlet()
    settings = json.loads(sys.stdin.buffer.readline() or "{}")
    if not settings:
        return
    end_with_parent(settings["parent"])
    inbox = Inbox()
    threading.Thread(target=inbox.listen, daemon=True).start()
    start = time.monotonic()
    try:
        llama = Llama(settings["path"], window=settings["window"], threads=settings["threads"])
    except (RuntimeError, ImportError) as error:
        outlet.send({"failed": str(error)})
        os._exit(1)
    outlet.send({"ready": round(time.monotonic() - start, 3)})
    while True:
        message = inbox.requests.get()
        Service(message["id"], inbox, outlet).run(llama, message["body"])


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the one at the terminal; the parent decides
    main()
