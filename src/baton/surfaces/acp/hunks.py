"""The two sides of a unified diff: editors draw the change themselves."""

from __future__ import annotations

MOST = 40
_NOTHING = "--- /dev/null"


def hunks(diff: str) -> list[tuple[str | None, str]]:
    """Old and new text of each hunk; the old one of a new file is None. Empty for what is no diff, was cut, or has more
    hunks than anybody would look at.
    """
    lines = diff.split("\n")
    if len(lines) < 3 or not lines[0].startswith("--- ") or not lines[1].startswith("+++ "):
        return []
    found: list[tuple[list[str], list[str]]] = []
    for line in lines[2:]:
        if line.startswith("@@"):
            found.append(([], []))
        elif line and (not found or not _take(line, *found[-1])):
            return []
    if len(found) > MOST:
        return []
    created = lines[0] == _NOTHING
    return [(None if created else _joined(old), _joined(new)) for old, new in found]


def _take(line: str, old: list[str], new: list[str]) -> bool:
    """Adds a line to the sides it belongs to; False if it is none of a diff."""
    mark, rest = line[0], line[1:]
    if mark == "\\":
        return True
    if mark in " -":
        old.append(rest)
    if mark in " +":
        new.append(rest)
    return mark in " -+"


def _joined(lines: list[str]) -> str:
    return "\n".join(lines) + "\n" if lines else ""
