"""Commands as the metric sees them, written apart from the ledger so that one can catch the other's mistakes."""

from __future__ import annotations

import re

from bench.continuity.folding import folded

_CD = re.compile(r"^cd \S+ ?(?:&&|;) ?")
_VARIABLE = re.compile(r"^[A-Z_][A-Z0-9_]*=\S* ")
_END = re.compile(r" ?(?:2>&1|\| ?(?:tail|head)\b[^|]*|\|\| true)$")
_READS = re.compile(
    r"^(?:ls|cat|head|tail|grep|rg|find|fd|wc|which|pwd|echo|stat|file|tree|du|df|test|\[|type|env|printenv|ps|date"
    r"|git (?:status|log|diff|show|branch|rev-parse|ls-files|blame|remote))\b"
)
_VALIDATES = re.compile(
    r"\b(?:pytest|tox|jest|vitest|mocha|rspec|ctest|mypy|pyright|ruff|eslint|tsc|clippy|unittest)\b"
    r"|\b(?:go|cargo|npm|pnpm|yarn|make|gradle|mvn|dotnet)\b.{0,12}\b(?:test|check|lint|build|vet)\b"
)
_TEST_ID = re.compile(r"^(?:FAILED|--- FAIL:|✕|FAIL) +([\w./:\[\]-]{4,200})", re.MULTILINE)


def normal(command: str) -> str:
    """The same for runs of one command that differ in directory, variables and how their output was cut."""
    text = folded(command)
    while (short := _VARIABLE.sub("", _CD.sub("", text))) != text:
        text = short
    while (short := _END.sub("", text)) != text:
        text = short
    return text


def reads_only(command: str) -> bool:
    """Probes: every part looks and none writes."""
    parts = [part.strip() for part in re.split(r"&&|\|\||[;|]", normal(command)) if part.strip()]
    return bool(parts) and all(_READS.match(part) and not re.search(r"(?<![2&])>(?!&)", part) for part in parts)


def validates(command: str) -> bool:
    return _VALIDATES.search(normal(command)) is not None


def failed_tests(output: str) -> list[str]:
    return list(dict.fromkeys(_TEST_ID.findall(output)))
