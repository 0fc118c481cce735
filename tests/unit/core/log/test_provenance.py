"""Where a head comes from, word for word as editors get it."""

from __future__ import annotations

from typing import Any

import pytest

from baton.core.log.provenance import Standing, provenance
from baton.core.log.session import Session, Vitals

ROOT, TWO, THREE, FOUR = "20260101_000000_aaaaaa", "20260102_000000_bbbbbb", "20260103_000000_cccccc", "20260104_0_d"
ACP = "c_0123456789ab"


def session(id_: str, parent: str | None = None, edge: str = "root", depth: int = 0, **more: Any) -> Session:
    given = {"conversation_id": ACP, "parent_seq": None, "root_id": ROOT, "reason": "", "model": "m", **more}
    return Session(
        id=id_, parent_id=parent, edge=edge, depth=depth, started_at=0, ended_at=None, end_reason=None, entries=0,
        tokens=0, **given,
    )  # fmt: skip


def fuller(**other: Any) -> dict[str, Any]:
    plain = {
        "conversationId": ACP,
        "sessionId": ROOT,
        "rootSessionId": ROOT,
        "parentSessionId": None,
        "edge": "root",
        "reason": "",
        "depth": 0,
        "sessions": 1,
        "handoffs": 0,
        "handoffId": None,
        "handoffState": "none",
        "packetPath": None,
        "compressionMode": None,
        "compressions": 0,
        "lineageCompressions": 0,
        "lossyCount": 0,
        "failedCount": 0,
        "timedOutCount": 0,
    }
    return {**plain, **other}


def known(**other: Any) -> dict[str, Any]:
    plain = {
        "acpSessionId": ACP,
        "currentHermesSessionId": ROOT,
        "rootHermesSessionId": ROOT,
        "parentHermesSessionId": None,
        "sessionKind": "root",
        "creatorKind": "user",
        "compressionDepth": 0,
        "isUserFacing": True,
    }
    return {**plain, **other}


WENT_ON = {"parentHermesSessionId": ROOT, "previousHermesSessionId": ROOT, "sessionKind": "continuation"}
BELOW = {"parentSessionId": ROOT, "depth": 1}

CASES: dict[str, tuple[Standing, dict[str, Any], dict[str, Any]]] = {
    "root": (Standing(ACP, [session(ROOT)], [Vitals()]), known(), fuller()),
    "split compression": (
        Standing(ACP, [session(ROOT), session(TWO, ROOT, "compression", 1)], [Vitals(), Vitals(compressions=1)]),
        known(
            currentHermesSessionId=TWO, **WENT_ON, creatorKind="compression", reason="compression", compressionDepth=1
        ),
        fuller(
            sessionId=TWO, **BELOW, edge="compression", sessions=2, compressionMode="split", compressions=1,
            lineageCompressions=1,
        ),
    ),
    "in-place compression": (
        Standing(ACP, [session(ROOT)], [Vitals(compressions=2, lossy=1, failed=1)]),
        known(compressionDepth=2),
        fuller(compressionMode="in_place", compressions=2, lineageCompressions=2, lossyCount=1, failedCount=1),
    ),
    "in place after a split": (
        Standing(ACP, [session(ROOT), session(TWO, ROOT, "compression", 1)], [Vitals(), Vitals(compressions=2)]),
        known(
            currentHermesSessionId=TWO, **WENT_ON, creatorKind="compression", reason="compression", compressionDepth=2
        ),
        fuller(
            sessionId=TWO, **BELOW, edge="compression", sessions=2, compressionMode="in_place", compressions=2,
            lineageCompressions=2,
        ),
    ),
    "handoff": (
        Standing(
            ACP, [session(ROOT), session(TWO, ROOT, "handoff", 1, reason="user")], [Vitals(compressions=2), Vitals()],
            "p_1", ".baton/handoffs/x.md",
        ),
        known(currentHermesSessionId=TWO, **WENT_ON, creatorKind="handoff", reason="handoff", compressionDepth=2),
        fuller(
            sessionId=TWO, **BELOW, edge="handoff", reason="user", sessions=2, handoffs=1, handoffId="p_1",
            handoffState="done", packetPath=".baton/handoffs/x.md", lineageCompressions=2,
        ),
    ),
    "a draft that waits": (
        Standing(ACP, [session(ROOT)], [Vitals()], draft_id="d_1"),
        known(),
        fuller(handoffId="d_1", handoffState="offered"),
    ),
    "chain of three": (
        Standing(
            ACP,
            [session(ROOT), session(TWO, ROOT, "handoff", 1), session(THREE, TWO, "handoff", 2)],
            [Vitals(compressions=1), Vitals(compressions=3, lossy=1), Vitals()],
            "p_2",
            "y.md",
        ),
        known(
            currentHermesSessionId=THREE, parentHermesSessionId=TWO, previousHermesSessionId=TWO,
            sessionKind="continuation", creatorKind="handoff", reason="handoff", compressionDepth=4,
        ),
        fuller(
            sessionId=THREE, parentSessionId=TWO, edge="handoff", depth=2, sessions=3, handoffs=2, handoffId="p_2",
            handoffState="done", packetPath="y.md", lineageCompressions=4, lossyCount=1,
        ),
    ),
    "fork": (
        Standing(
            ACP,
            [session(ROOT, conversation_id="c_parent"), session(TWO, ROOT, "fork", 1, parent_seq=4)],
            [Vitals(compressions=1), Vitals()],
        ),
        known(
            currentHermesSessionId=TWO, parentHermesSessionId=ROOT, sessionKind="fork", reason="fork",
            compressionDepth=1,
        ),
        fuller(sessionId=TWO, **BELOW, edge="fork", lineageCompressions=1),
    ),
    "import": (
        Standing(ACP, [session(ROOT, edge="import", reason="claude-code")], [Vitals()]),
        known(creatorKind="import", reason="import"),
        fuller(edge="import", reason="claude-code"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_every_standing_has_its_words(name: str) -> None:
    standing, hermes, baton = CASES[name]
    head = standing.head.id
    expected = {"agentSessionId": head, "hermes": {"sessionProvenance": hermes}, "baton": baton}
    assert provenance(ACP, standing) == expected


def test_a_head_that_moved_names_the_one_the_client_knew() -> None:
    chain = [session(ROOT), session(TWO, ROOT, "handoff", 1), session(THREE, TWO, "handoff", 2)]
    found = provenance("by-another-id", Standing(ACP, chain, [Vitals()] * 3), ROOT)
    assert found["hermes"]["sessionProvenance"]["previousHermesSessionId"] == ROOT
    assert found["hermes"]["sessionProvenance"]["acpSessionId"] == "by-another-id"
