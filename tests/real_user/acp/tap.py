"""`tap.py LOG COMMAND…`: runs an agent and keeps a record of every line between it and its client, changing nothing.

Each line of LOG is an object: `run`, the id of the agent's process, and `began`, or `side` and `text`, or `ended`.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from typing import IO, Any


def main() -> int:
    log = os.open(sys.argv[1], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    agent = subprocess.Popen(sys.argv[2:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def note(**what: Any) -> None:
        os.write(log, json.dumps({"run": agent.pid, **what}).encode() + b"\n")

    def pump(side: str, given: IO[bytes], taken: IO[bytes]) -> None:
        for line in iter(given.readline, b""):
            note(side=side, text=line.decode())
            with suppress(BrokenPipeError):
                taken.write(line)
                taken.flush()
        with suppress(BrokenPipeError):
            taken.close()

    assert agent.stdin is not None
    assert agent.stdout is not None
    note(began=True)
    signal.signal(signal.SIGTERM, lambda *_: agent.terminate())
    threading.Thread(target=pump, args=("client", sys.stdin.buffer, agent.stdin), daemon=True).start()
    pump("agent", agent.stdout, sys.stdout.buffer)
    code = agent.wait()
    note(ended=code)
    os._exit(code if code >= 0 else 1)  # the other thread may be waiting for a client that says no more


main()
