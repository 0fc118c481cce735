"""What may follow what was typed: a command after a slash, a file after an at sign."""

from __future__ import annotations

import os
import re
import subprocess

from baton.core.value import value
from baton.surfaces.commands import COMMANDS

_WORD = re.compile(r"@([^\s@]*)$")
_MOST = 8
_FILES = 20_000


@value
class Offer:
    """`text` replaces the last `length` characters of what was typed."""

    text: str
    about: str
    length: int


def offers(typed: str, files: list[str]) -> list[Offer]:
    """At most a handful, best first."""
    if typed.startswith("/") and " " not in typed and "\n" not in typed:
        found = [command for command in COMMANDS if command.name.startswith(typed[1:])]
        return [Offer(f"/{each.name} ", each.summary, len(typed)) for each in found if f"/{each.name}" != typed][:_MOST]
    if match := _WORD.search(typed):
        part = match[1].lower()
        fits = sorted((path for path in files if part in path.lower()), key=lambda path: _rank(path, part))
        return [Offer(f"{path} ", "", len(match[1])) for path in fits[:_MOST]]
    return []


def _rank(path: str, part: str) -> tuple[bool, bool, int, str]:
    name = os.path.basename(path).lower()
    return (not name.startswith(part), part not in name, len(path), path)


def workspace_files(root: str) -> list[str]:
    """Files a person would name: those git knows or would add, else a bounded walk. Runs in a thread."""
    try:
        command = ["git", "-c", "core.fsmonitor=false", "-C", root, "ls-files", "-co", "--exclude-standard", "-z"]
        done = subprocess.run(command, capture_output=True, timeout=5, check=True, env={**os.environ, "LC_ALL": "C"})
        return [name.decode(errors="replace") for name in done.stdout.split(b"\0") if name][:_FILES]
    except (OSError, subprocess.SubprocessError):
        return _walk(root)


def _walk(root: str) -> list[str]:
    found: list[str] = []
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if not name.startswith(".") and name != "node_modules"]
        found += [os.path.relpath(os.path.join(folder, name), root) for name in names]
        if len(found) > _FILES:
            break
    return found[:_FILES]
