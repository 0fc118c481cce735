from __future__ import annotations

import pytest

from baton.core.errors import BadInput
from baton.core.handoff import drift
from baton.core.handoff.drift import Difference, compare
from baton.core.handoff.workspace import UNREAD, Between, Commit, FileMark, Remote, RepoFacts, Setup, Snapshot
from baton.core.paths import is_beneath
from baton.core.value import replace

FACTS = RepoFacts(
    "/w", True, branch="main", head="a" * 40, staged=("s",), stage="one", unstaged=("f",), untracked=("n",)
)
MARKS = (FileMark("f", "file", "11", 2), FileMark("n", "file", "22", 2), FileMark("s", "file", "33", 2))
HERE = Snapshot(FACTS, MARKS, (FileMark("log", "file", "44", 2),))


def changed(**facts: object) -> Snapshot:
    return replace(HERE, facts=replace(FACTS, **facts))


def marked(*marks: FileMark, **facts: object) -> Snapshot:
    kept = {mark.path: mark for mark in MARKS} | {mark.path: mark for mark in marks}
    return replace(changed(**facts), marks=tuple(kept.values()))


def kinds(live: Snapshot, packet: Snapshot = HERE) -> list[str]:
    return [each.kind for each in compare(packet, live).differences]


def test_nothing_changed() -> None:
    found = compare(HERE, HERE)
    assert not found
    assert found.report() == drift.NOTHING
    assert found.as_dict() == {"drift": False, "count": 0, "differences": []}


@pytest.mark.parametrize(
    ("live", "expected"),
    [
        (changed(head="b" * 40), [drift.HEAD_MOVED]),
        (changed(branch="topic"), [drift.BRANCH_SWITCHED]),
        (changed(branch=""), [drift.BRANCH_SWITCHED]),
        (changed(operation="rebase"), [drift.OPERATION]),
        (changed(conflicted=("f",)), [drift.CONFLICTS_CHANGED]),
        (changed(staged=("s", "f"), stage="two"), [drift.STAGED_CHANGED]),
        (changed(stage="two"), [drift.STAGED_CHANGED]),
        (changed(is_git=False), [drift.REPOSITORY_GONE]),
        (marked(FileMark("f", "file", "99", 2)), [drift.EDITED]),
        (marked(FileMark("f", "absent")), [drift.DELETED]),
        (marked(FileMark("f", "executable", "11", 2)), [drift.MODE_CHANGED]),
        (marked(FileMark("f", "link", "11", 2)), [drift.MODE_CHANGED]),
        (marked(FileMark("x", "file", "1")), [drift.EDITED]),
        (marked(FileMark("x", "file", "1"), untracked=("n", "x")), [drift.APPEARED]),
        (marked(FileMark("x", "absent")), [drift.DELETED]),
        (replace(HERE, marks=MARKS[1:]), [drift.NO_LONGER_CHANGED]),
        (replace(HERE, evidence=(FileMark("log", "absent"),)), [drift.EVIDENCE_MISSING]),
        (replace(HERE, evidence=()), [drift.EVIDENCE_MISSING]),
        (replace(HERE, evidence=(FileMark("log", "file", "45", 2),)), [drift.EVIDENCE_ALTERED]),
        (changed(upstream="origin/main", ahead=3, commits=(Commit("1", "x", 1),)), []),
        (changed(remotes=(Remote("o", "u"),)), [drift.REMOTE_CHANGED]),
        (changed(setup=(Setup("hook", "pre-push", "1"),)), []),
    ],
)
def test_each_difference(live: Snapshot, expected: list[str]) -> None:
    assert kinds(live) == expected
    for each in compare(HERE, live).differences:
        assert each.sentence


def test_the_order_is_repository_then_files_by_path_then_evidence() -> None:
    live = marked(FileMark("f", "absent"), FileMark("b", "file", "1"), head="c" * 40, branch="x", stage="two")
    live = replace(live, evidence=())
    assert kinds(live) == [
        *(drift.BRANCH_SWITCHED, drift.HEAD_MOVED, drift.STAGED_CHANGED),
        *(drift.EDITED, drift.DELETED, drift.EVIDENCE_MISSING),
    ]


def test_the_report_says_what_changed() -> None:
    live = marked(FileMark("new\nline", "file", "1"), head="b" * 40, untracked=("n", "new\nline"))
    report = compare(HERE, live, Between(2, 1, ("src/a.py",))).report()
    assert report.splitlines() == [
        "The workspace has changed since the packet was written (2):",
        "- HEAD moved from aaaaaaaaaaaa to bbbbbbbbbbbb (2 commits ahead of the packet's, 1 behind; "
        "files that differ: src/a.py).",
        '- New: "new\\nline"',
    ]


def test_a_long_report_is_cut() -> None:
    found = drift.Drift(tuple(Difference(drift.EDITED, str(number)) for number in range(150)))
    assert len(found.report().splitlines()) == 102
    assert found.report().endswith("… and 50 more")
    assert (found.as_dict()["count"], len(found.as_dict()["differences"])) == (150, 100)


def test_files_not_listed_for_their_number_are_no_news() -> None:
    packet = changed(truncated=True)
    assert kinds(marked(FileMark("x", "file", "1"), truncated=True), packet) == []
    assert kinds(marked(FileMark("f", "absent"), truncated=True), packet) == [drift.DELETED]


def test_of_a_file_that_was_not_read_the_size_tells() -> None:
    packet = replace(HERE, marks=(FileMark("f", "file", UNREAD, 5),))
    assert kinds(replace(HERE, marks=(FileMark("f", "file", "11", 5),)), packet) == []
    assert kinds(replace(HERE, marks=(FileMark("f", "file", UNREAD, 6),)), packet) == [drift.EDITED]


def test_outside_of_git_new_files_are_new() -> None:
    plain = Snapshot(RepoFacts("/w", False), MARKS)
    live = replace(plain, marks=(*MARKS, FileMark("x", "file", "1")))
    assert kinds(live, plain) == [drift.APPEARED]
    assert kinds(replace(HERE, marks=()), replace(plain, marks=())) == [drift.REPOSITORY_APPEARED]


@pytest.mark.parametrize(
    "given_",
    [
        *(None, [], {"repository": None}, {"repository": {"root": 1}}, {"repository": {}, "marks": [{"kind": "pipe"}]}),
        *({"repository": {"staged": "abc"}}, {"repository": {"ahead": "1"}}, {"repository": {}, "marks": [3]}),
    ],
)
def test_what_is_no_snapshot_is_refused(given_: object) -> None:
    with pytest.raises(BadInput):
        Snapshot.from_dict(given_)


@pytest.mark.parametrize(
    "path",
    [
        *("", "/", "/etc/passwd", "..", "../x", "a/../b", "a//b", "./a", ".git/config", "a/.GIT/hooks/x"),
        *(".g\u200cit/x", "GIT~1/x", ".git./x", ".git /x", ".git:stream", "a\0b", "ｇ/．ｇｉｔ/x"),
    ],
)
def test_paths_that_lead_elsewhere(path: str) -> None:
    assert not is_beneath(path)


@pytest.mark.parametrize("path", ["a", "a/b", ".gitignore", ".github/x", "a b", "..x", "git"])
def test_paths_that_stay(path: str) -> None:
    assert is_beneath(path)
