"""The process that forks workers, so that three hundred of them cost three hundred forks and one interpreter start.

Orders come one at a time over a socket, each answered before the next: start a job (with the two pipe ends the worker
speaks through), or wait for a worker. A worker stays a zombie until it is waited for, so its id is never somebody
else's.
"""

from __future__ import annotations

import json
import os
import socket
import sys
import traceback
from importlib import import_module
from typing import Any

from tests.support.workers.jobs import JOBS
from tests.support.workers.voice import Voice

ORDER_LIMIT = 65_536


def serve(channel: socket.socket) -> None:
    while True:
        raw, fds, _, _ = socket.recv_fds(channel, ORDER_LIMIT, 2)
        if not raw:
            return
        order = json.loads(raw)
        answer = _start(channel, order, fds) if "job" in order else _wait(order)
        channel.sendall(json.dumps(answer).encode())


def _start(channel: socket.socket, order: dict[str, Any], fds: list[int]) -> int:
    pid = os.fork()
    if pid == 0:
        channel.close()
        _work(order, *fds)
    for fd in fds:
        os.close(fd)
    return pid


def _work(order: dict[str, Any], ears: int, mouth: int) -> None:
    """Never returns: whatever happens, the forked process ends here."""
    voice = Voice(ears, mouth)
    try:
        JOBS[order["job"]](voice, **order["arguments"])
        os._exit(0)
    except BaseException:  # noqa: BLE001 - it is told to the test
        voice.say("failed", traceback.format_exc())
        os._exit(1)


def _wait(order: dict[str, Any]) -> int:
    options = os.WUNTRACED if order["until"] == "stopped" else 0
    return os.waitpid(order["wait"], options)[1]


if __name__ == "__main__":
    for module in sys.argv[2:]:
        import_module(module)
    with socket.socket(fileno=int(sys.argv[1])) as held:
        serve(held)
