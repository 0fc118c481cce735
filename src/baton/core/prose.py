"""A model's Markdown inside a packet: lists and quotes, and nothing that imitates or swallows what follows."""

from __future__ import annotations

import re

from baton.core.display import plain

_CONTAINERS = re.compile(r"[ \t]*(?:(?:>|[*+-]|[0-9]{1,9}[.)])(?=[ \t]|$)[ \t]*)*")
_FENCE = re.compile(r"`{3,}|~{3,}")
_RULE = re.compile(r"[ \t=*_-]+")
_BLOCK = re.compile(r"[#>+*~<-]|`{3}|[0-9]{1,9}[.)](?:\s|$)|\[[^\]]*\]:|\[[ xX]\]")


def tamed(text: str) -> str:
    """Without headings, underlines, HTML blocks and fences; what stood in a fence is code line by line."""
    lines: list[str] = []
    fenced = False
    for line in plain(text).splitlines():
        start = _containers(line)
        if _FENCE.match(line, start):
            fenced = not fenced
        elif not fenced:
            lines.append(_calm(line))
        elif line.strip():
            lines.append(as_code(line.strip()))
    return "\n".join(lines)


def item(text: str) -> str:
    """One line of somebody's words as the item of a list: quoted if it would begin a block of its own."""
    return f"“{text}”" if _BLOCK.match(text) else text


def as_code(text: str) -> str:
    """One line between backticks that it cannot close."""
    runs = {len(run) for run in re.findall(r"`+", text)}
    fence = "`" * next(length for length in range(1, len(runs) + 2) if length not in runs)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def _containers(line: str) -> int:
    found = _CONTAINERS.match(line)
    return found.end() if found else 0


def _calm(line: str) -> str:
    if _RULE.fullmatch(line):
        return ""
    start = _containers(line)
    before, rest = line[:start], line[start:]
    while rest.startswith("#"):
        rest = rest.lstrip("#").strip()
        start = _containers(rest)
        before, rest = before + rest[:start], rest[start:]
    if _FENCE.match(rest):
        rest = rest.lstrip("`~")
    return f"{before}\\{rest}" if rest.startswith("<") else before + rest
