"""The files a patch in the form of `apply_patch` names."""

from __future__ import annotations

import re

from baton.core.value import value

EDITED = "edited"
CREATED = "created"
DELETED = "deleted"
_FILE = re.compile(r"^\*\*\* (Add File|Update File|Delete File|Move to): (.{1,4096})$", re.MULTILINE)
_STATES = {"Add File": CREATED, "Update File": EDITED, "Delete File": DELETED, "Move to": CREATED}


@value
class Touched:
    path: str
    state: str


def touched(patch: str) -> list[Touched]:
    """In order, each once; a file that is moved away is deleted where it was."""
    found: dict[str, str] = {}
    last = ""
    for verb, name in _FILE.findall(patch):
        path = name.strip()
        if verb == "Move to" and last:
            found[last] = DELETED
        found[path] = _STATES[verb]
        last = path
    return [Touched(path, state) for path, state in found.items()]


def is_patch(text: str) -> bool:
    return "*** Begin Patch" in text
