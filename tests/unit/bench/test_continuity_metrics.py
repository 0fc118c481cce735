"""Documents written by hand, whose scores can be counted by hand."""

from __future__ import annotations

import pytest
from bench.continuity.metrics import NOTHING, Count, Score, score
from bench.continuity.planted import Planted
from bench.continuity.pooling import half_life, interval, median, pooled
from bench.continuity.truth import truth

from tests.unit.bench.continuity_kit import Talk

TOKEN = "ghp_" + "a1B2" * 9


def talk() -> Talk:
    made = Talk().user("Move the importer off the old queue.").user("Never write to the production bucket.")
    made.edit("src/importer.py").edit("src/adapter.py", created=True).plan(read_it="done", move_it="pending")
    made.run("pytest -q", 1).run("make lint", 1).run("make lint").run("git push origin x", 128)
    return made.user("Now find out why the push is refused.")


PERFECT = """# Handoff
## Scope
- First request: Move the importer off the old queue.
- Current request: Now find out why the push is refused.
### Constraints
- Never write to the production bucket.
## Files
- Files edited by this work: src/importer.py
- Files created by this work: src/adapter.py
## Completed
- [x] read it
- `make lint` → exit 0
## Open
- Fails: `pytest -q` → exit 1
- Fails: `git push origin x` → exit 128
- [ ] move it
"""


def scored(markdown: str, made: Talk | None = None, before: int = 0, planted: Planted = NOTHING) -> Score:
    return score(markdown, truth((made or talk()).entries, planted.canaries), before, planted)


def test_a_document_with_everything_scores_full_marks() -> None:
    full = scored(PERFECT)
    assert {name: count.share for name, count in full.recall.items() if count.facts} == dict.fromkeys(
        (*"UK1LFEXPVC", "KS", "UW", "LW"), 1.0
    )
    assert full.core == 1.0
    assert (full.unsupported, full.stale, full.leaks) == ((), (), 0)
    assert full.claims > 5
    assert full.missed == dict.fromkeys(full.missed, ())


@pytest.mark.parametrize(
    ("gone", "lost"),
    [
        ("Move the importer off", {"U": 2, "1": 0, "UW": 2}),
        ("Never write", {"U": 2, "K": 0, "KS": 0, "UW": 2}),
        ("why the push", {"U": 2, "L": 0, "UW": 2, "LW": 0}),
        ("src/importer.py", {"F": 1}),
        ("pytest -q", {"E": 1, "X": 1, "V": 1}),
        ("[ ] move it", {"P": 0}),
        ("make lint", {"V": 1, "C": 0}),
    ],
)
def test_each_missing_line_costs_what_it_said(gone: str, lost: dict[str, int]) -> None:
    document = "\n".join(line for line in PERFECT.splitlines() if gone not in line)
    full, less = scored(PERFECT), scored(document)
    hits = {name: count.hits for name, count in less.recall.items() if count != full.recall[name]}
    assert hits == lost


def test_an_empty_document_has_nothing() -> None:
    empty = scored("")
    assert sum(count.hits for count in empty.recall.values()) == 0
    assert (empty.core, empty.tokens, empty.claims) == (0.0, 0, 0)


def test_older_counts_only_what_was_born_before_the_cut_before() -> None:
    without_first = PERFECT.replace("Move the importer off the old queue.", "…")
    assert scored(without_first, before=1).older["U"] == Count(0, 1)
    assert scored(without_first, before=2).older["U"] == Count(1, 2)
    assert scored(without_first, before=0).older["U"] == Count(0, 0)


@pytest.mark.parametrize(
    ("line", "claim"),
    [
        ("- Files edited by this work: src/other.py", "changed: src/other.py"),
        ("- See docs/invented.md for more", "path: docs/invented.md"),
        ("- `cargo test --all` → exit 0", "run: cargo test --all"),
        ("- `pytest -q` → exit 0", "passed: pytest -q"),
        ("- Fails: `make lint` → exit 1", "failed: make lint"),
    ],
)
def test_claims_without_support_are_found(line: str, claim: str) -> None:
    assert claim in scored(f"{PERFECT}\n## More\n{line}\n").unsupported


def test_tests_pass_needs_a_green_run() -> None:
    red = Talk().user("go").run("pytest -q", 1)
    assert scored("- All tests pass.", red).unsupported == ("success: All tests pass",)
    assert scored("- All tests pass.", red.run("pytest -q")).unsupported == ()
    assert scored("- Make sure that all tests pass.", Talk().user("go")).unsupported == ()


def test_quotations_claim_nothing() -> None:
    assert scored("> see docs/invented.md, all tests pass", Talk().user("go")).claims == 0


