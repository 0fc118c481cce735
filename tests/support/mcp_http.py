"""The MCP server of `mcp_server.py` over HTTP, on the loopback, as a process of its own."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

PROJECT = Path(__file__).parents[2]


@contextmanager
def mcp_over_http(token: str = "") -> Generator[str]:
    """Its address. With a `token` it answers only those who bear it."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "tests.support.mcp_server", str(port), *([token] if token else [])]
    environ = {**os.environ, "PYTHONWARNINGS": "ignore"}
    with subprocess.Popen(command, cwd=PROJECT, env=environ, stderr=subprocess.DEVNULL) as server:
        try:
            _wait_for(port, server)
            yield f"http://127.0.0.1:{port}/mcp"
        finally:
            server.kill()


def _wait_for(port: int, server: subprocess.Popen[bytes]) -> None:
    while server.poll() is None:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
    raise AssertionError("the server ended")
