"""A repository's state in a few lines for a packet."""

from __future__ import annotations

from collections.abc import Sequence

from baton.core.display import one_line
from baton.core.workspace import RepoFacts

_FILES = 20
_COMMITS = 3


def repo_lines(facts: RepoFacts) -> list[str]:
    if not facts.is_git:
        return [f"Not a git repository: {facts.problem}" if facts.problem else "Not a git repository."]
    lines = [_position(facts)]
    if facts.operation:
        lines.append(f"In the middle of: {facts.operation}")
    for name in ("conflicted", "staged", "unstaged", "untracked"):
        paths: tuple[str, ...] = getattr(facts, name)
        if paths:
            lines.append(f"{name.capitalize()} ({len(paths)}): {_listed(paths)}")
    if facts.is_clean:
        lines.append("The work tree is clean.")
    lines += [f"Commit {each.sha[:10]} {one_line(each.subject, 100)}" for each in facts.commits[:_COMMITS]]
    return lines


def _position(facts: RepoFacts) -> str:
    where = f"Branch {facts.branch}" if facts.branch else "HEAD is detached"
    at = f" at {facts.head[:10]}" if facts.head else ", no commits yet"
    far = [f"{count} {word}" for count, word in ((facts.ahead, "ahead"), (facts.behind, "behind")) if count]
    distance = f", {' and '.join(far)} of {facts.upstream}" if far and facts.upstream else ""
    return f"{where}{at}{distance}"


def _listed(paths: Sequence[str]) -> str:
    more = f" and {len(paths) - _FILES} more" if len(paths) > _FILES else ""
    return ", ".join(one_line(path, 200) for path in paths[:_FILES]) + more
