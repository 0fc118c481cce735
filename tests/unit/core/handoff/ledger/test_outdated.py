"""Results that something has happened to since."""

from __future__ import annotations

import pytest

from baton.core.handoff.ledger.fact import Ledger
from baton.core.handoff.ledger.merge import gather
from baton.core.handoff.ledger.outdated import find_changed, find_outdated
from baton.core.handoff.narration.narrative import Narrative
from baton.core.handoff.packet_text import Scene, render
from tests.unit.core.handoff.ledger.talk import Talk

FIRST, SECOND = "20260527_123456_abcdef", "20260528_123456_abcdef"
FAILED = "--- FAIL: TestDead (0.02s)"


def packet(ledger: Ledger) -> str:
    return render(ledger, Scene(chain=(FIRST, SECOND)), Narrative(missing="no model")).markdown


def outdated(ledger: Ledger) -> list[str]:
    found = find_outdated(ledger)
    return [fact.text for fact in ledger.facts if fact.id in found]


def suite() -> Talk:
    return Talk(FIRST).say("Make it eight.").run("go test ./...", 0, "ok example.com/sync 0.9s")


def test_a_wider_pass_is_told_with_the_failure_that_came_after_it() -> None:
    shown = packet(gather(suite().run("go test ./internal/queue", 1, FAILED).entries))
    assert "sync 0.9s (g1#4), before `go test ./internal/queue` failed (g1#7)" in shown


def test_also_if_the_failure_came_in_a_later_session() -> None:
    ledger = gather(Talk(SECOND).run("go test ./internal/queue", 1, FAILED).entries, gather(suite().entries))
    assert "before `go test ./internal/queue` failed (g2#3)" in packet(ledger)


@pytest.mark.parametrize(
    ("passed", "failed", "found"),
    [
        ("go test ./...", "go test ./internal/queue", True),
        ("go test ./... && go vet ./...", "go test ./internal/queue", True),
        ("pytest tests", "pytest tests/a.py::test_x", True),
        ("pytest tests/a.py", "pytest tests/a.py -k name", True),
        ("pytest tests/a.py", "pytest tests/b.py", False),
        ("pytest tests/a.py", "pytest", False),
        ("cd web && npm test && npm run lint", "cd api && npm test && npm run lint", False),
        ("go vet ./...", "go test ./internal/queue", False),
    ],
)
def test_only_what_holds_the_failure_is_outdated(passed: str, failed: str, found: bool) -> None:
    ledger = gather(Talk(FIRST).say("Go.").run(passed).run(failed, 1, FAILED).entries)
    assert bool(outdated(ledger)) is found


def test_a_pass_after_the_failure_is_not_outdated() -> None:
    talk = suite().run("go test ./internal/queue", 1, FAILED).run("go test ./internal/queue", 0, "ok")
    assert outdated(gather(talk.entries)) == []
    assert outdated(gather(suite().run("go test ./internal/queue", 1, FAILED).run("go test ./...").entries)) == []


@pytest.mark.parametrize(
    ("command", "output", "path", "changed"),
    [
        ("pytest tests/a.py", "1 failed in 0.10s", "tests/a.py", True),
        ("pytest tests/a.py", "1 failed in 0.10s", "/home/me/shop/tests/a.py", True),
        ("pytest", "FAILED tests/a.py::test_a\n1 failed in 0.10s", "tests/a.py", True),
        ("go test ./internal/queue", FAILED, "internal/queue/dead.go", True),
        ("go build ./...", 'internal/queue/m.go:9:2: cannot find package "x"', "internal/queue/m.go", True),
        ("pytest tests/a.py", "1 failed in 0.10s", "tests/aa.py", False),
        ("pytest tests/a.py", "1 failed in 0.10s", "docs/index.md", False),
        ("ruff check src", "Found 2 errors.", "src/a.py", False),
    ],
)
def test_a_failure_says_if_what_it_names_was_changed_since(command: str, output: str, path: str, changed: bool) -> None:
    talk = Talk(FIRST).say("Go.").write(path).run(command, 1, output)
    assert "not run since" not in packet(gather(talk.entries))
    ledger = gather(talk.write(path).entries)
    assert (f"not run since `{path}` was changed" in packet(ledger)) is changed
    (error,) = ledger.of("error")
    assert bool(find_changed(error, ledger)) is changed
    assert "not run since" not in packet(gather(talk.run(command, 1, output).entries))