def test_a_command_whose_secret_was_taken_out_is_still_supported() -> None:
    made = Talk().user("go").run(f"./deploy --header 'Authorization: Bearer {TOKEN}' https://x.example", 22)
    line = "- Fails: `./deploy --header 'Authorization: Bearer [redacted: github-token]' https://x.example` → exit 22"
    found = scored(line, made)
    assert (found.unsupported, found.leaks, found.recall["E"].hits) == ((), 0, 1)


@pytest.mark.parametrize(
    ("line", "stale"),
    [
        ("- [ ] read it", ("read it",)),
        ("- Fails: `make lint` → exit 1", ("make lint",)),
        ("- Make `make lint` pass.", ("make lint",)),
        ("- [x] read it", ()),
        ("- `make lint` passes again", ()),
        ("> - [ ] read it", ()),
    ],
)
def test_finished_things_shown_as_open_are_stale(line: str, stale: tuple[str, ...]) -> None:
    found = scored(f"{PERFECT}{line}\n")
    assert (found.stale, found.finished) == (stale, 2)


def test_secrets_in_the_document_are_leaks() -> None:
    made = Talk().user(f"the token is {TOKEN}").run("cat .env", 0, "PASSWORD=hunter2!x")
    assert scored(f"the token is {TOKEN}", made).leaks == 1
    assert scored("PASSWORD=hunter2!x", made, planted=Planted(("hunter2!x",))).leaks == 1
    kept = scored("the token is [redacted: github-token]", made, planted=Planted(("hunter2!x",)))
    assert (kept.leaks, kept.secrets, kept.recall["U"].hits) == (0, 2, 1)


@pytest.mark.parametrize(
    ("document", "standing"),
    [
        ("### Constraints\n- Keep the flag off.", 1),
        ("What the user demands:\n> Keep the flag off.", 1),
        ("### Constraints\n- Keep the flag off. (no longer)", 0),
        ("## Safety\n- No longer asked for: Keep the flag off.", 0),
        ("### What was asked\n- Keep the flag off.", 0),
    ],
)
def test_a_demand_that_was_taken_back_does_not_stand(document: str, standing: int) -> None:
    demand, revocation = "Keep the flag off.", "Forget what I said about the flag."
    planted = Planted(revoked=((demand, revocation),))
    before = scored(document, Talk().user(demand), planted=planted)
    assert (before.taken_back, before.standing) == (0, ())
    after = scored(document, Talk().user(demand).user(revocation), planted=planted)
    assert (after.taken_back, len(after.standing)) == (1, standing)


@pytest.mark.parametrize(
    ("document", "count"),
    [
        ("- No longer asked for: Keep the flag off.", 1),
        ("### Constraints\n- Keep the flag off.", 0),
        ("### Constraints\n- Keep the flag off.\n## Safety\n- No longer asked for: Keep the flag off.", 0),
        ("nothing", 0),
    ],
)
def test_a_demand_that_holds_must_not_be_called_gone(document: str, count: int) -> None:
    planted = Planted(demands=("Keep the flag off.",))
    found = scored(document, Talk().user("Keep the flag off."), planted=planted)
    assert (len(found.denied), found.held) == (count, Count(int("Constraints" in document), 1))
    assert scored(document, Talk().user("hello"), planted=planted).held == Count(0, 0)


def test_what_happened_on_a_dead_branch_is_a_ghost() -> None:
    planted = Planted(absent=("src/abandoned.py", "never"))
    assert scored("- changed src/abandoned.py", planted=planted).ghosts == ("src/abandoned.py",)


def test_how_a_command_ended_may_stand_right_behind_it() -> None:
    made = Talk().user("go").run("pytest -q", 1)
    assert scored("shell {'command': 'pytest -q'}\n\nshell (failed): 1 failed", made).recall["V"].hits == 1
    assert scored("shell {'command': 'pytest -q'}\n\nshell (ok): fine", made).recall["V"].hits == 0
    assert scored("pytest -q", made).recall["V"].hits == 0


def test_intervals_are_by_session_and_the_same_every_time() -> None:
    counts = [Count(1, 2), Count(10, 10), Count(0, 0), Count(3, 4)]
    low, high = interval(counts) or (0.0, 0.0)
    assert 0.5 <= low < (pooled(counts).share or 0) < high <= 1.0
    assert interval(counts) == (low, high)
    assert interval([Count(0, 0)]) is None
    assert interval([Count(5, 5)]) == (1.0, 1.0)


def test_half_life_is_the_first_n_below_a_half() -> None:
    assert half_life([0.9, 0.5, 0.49, 0.2]) == 3
    assert half_life([1.0, None, 0.5]) is None


def test_median() -> None:
    assert [median([3, 1, 2]), median([4, 1, 2, 3]), median([])] == [2, 2.5, 0.0]
