"""A way to the server that breaks when something is said."""

from __future__ import annotations

import socket
import threading
import time
from contextlib import suppress
from types import TracebackType


class Cutter:
    """A TCP port that leads to a unix socket. Once armed, the first message that holds `word` is forwarded or not, and
    both ends are cut before anything comes back.
    """

    def __init__(self, path: str, word: bytes, *, forward: bool) -> None:
        self.armed = False
        self._path = path
        self._word = word
        self._forward = forward
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._listener.settimeout(0.05)
        self._closing = False
        self._threads = [threading.Thread(target=self._accept)]

    @property
    def port(self) -> int:
        return self._listener.getsockname()[1]

    def __enter__(self) -> Cutter:
        self._threads[0].start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self._closing = True
        for thread in self._threads:
            thread.join(10)
        self._listener.close()

    def _accept(self) -> None:
        while not self._closing:
            try:
                near, _ = self._listener.accept()
            except TimeoutError:
                continue
            far = socket.socket(socket.AF_UNIX)
            far.connect(self._path)
            cut = threading.Event()
            for ends in ((near, far, self._word), (far, near, None)):
                self._threads.append(threading.Thread(target=self._carry, args=(*ends, cut)))
                self._threads[-1].start()

    def _carry(self, source: socket.socket, target: socket.socket, word: bytes | None, cut: threading.Event) -> None:
        source.settimeout(0.05)
        with suppress(OSError):
            while not self._closing and not cut.is_set():
                try:
                    data = source.recv(65536)
                except TimeoutError:
                    continue
                if not data or cut.is_set():
                    break
                if word and self.armed and word in data:
                    cut.set()
                    self._last_words(target, data)
                    break
                target.sendall(data)
        for end in (source, target):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()

    def _last_words(self, target: socket.socket, data: bytes) -> None:
        """Sends them, and gives the server time to act on them; what it answers is not carried any more."""
        if self._forward:
            target.sendall(data)
            time.sleep(0.2)
