"""A plugin of pytest that notes which of Baton's files one test walks through: `bench.walks` runs tests with it.

It stands alone, because it is loaded into the tests of any checkout. `WALKS_SOURCE` names the folder of the
package and `WALKS_OUT` the file for the result, as JSON: the files in the order of their first call, and for each
pair of files how often a function of the first called one of the second.
"""

from __future__ import annotations

import dis
import inspect
import json
import os
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest

SOURCE = "WALKS_SOURCE"
OUT = "WALKS_OUT"

_RESUME = dis.opmap.get("RESUME", -1)
_AT_START = 0
_WHERE_FROM = 0b11
"""The bits of RESUME that tell a call from going on after a pause."""


class Walk:
    """Calls of functions in the files below `folder`. What runs because a module is being loaded is not counted."""

    def __init__(self, folder: Path) -> None:
        self.files: dict[str, None] = {}
        self.calls: Counter[tuple[str, str]] = Counter()
        self._prefix = f"{folder}{os.sep}"
        self._loading = threading.local()
        self._code: dict[CodeType, bytes] = {}

    def see(self, frame: FrameType, event: str, _: Any) -> None:
        """For `sys.setprofile`."""
        code = frame.f_code
        if event not in ("call", "return") or not code.co_filename.startswith(self._prefix):
            return
        if code.co_name == "<module>":
            self._load(1 if event == "call" else -1)
        elif event == "call" and code.co_flags & inspect.CO_OPTIMIZED and not self._load(0) and self._begins(frame):
            self._count(frame)

    def as_json(self) -> dict[str, Any]:
        return {"files": list(self.files), "calls": [[*pair, count] for pair, count in sorted(self.calls.items())]}

    def _count(self, frame: FrameType) -> None:
        file = self._file(frame)
        self.files.setdefault(file)
        caller = frame.f_back
        if caller is not None and caller.f_code.co_filename.startswith(self._prefix):
            self.calls[self._file(caller), file] += 1

    def _file(self, frame: FrameType) -> str:
        return frame.f_code.co_filename.removeprefix(self._prefix).replace(os.sep, "/")

    def _load(self, change: int) -> int:
        """How many modules this thread is in the middle of loading, after the change."""
        self._loading.depth = getattr(self._loading, "depth", 0) + change
        return self._loading.depth

    def _begins(self, frame: FrameType) -> bool:
        """Whether this is a call, and not a generator or a coroutine that goes on."""
        if frame.f_code not in self._code:
            self._code[frame.f_code] = frame.f_code.co_code
        code, at = self._code[frame.f_code], frame.f_lasti
        if at < 0 or code[at] != _RESUME:
            return True
        return code[at + 1] & _WHERE_FROM == _AT_START


@contextmanager
def traced(walk: Walk) -> Iterator[None]:
    """Everything this thread does meanwhile, and every thread that starts meanwhile."""
    _profile(walk.see)
    try:
        yield
    finally:
        _profile(None)


def _profile(see: Callable[[FrameType, str, Any], None] | None) -> None:
    threading.setprofile(see)
    sys.setprofile(see)


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Iterator[None]:
    """The test itself is traced, not what its fixtures do before and after."""
    walk = Walk(Path(os.environ[SOURCE]))
    with traced(walk):
        result = yield
    Path(os.environ[OUT]).write_text(json.dumps({"test": pyfuncitem.nodeid, **walk.as_json()}))
    return result
