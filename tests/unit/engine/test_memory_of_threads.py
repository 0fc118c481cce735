"""Threads of a process that lives long share one pool of memory, where the C library can be told so."""

from __future__ import annotations

import platform
import subprocess
import sys

import pytest

ARENA = 64.0
"""Megabytes of address space that the C library reserves for each pool of its own."""

SCRIPT = """
import sys, threading
from baton.engine.processes import share_memory_of_threads

def size():
    return next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmSize")) / 1024

if sys.argv[1] == "shared":
    share_memory_of_threads()
threading.stack_size(1 << 18)
before, ready, stop = size(), threading.Barrier(5), threading.Event()

def work():
    held = [bytes(2000 + number) for number in range(200)]
    ready.wait()
    stop.wait()

threads = [threading.Thread(target=work) for _ in range(4)]
for each in threads:
    each.start()
ready.wait()
print(size() - before)
stop.set()
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc has a pool for each thread")
@pytest.mark.parametrize(("how", "reserves"), [("shared", False), ("apart", True)])
def test_threads_share_one_pool(how: str, reserves: bool) -> None:
    grown = float(subprocess.check_output([sys.executable, "-c", SCRIPT, how], text=True))
    assert (grown >= ARENA) is reserves
