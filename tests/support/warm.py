"""The redactor's compiled rules, made once for all tests: compiling them takes longer than most tests do.

`share_rules` is for the process it is called in; `warm` is for the processes that a test starts.
"""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from baton.adapters.redaction.prefilter import Cache, HyperscanPrefilter
from baton.adapters.redaction.redactor import open_redactor
from tests.support.obtain import CACHE, alone

SHARED = CACHE / "rules"
_FEW = 100
"""So few patterns compile at once."""


class _Compiled(HyperscanPrefilter):
    compile = HyperscanPrefilter._compile

    def _compile(self) -> Any:
        return self.compile()


def share_rules() -> None:
    """What was compiled before, by this or another process of tests, is read where it would be compiled again.

    Everything else is as ever: a home without compiled rules gets them, a damaged file is replaced.
    """
    HyperscanPrefilter._compile = _compile_once


def _compile_once(prefilter: HyperscanPrefilter) -> Any:
    compiled = _Compiled(prefilter._anchors, Cache(str(SHARED)), prefilter._hyperscan)
    if len(prefilter._anchors) < _FEW:
        return compiled.compile()
    with alone(SHARED.with_suffix(".lock")):
        return compiled._database


def warm(home: Path) -> Path:
    """Puts them where a Baton with this home looks for them."""
    kept = home / "cache"
    for directory in (home, kept):
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    for file in _compiled().iterdir():
        if not (kept / file.name).exists():
            shutil.copyfile(file, kept / file.name)
            os.chmod(kept / file.name, 0o600)
    return home


@cache
def _compiled() -> Path:
    directory = Path(tempfile.mkdtemp(prefix="baton-rules-"))
    atexit.register(shutil.rmtree, directory, ignore_errors=True)
    open_redactor(str(directory), {}, (), str(directory)).redact("warm")
    return directory
