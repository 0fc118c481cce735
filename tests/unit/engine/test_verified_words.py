"""What a fresh session says first: what of the packet was found to be so."""

from __future__ import annotations

import pytest

from baton.core.handoff.workspace import FileMark, RepoFacts, Snapshot
from baton.engine.handoff.verify import describe_match

HEAD = "4f2c91a03b5d"


def marks(count: int) -> tuple[FileMark, ...]:
    return tuple(FileMark(f"{number}.py", "file") for number in range(count))


def repository(changed: int, logs: int = 0, branch: str = "main", head: str = HEAD) -> Snapshot:
    facts = RepoFacts("/w", True, branch, head, unstaged=tuple(mark.path for mark in marks(changed)))
    return Snapshot(facts, marks(changed), marks(logs))


@pytest.mark.parametrize(
    ("claimed", "said"),
    [
        (
            repository(7, 2),
            "HEAD 4f2c91a on main and the 7 changed files match the packet; the 2 logs it names are there.",
        ),
        (repository(1, 1), "HEAD 4f2c91a on main and the changed file match the packet; the log it names is there."),
        (repository(0), "HEAD 4f2c91a on main matches the packet."),
        (repository(0, branch="", head=""), "HEAD (no commit) on no branch matches the packet."),
        (Snapshot(RepoFacts("/w", False), marks(3)), "The 3 files match the packet."),
        (Snapshot(RepoFacts("/w", False), marks(1)), "The file matches the packet."),
        (Snapshot(RepoFacts("/w", False)), "The workspace matches the packet."),
    ],
)
def test_what_was_verified_is_said_in_one_sentence(claimed: Snapshot, said: str) -> None:
    assert describe_match(claimed) == said
