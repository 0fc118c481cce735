"""Matrix, by a client of its own account: `/sync` in, transactions out, encrypted where the room is.

nio imports `atomicwrites` for two things that Baton never does: exporting keys, and trust kept in text files. That
package is abandoned and has to be built from source, so it is not installed; a module that refuses stands in its place
(`docs/decisions/035-nothing-is-built-at-install.md`).
"""

from __future__ import annotations

import sys
from importlib.util import find_spec
from types import ModuleType
from typing import NoReturn

_NAME = "atomicwrites"


def atomic_write(*_: object, **__: object) -> NoReturn:
    raise NotImplementedError("nio's key export and its trust in text files are not used by Baton")


if _NAME not in sys.modules and find_spec(_NAME) is None:
    _stand_in = ModuleType(_NAME)
    _stand_in.__dict__["atomic_write"] = atomic_write
    sys.modules[_NAME] = _stand_in
