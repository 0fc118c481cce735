"""A separate program that searches files for a regular expression, line by line.

It runs apart from Baton because a regular expression can take forever, and only a process can be stopped. It imports
nothing of Baton. Names of files come on standard input, each ended by NUL; matches are written as ripgrep would: the
name, NUL, the line's number, a colon and the line.
"""

from __future__ import annotations

import json
import os
import re
import stat
import sys
from collections.abc import Callable, Iterator

_LARGEST = 20 * 1024 * 1024
_PROBE = 8192
_WIDTH = 500


def main() -> int:
    asked = json.loads(sys.argv[1])
    pattern = re.escape(asked["pattern"]) if asked["literal"] else asked["pattern"]
    try:
        found = re.compile(pattern, re.IGNORECASE if asked["ignore_case"] else 0).search
        wanted = _glob(asked["glob"])
    except (re.error, RecursionError, OverflowError) as error:
        sys.stdout.write(f"the pattern is not a regular expression: {error}\n")
        return 2
    names = (os.fsdecode(name) for name in sys.stdin.buffer.read().split(b"\0") if name)
    matched = False
    for name in names:
        for number, line in _matches(name, found) if wanted(name) else ():
            sys.stdout.buffer.write(os.fsencode(name) + f"\0{number}:{line[:_WIDTH]}\n".encode("utf-8", "replace"))
            matched = True
    return 0 if matched else 1


def _matches(name: str, found: Callable[[str], object]) -> Iterator[tuple[int, str]]:
    try:
        descriptor = _open(name)
    except OSError:
        return
    with os.fdopen(descriptor, "rb") as file:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode) or status.st_size > _LARGEST:
            return
        data = file.read(_LARGEST)
    if b"\0" in data[:_PROBE]:
        return
    for number, line in enumerate(data.decode("utf-8", "replace").split("\n"), 1):
        if found(line.rstrip("\r")):
            yield number, line.rstrip("\r")


def _open(name: str) -> int:
    """Step by step: a directory on the way may have become a link, though git still lists files in it."""
    *above, last = name.split("/")
    current = os.open(".", os.O_RDONLY | os.O_DIRECTORY)
    try:
        for part in above:
            following = os.open(part, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=current)
            os.close(current)
            current = following
        return os.open(last, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=current)
    finally:
        os.close(current)


def _glob(glob: str) -> Callable[[str], bool]:
    """Like ripgrep's: without a slash it matches the name, with one the path; `!` negates it."""
    if not glob:
        return lambda _: True
    negated, bare = glob.startswith("!"), glob.lstrip("!")
    whole = re.compile(_translate(bare.lstrip("/")))
    by_name = "/" not in bare
    return lambda name: bool(whole.fullmatch(os.path.basename(name) if by_name else name)) != negated


def _translate(glob: str) -> str:
    tokens = re.findall(r"\*\*/|\*\*|\*|\?|\{[^{}]*\}|\[[^\]]+\]|.", glob, re.DOTALL)
    fixed = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    return "".join(fixed.get(token) or _token(token) for token in tokens)


def _token(token: str) -> str:
    if len(token) > 1 and token[0] == "{":
        return "(?:" + "|".join(_translate(part) for part in token[1:-1].split(",")) + ")"
    if len(token) > 1:
        return "[" + token[1:-1].replace("\\", "\\\\").replace("!", "^", 1 if token[1] == "!" else 0) + "]"
    return re.escape(token)


if __name__ == "__main__":
    sys.exit(main())
