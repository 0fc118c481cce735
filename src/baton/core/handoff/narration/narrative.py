"""The model's part of a packet: its sections, the rules it nominates, and Markdown that stays inside.

Tamed Markdown keeps lists and quotes, and cannot imitate or swallow what follows it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from baton.core.display import plain
from baton.core.value import value

_CONTAINERS = re.compile(r"[ \t]*(?:(?:>|[*+-]|[0-9]{1,9}[.)])(?=[ \t]|$)[ \t]*)*")
_FENCE = re.compile(r"`{3,}|~{3,}")
_RULE = re.compile(r"[ \t=*_-]+")
_BLOCK = re.compile(r"[#>+*~<-]|`{3}|[0-9]{1,9}[.)](?:\s|$)|\[[^\]]*\]:|\[[ xX]\]")


def tame(text: str) -> str:
    """Without headings, underlines, HTML blocks and fences; what stood in a fence is code line by line."""
    lines: list[str] = []
    fenced = False
    for line in plain(text).splitlines():
        start = _containers(line)
        if _FENCE.match(line, start):
            fenced = not fenced
        elif not fenced:
            lines.append(_tame_line(line))
        elif line.strip():
            lines.append(as_code(line.strip()))
    return "\n".join(lines)


def item(text: str) -> str:
    """One line of quoted words as the item of a list: in quotes if it would begin a block of its own."""
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


def _tame_line(line: str) -> str:
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


_HEADING = re.compile(
    r"^#{1,4} *(completed work|design decisions|next recommended action|rules)\b.*$", re.IGNORECASE | re.M
)
_PARTS = {
    "completed work": "completed",
    "design decisions": "decisions",
    "next recommended action": "next_action",
    "rules": "rules",
}
_EMPTY = re.compile(r"^(?:none(?: recorded)?\.?|n/?a\.?|-)$", re.IGNORECASE)
_NOMINATED = re.compile(
    r"[\s>*•`_.)0-9-]{0,12}(standing|task)[`*_ ]{0,3}[:：][`*_]{0,3}\s{0,8}(\S.{0,2000})", re.IGNORECASE
)
_QUOTES = "\"'`“”„«»‘’「」『』 "
_LIMIT = 20_000


@value
class Struck:
    """A sentence that was taken out, and why."""

    sentence: str
    reason: str


@value
class Nomination:
    """What the model says is a rule of the person's: `quote` must be found in their words before it is one. `scope` is
    standing or task.
    """

    quote: str
    scope: str


@value
class Narrative:
    """`missing` says why there is none; `struck` are the claims without support. `rules` are nominated, and `refused`
    says which of them could not be taken; `names_rules` if the model was asked and answered, even that there are none.
    """

    completed: str = ""
    decisions: str = ""
    next_action: str = ""
    struck: tuple[Struck, ...] = ()
    missing: str = ""
    rules: tuple[Nomination, ...] = ()
    refused: str = ""
    names_rules: bool = False


def parse(text: str) -> Narrative:
    """The sections of a model's answer; `missing` if it has none of them. Nothing in it is checked yet."""
    clean = plain(text[:_LIMIT])
    found: dict[str, str] = {}
    heads = list(_HEADING.finditer(clean))
    if not heads:
        return Narrative(missing="the model's answer had none of the sections asked for")
    for head, following in zip(heads, [*heads[1:], None], strict=True):
        body = clean[head.end() : following.start() if following else len(clean)].strip()
        if body and not _EMPTY.match(body):
            found[_PARTS[head[1].lower()]] = _strip_headings(body)
    return Narrative(
        completed=found.get("completed", ""),
        decisions=found.get("decisions", ""),
        next_action=found.get("next_action", ""),
        rules=tuple(_nominations(found.get("rules", ""))),
        names_rules=any(_PARTS[head[1].lower()] == "rules" for head in heads),
    )


def _nominations(body: str) -> Iterator[Nomination]:
    """The lines that name a scope, each with its quote; any other line is no nomination."""
    for line in body.splitlines():
        if match := _NOMINATED.match(line):
            quote = match[2].strip().strip(_QUOTES)
            if quote:
                yield Nomination(quote, match[1].lower())


def _strip_headings(body: str) -> str:
    """Without headings of its own: the packet's headings are not the model's to write."""
    return "\n".join(line.lstrip("#").strip() if line.lstrip().startswith("#") else line for line in body.splitlines())
