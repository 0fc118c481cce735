"""Licences as packages state them, turned into SPDX expressions, and which of them go with Baton's."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

UNKNOWN = "unknown"

_STATED: Mapping[str, str] = {
    "apache 2.0": "Apache-2.0",
    "apache-2.0": "Apache-2.0",
    "apache license, version 2.0": "Apache-2.0",
    "apache software license": "Apache-2.0",
    "bsd": "BSD-3-Clause",
    "bsd license": "BSD-3-Clause",
    "gnu lesser general public license v2 or later (lgplv2+)": "LGPL-2.1-or-later",
    "isc license (iscl)": "ISC",
    "mit": "MIT",
    "mit license": "MIT",
    "the mit license (mit)": "MIT",
    "mozilla public license 2.0 (mpl 2.0)": "MPL-2.0",
    "psf": "PSF-2.0",
    "python software foundation license": "PSF-2.0",
    "the unlicense (unlicense)": "Unlicense",
}

READ_BY_HAND: Mapping[str, tuple[str, str]] = {
    "matrix-nio": ("ISC", "the field holds the text of the ISC licence"),
    "peewee": ("MIT", "its file LICENSE is the MIT licence; the fields are empty"),
    "pyasn1-modules": ("BSD-2-Clause", "its file LICENSE.txt has two clauses; the field says BSD"),
    "pyte": ("LGPL-3.0-only", "its classifier says LGPLv3; used by tests only"),
    "tiktoken": ("MIT", "the field holds the text of the MIT licence"),
    "vodozemac": ("MIT AND Apache-2.0", "its file LICENSE is the MIT licence, the library inside is under Apache 2.0"),
}
"""Packages whose fields do not say it: what was read in the files of the package instead, and why."""

GOES_WITH_MIT = frozenset(
    {
        "0BSD",
        "Apache-2.0",
        "Apache-2.0 WITH LLVM-exception",
        "BSD-2-Clause",
        "BSD-3-Clause",
        "CC0-1.0",
        "CNRI-Python",
        "ISC",
        "MIT",
        "MIT-0",
        "MIT-CMU",
        "PSF-2.0",
        "Python-2.0",
        "Unlicense",
        "Zlib",
    }
)
"""Permissive: keep their notices."""

GOES_UNCHANGED = frozenset({"LGPL-2.1-or-later", "LGPL-3.0-only", "LGPL-3.0-or-later", "MPL-2.0"})
"""Weak copyleft: they bind changes to the package itself. Baton installs these packages as they are, as packages of
their own that anybody can replace, and copies nothing of them.
"""


def spdx(name: str, info: Mapping[str, Any]) -> str:
    """The licence by the package's own metadata, or `UNKNOWN`."""
    if name in READ_BY_HAND:
        return READ_BY_HAND[name][0]
    if expression := info.get("license_expression"):
        return str(expression)
    stated = str(info.get("license") or "").strip()
    short = stated.split("\n")[0].strip().lower()
    known = [*GOES_WITH_MIT, *GOES_UNCHANGED]
    for each in known:
        if stated.lower() == each.lower():
            return each
    if " OR " in stated and len(stated) < 60:
        return stated
    marked = [each.split(" :: ")[-1].lower() for each in info.get("classifiers") or () if each.startswith("License ::")]
    for word in (short, *marked):
        if word in _STATED:
            return _STATED[word]
    return UNKNOWN


def is_allowed(expression: str) -> bool:
    """Whether a package under this licence may be needed by a program under the MIT licence. Of alternatives one
    suffices; of licences joined by AND all must do.
    """
    bare = expression.strip()
    if bare.startswith("(") and bare.endswith(")") and bare.count("(") == 1:
        bare = bare[1:-1]
    alternatives = re.split(r"\s+OR\s+", bare)
    if len(alternatives) > 1:
        return any(map(is_allowed, alternatives))
    parts = re.split(r"\s+AND\s+", bare)
    if len(parts) > 1:
        return all(map(is_allowed, parts))
    return bare in GOES_WITH_MIT or bare in GOES_UNCHANGED
