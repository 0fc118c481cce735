"""Any two snapshots of a workspace compare."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from baton.core.display import plain
from baton.core.handoff.drift import compare
from baton.core.handoff.workspace import KINDS, Commit, FileMark, Remote, RepoFacts, Snapshot
from baton.core.paths import quote_path, unquote_path

RAW = st.binary(min_size=1, max_size=20).filter(lambda name: b"\0" not in name)
NAMES = RAW.map(lambda name: name.decode("utf-8", "surrogateescape"))
TEXT = st.text(max_size=20)
MARK = st.builds(FileMark, NAMES, st.sampled_from(KINDS), TEXT, st.integers(0, 2**40))
FILES = st.lists(NAMES, max_size=4).map(tuple)
REPO = st.builds(
    RepoFacts,
    root=NAMES,
    is_git=st.booleans(),
    branch=st.one_of(st.just(""), NAMES),
    head=TEXT,
    operation=TEXT,
    upstream=st.one_of(st.just(""), NAMES),
    ahead=st.one_of(st.none(), st.integers(0, 9)),
    behind=st.one_of(st.none(), st.integers(0, 9)),
    staged=FILES,
    unstaged=FILES,
    untracked=FILES,
    conflicted=FILES,
    stage=TEXT,
    commits=st.lists(st.builds(Commit, TEXT, TEXT, st.integers(0, 2**40)), max_size=2).map(tuple),
    remotes=st.lists(st.builds(Remote, TEXT, TEXT), max_size=2).map(tuple),
    truncated=st.booleans(),
    problem=TEXT,
)
SNAPSHOT = st.builds(Snapshot, REPO, st.lists(MARK, max_size=4).map(tuple), st.lists(MARK, max_size=2).map(tuple))


@given(SNAPSHOT)
def test_a_snapshot_survives_json_and_has_not_drifted_from_itself(snapshot: Snapshot) -> None:
    text = json.dumps(snapshot.as_dict(), ensure_ascii=False)
    back = Snapshot.from_dict(json.loads(text))
    assert back == snapshot
    assert not compare(snapshot, back)


@given(NAMES)
def test_any_name_can_be_kept_shown_and_read_again(name: str) -> None:
    shown = quote_path(name)
    shown.encode()
    assert shown.isprintable()
    assert unquote_path(shown) == name


@given(SNAPSHOT, SNAPSHOT)
def test_any_two_snapshots_compare(one: Snapshot, other: Snapshot) -> None:
    report = compare(one, other).report()
    report.encode()
    assert plain(report) == report
