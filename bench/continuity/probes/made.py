"""What work produced outside the files: links of pull requests and issues (W), commits (H)."""

from __future__ import annotations

import re

from bench.continuity.dialogue import Call, Dialogue
from bench.continuity.fact import Fact, once
from bench.continuity.folding import COMMAND, bare

_MAKES_LINK = re.compile(
    r"\bgh (?:pr|issue) create\b|\bglab (?:mr|issue) create\b|\bhub pull-request\b|\btea (?:pr|issues?) create\b"
)
_MAKING_TOOL = re.compile(r"(?i)create_?(?:pull_?request|merge_?request|issue|pr)\b")
_LINK = re.compile(r"https?://[^\s<>\"'`)\]]{3,200}/(?:pull|pulls|issues|merge_requests)/\d{1,9}\b")
_COMMITTED = re.compile(r"^\[([\w./@+-]{1,200})(?: \([\w -]+\))? ([0-9a-f]{7,40})\] (.{1,300})$", re.MULTILINE)
_AMENDS = re.compile(r"\bgit\b.{0,80}\bcommit\b.{0,200}--amend", re.DOTALL)


def links(before: Dialogue, secrets: tuple[str, ...]) -> list[Fact]:
    del secrets
    made = [
        (found, call.ended) for call in before.calls if _makes_link(call) for found in _LINK.findall(call.result or "")
    ]
    return once(Fact(link, (link,), born) for link, born in made)


def _makes_link(call: Call) -> bool:
    return bool(_MAKES_LINK.search(call.command) or _MAKING_TOOL.search(call.name))


def commits(before: Dialogue, secrets: tuple[str, ...]) -> list[Fact]:
    """As git reports them: `[branch 1a2b3c4] subject`. A commit that was amended is gone."""
    del secrets
    found: list[Fact] = []
    for call in before.shell:
        if "commit" not in call.command and "git " not in call.command:
            continue
        for _, name, subject in _COMMITTED.findall(call.result or ""):
            if found and _AMENDS.search(call.command):
                found.pop()
            found.append(Fact(f"{name} {subject}", (name[:7],), call.ended, (bare(subject)[:COMMAND].rstrip(),)))
    return once(found)
