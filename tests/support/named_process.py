"""A process that calls itself an owner, as a terminal or an editor's agent does, and then only lives."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

_ROOT = Path(__file__).parents[2]
_CODE = """
import sys
from baton.engine.processes import new_owner
print(new_owner('editor'), flush=True)
sys.stdin.read()
"""


def begin_owner() -> tuple[subprocess.Popen[str], str]:
    """The process, which ends when its input does, and the name it gave itself."""
    pipe = subprocess.PIPE
    process = subprocess.Popen([sys.executable, "-c", _CODE], cwd=_ROOT, stdin=pipe, stdout=pipe, text=True)
    assert process.stdout
    return process, process.stdout.readline().strip()
