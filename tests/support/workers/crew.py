"""The test's side of the workers."""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from tests.support.patience import PATIENCE
from tests.support.workers.spawner import ORDER_LIMIT

_ROOT = Path(__file__).resolve().parents[3]
_CHUNK = 65_536


class Crew:
    """Starts workers, through one process that forks them and has imported what they `preload`."""

    def __init__(self, preload: Sequence[str] = ()) -> None:
        self._channel, theirs = socket.socketpair()
        with theirs:
            spawner = [sys.executable, "-W", "error", "-m", "tests.support.workers.spawner", str(theirs.fileno())]
            self._process = subprocess.Popen(
                [*spawner, *preload],
                pass_fds=[theirs.fileno()],
                cwd=_ROOT,
            )
        self._workers: list[Worker] = []

    def start(self, job: str, **arguments: Any) -> Worker:
        ears, to_worker = os.pipe()
        from_worker, mouth = os.pipe()
        order = json.dumps({"job": job, "arguments": arguments}).encode()
        assert len(order) < ORDER_LIMIT
        socket.send_fds(self._channel, [order], [ears, mouth])
        pid = self._answer()
        os.close(ears)
        os.close(mouth)
        worker = Worker(self, pid, to_worker, from_worker)
        self._workers.append(worker)
        return worker

    def wait(self, pid: int, until: str) -> int:
        self._channel.sendall(json.dumps({"wait": pid, "until": until}).encode())
        return self._answer()

    def dismiss(self) -> None:
        """Ends every worker that still lives, by its own id."""
        for worker in self._workers:
            worker.close()
        self._workers.clear()

    def _answer(self) -> int:
        raw = self._channel.recv(ORDER_LIMIT)
        assert raw, "the spawner died"
        return json.loads(raw)

    def __enter__(self) -> Crew:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self.dismiss()
        self._channel.close()
        self._process.wait(timeout=PATIENCE)


class Worker:
    def __init__(self, crew: Crew, pid: int, to_worker: int, from_worker: int) -> None:
        self._crew = crew
        self.pid = pid
        self._mouth = to_worker
        self._ears = from_worker
        self._heard = b""
        self._ended = False
        self._closed = False

    def tell(self, *words: Any) -> None:
        os.write(self._mouth, json.dumps(words).encode() + b"\n")

    def hear(self) -> list[Any] | None:
        """The next line, None after the last. A worker that failed fails the test with its own traceback."""
        end = time.monotonic() + PATIENCE
        while b"\n" not in self._heard:
            ready, _, _ = select.select([self._ears], [], [], max(0.0, end - time.monotonic()))
            assert ready, f"worker {self.pid} said nothing for {PATIENCE:.0f} s"
            chunk = os.read(self._ears, _CHUNK)
            if not chunk:
                return None
            self._heard += chunk
        line, _, self._heard = self._heard.partition(b"\n")
        words = json.loads(line)
        assert words[0] != "failed", words[1]
        return words

    def silent(self, seconds: float) -> bool:
        """Whether nothing was heard for so long: neither a word nor its end."""
        return not select.select([self._ears], [], [], seconds)[0]

    def rest(self) -> list[list[Any]]:
        """Everything up to the worker's end."""
        return list(iter(self.hear, None))

    def kill(self) -> None:
        os.kill(self.pid, signal.SIGKILL)
        self.finish()

    def stop(self) -> None:
        """Returns once the worker really stands still."""
        os.kill(self.pid, signal.SIGSTOP)
        self._crew.wait(self.pid, "stopped")

    def resume(self) -> None:
        os.kill(self.pid, signal.SIGCONT)

    def finish(self) -> int:
        """The exit status of a worker that ends by itself or was killed."""
        status = self._crew.wait(self.pid, "ended")
        self._ended = True
        return status

    def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        if not self._ended:
            self.kill()
        os.close(self._mouth)
        os.close(self._ears)
