"""What every tool is put through: ordinary, loud, endless and hostile arguments."""

from __future__ import annotations

import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

ESCAPES = "\x1b[31mred\x1b[0m \x1b]0;title\x07 \x9b2J \x1bP+q\x1b\\ \u202eturned\r"
LIMIT = 2_000

ORDINARY: Mapping[str, Mapping[str, Any]] = {
    "shell": {"command": "echo hello"},
    "read": {"path": "a.txt"},
    "write": {"path": "new/b.txt", "content": "x\n"},
    "edit": {"path": "a.txt", "old": "first", "new": "FIRST"},
    "list": {},
    "search": {"pattern": "first"},
    "plan": {"items": [{"text": "one", "state": "doing"}]},
    "fetch": {"url": "http://site.test/"},
    "session_handoff": {"reason": "the context is long"},
    "show": {"path": "a.txt", "caption": "the first two lines"},
    "recall": {"query": "first"},
    "test__echo": {"text": "hello"},
}
"""Arguments with which each tool succeeds in the workspace that `furnish` makes."""

LOUD: Mapping[str, Mapping[str, Any]] = {
    "shell": {"command": "cat loud.txt"},
    "read": {"path": "loud.txt"},
    "write": {"path": "c\x1b[31m.txt", "content": ESCAPES * 1_000},
    "edit": {"path": "loud.txt", "old": "begin", "new": ESCAPES * 1_000},
    "list": {"depth": 12},
    "search": {"pattern": "red", "limit": 1_000},
    "plan": {"items": [{"text": ESCAPES, "state": "done"}] * 50},
    "fetch": {"url": "http://site.test/loud"},
    "session_handoff": {"reason": (ESCAPES * 20)[:300]},
    "show": {"path": "loud.txt", "caption": (ESCAPES * 20)[:300]},
    "recall": {"query": "red"},
    "test__echo": {"text": ESCAPES * 1_000},
}
"""Arguments that make each tool say much, with escape sequences in it."""

ENDLESS: Mapping[str, Mapping[str, Any]] = {
    **ORDINARY,
    "shell": {"command": "trap '' TERM; while :; do sleep 1; done"},
    "search": {"pattern": "(e+)+$", "path": "regex.txt"},
    "fetch": {"url": "http://site.test/slow"},
    "read": {"path": "large.txt", "offset": 900_000_000},
}
"""Arguments that make a tool run as long as it can."""


def furnish(root: Path) -> None:
    (root / "a.txt").write_text("first\nsecond\n")
    (root / "loud.txt").write_text("begin\n" + f"{ESCAPES}\n" * 1_000)
    (root / "regex.txt").write_text("e" * 5_000 + "!\n")
    (root / "names").mkdir()
    for number in range(300):
        (root / "names" / f"{number}\x1b[31m\u202e.txt").write_text("")


_STRINGS = [
    "",
    " ",
    ".",
    "..",
    "../..",
    "../../../../../../tmp/escaped",
    "a.txt/../../escaped",
    "a.txt/x",
    "/nonexistent/x",
    "names",
    "a\0b",
    "\ud800",
    "\x1b[2J",
    "\u202e",
    "$(:)",
    "';:\"",
    "{}",
    "%s%n",
    "x" * 5_000,
    "(" * 500,
    "[",
    "*" * 50,
    "**/**/**",
    "-e",
    "--help",
    "\n",
    "\r\n",
    "😀",
    "http://",
    "http://[",
    "http://localhost/",
    "file:///etc/passwd",
    "http://site.test/\r\nX: y",
    "true",
]
_VALUES: list[Any] = [
    *_STRINGS, None, True, False, 0, -1, 1, 10**30, 1e308, float("nan"), float("inf"), -0.0, 0.5,
    [], {}, [[]], [None], [{}], {"text": "x"}, [{"text": 1, "state": 2}], [{"text": "x", "state": "done", "more": 1}],
]  # fmt: skip


def hostile(schema: Mapping[str, Any], ordinary: Mapping[str, Any], count: int, seed: int) -> list[dict[str, Any]]:
    """Arguments as no one would write them: wrong types, wrong names, odd strings, too much of everything."""
    chance = random.Random(seed)
    names = [*schema.get("properties", {}), "_raw", "", "__proto__", "\x1b[31m", "path\0"]
    made: list[dict[str, Any]] = [{}, {"_raw": "{"}, {"_raw": None}]
    while len(made) < count:
        args = dict(ordinary) if chance.random() < 0.7 else {}
        for _ in range(chance.randint(1, 3)):
            args[chance.choice(names)] = chance.choice(_VALUES)
        if "timeout" in schema.get("properties", {}) and args.get("timeout") == 1:
            args["timeout"] = 2
        made.append(args)
    return made
