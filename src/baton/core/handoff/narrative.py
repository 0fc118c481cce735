"""The model's part of a packet: its sections, the claims that the record supports, and Markdown that stays inside.

Tamed Markdown keeps lists and quotes, and cannot imitate or swallow what follows it.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from baton.core.display import plain
from baton.core.handoff.ledger import commands
from baton.core.handoff.ledger import fact as facts
from baton.core.handoff.ledger.fact import Ledger
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


_HEADING = re.compile(r"^#{1,4} *(completed work|design decisions|next recommended action)\b.*$", re.IGNORECASE | re.M)
_PARTS = {"completed work": "completed", "design decisions": "decisions", "next recommended action": "next_action"}
_EMPTY = re.compile(r"^(?:none(?: recorded)?\.?|n/?a\.?|-)$", re.IGNORECASE)
_SENTENCE = re.compile(r"[^.!?\n]+(?:[.!?](?=\S)[^.!?\n]*)*[.!?]*|\n")
_CODE = re.compile(r"`([^`\n]{2,300})`")
_PATH = re.compile(
    r"(?<![\w:/.])(?:[\w.@+-]+/)*[\w@+-][\w.@+-]*\.[A-Za-z][A-Za-z0-9]{0,7}(?![\w/])|(?:[\w.@+-]+/){1,}[\w.@+-]+"
)
_SUCCESS = re.compile(
    r"\b(?:tests?|suite|checks?|build|lint|linter|type ?checks?|ci|everything|all)\b[^.\n]{0,40}"
    r"\b(?:pass(?:es|ed|ing)?|succeed(?:s|ed)?|green|clean)\b|\bverified\b",
    re.IGNORECASE,
)
_NOT = re.compile(
    r"\b(?:not|never|no|fail|fails|failed|failing|until|should|must|will|unless|without|if|once)\b", re.IGNORECASE
)
_PROGRAM = re.compile(r"[a-z][\w.-]{0,30}(?: |$)")
_LIMIT = 20_000


@value
class Narrative:
    """`missing` says why there is none; `struck` counts claims without support."""

    completed: str = ""
    decisions: str = ""
    next_action: str = ""
    struck: int = 0
    missing: str = ""


def parse(text: str) -> Narrative:
    """The three sections of a model's answer; `missing` if it has none of them."""
    clean = plain(text[:_LIMIT])
    found: dict[str, str] = {}
    heads = list(_HEADING.finditer(clean))
    if not heads:
        return Narrative(missing="the model's answer had none of the sections asked for")
    for head, following in zip(heads, [*heads[1:], None], strict=True):
        body = clean[head.end() : following.start() if following else len(clean)].strip()
        if body and not _EMPTY.match(body):
            found[_PARTS[head[1].lower()]] = _strip_headings(body)
    return Narrative(found.get("completed", ""), found.get("decisions", ""), found.get("next_action", ""))


def _strip_headings(body: str) -> str:
    """Without headings of its own: the packet's headings are not the model's to write."""
    return "\n".join(line.lstrip("#").strip() if line.lstrip().startswith("#") else line for line in body.splitlines())


def check(narrative: Narrative, ledger: Ledger, known: Collection[str]) -> Narrative:
    """Without what the record does not support. `known` are paths that were read, listed or named by you."""
    record = _Record(ledger, known)
    completed, first = _strike_unsupported(narrative.completed, record)
    decisions, second = _strike_unsupported(narrative.decisions, record)
    return Narrative(completed, decisions, narrative.next_action, narrative.struck + first + second, narrative.missing)


class _Record:
    def __init__(self, ledger: Ledger, known: Collection[str]) -> None:
        self.paths = {fact.text for fact in ledger.of(facts.FILE)} | set(known)
        self.names = {path.rsplit("/", 1)[-1] for path in self.paths}
        runs = [*ledger.of(facts.COMMAND), *ledger.of(facts.ERROR)]
        self.runs = {fact.key for fact in runs}
        self.green = any(fact.data.get("validates") for fact in ledger.of(facts.COMMAND))
        self.red = any(commands.is_validating(fact.text) for fact in ledger.of(facts.ERROR, facts.OPEN))

    def has_path(self, path: str) -> bool:
        clean = path.strip("./")
        return clean in self.paths or clean in self.names or any(each.endswith(f"/{clean}") for each in self.paths)

    def has_run(self, command: str) -> bool:
        key = commands.normalize(command)
        return any(key == run or run.startswith(f"{key} ") for run in self.runs)


def _strike_unsupported(text: str, record: _Record) -> tuple[str, int]:
    kept: list[str] = []
    struck = 0
    for sentence in _SENTENCE.findall(text):
        if sentence == "\n" or _is_supported(sentence, record):
            kept.append(sentence)
        else:
            struck += 1
    lines = [line.rstrip() for line in "".join(kept).splitlines()]
    return "\n".join(line for line in lines if line.strip(" -*•")), struck


def _is_supported(sentence: str, record: _Record) -> bool:
    for span in _CODE.findall(sentence):
        if commands.is_validating(span) and _PROGRAM.match(span) and not record.has_run(span):
            return False
    if not all(record.has_path(path) for path in _paths(sentence)):
        return False
    claims = _SUCCESS.search(sentence) and not _NOT.search(sentence)
    return not claims or (record.green and not record.red)


def _paths(sentence: str) -> list[str]:
    """File names as they stand in a sentence; numbers, versions and addresses are none."""
    found: list[str] = []
    for match in _PATH.finditer(sentence):
        path = match[0].rstrip(".")
        if "://" not in sentence[max(0, match.start() - 8) : match.start()] and not path.replace(".", "").isdigit():
            found.append(path)
    return [path for path in found if re.search(r"\w{2}\.[A-Za-z]\w{0,7}$", path)]
