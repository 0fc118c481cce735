"""What is known of each part of a command, from its output, the operators and the exit code."""

from __future__ import annotations

import re
import time

import pytest

from baton.core.handoff.results import CHECK, LOOK, PartResult, judge, judge_call, read_chain
from baton.core.handoff.results.readers import find_readers


def verdicts(
    command: str, output: str, exit_: int | None, pipe: list[int] | None = None, *, ok: bool | None = None
) -> dict[str, str]:
    """By tool, without what only looks; a part that may have made the command fail has a question mark."""
    results = judge(command, output, exit_, exit_ == 0 if ok is None else ok, pipe=pipe)
    return {each.part.key: each.verdict + "?" * each.suspect for each in results if each.part.kind != LOOK}


RED, GREEN = "2 failed, 1 passed in 0.10s", "3 passed in 0.10s"
CLEAN, DIRTY = "All checks passed!", "Found 3 errors."
CASES = [
    # what stands before a part that spoke has passed, whatever its own reader takes the lines for
    (
        "cargo fmt --check && cargo clippy -- -D warnings && cargo test",
        "error: unused variable: `depth`\n --> src/lib.rs:9:5\nerror: could not compile `lexer` (lib) due to 1 error",
        101,
        {"cargo fmt": "passed", "cargo clippy warnings": "failed"},
    ),
    ("tsc --noEmit && eslint src", "✖ 1 problem (1 error, 0 warnings)", 1, {"tsc": "passed", "eslint src": "failed"}),
    ("black --check . && pytest -q", RED, 1, {"black": "passed", "pytest": "failed"}),
    ("black --check . ; pytest -q", RED, 1, {"black": "unknown?", "pytest": "failed"}),
    ("./check.sh && pytest -q", RED, 1, {"check.sh": "unknown?", "pytest": "failed"}),
    ("make fmt && make lint", "", 0, {"make fmt": "passed", "make lint": "passed"}),
    ("make fmt && make lint", "?", 1, {"make fmt": "unknown?", "make lint": "unknown?"}),
    ("make fmt; make lint", "?", 0, {"make fmt": "unknown", "make lint": "passed"}),
    ("make fmt; make lint", "?", 1, {"make fmt": "unknown?", "make lint": "failed"}),
    ("make fmt\nmake lint", "?", 0, {"make fmt": "unknown", "make lint": "passed"}),
    ("set -e; make fmt; make lint", "?", 0, {"make fmt": "passed", "make lint": "passed"}),
    ("set -e; make fmt; make lint", "?", 1, {"make fmt": "unknown?", "make lint": "unknown?"}),
    ("make fmt || make lint", "?", 1, {"make fmt": "failed", "make lint": "failed"}),
    ("make fmt || make lint", "?", 0, {"make fmt": "unknown", "make lint": "unknown"}),
    ("make lint || true", "?", 0, {"make lint": "unknown"}),
    ("make lint || exit 1", "?", 1, {"make lint": "failed"}),
    ("make lint; echo done", "?", 0, {"make lint": "unknown"}),
    ("make lint && echo done", "done", 0, {"make lint": "passed"}),
    ("make lint && echo done", "?", 2, {"make lint": "failed"}),
    ("make lint | tee log", "?", 0, {"make lint": "unknown"}),
    ("set -o pipefail; make lint | tee log", "?", 0, {"make lint": "passed"}),
    ("set -o pipefail; make lint | tee log", "?", 1, {"make lint": "failed"}),
    ("! make lint", "?", 0, {"make lint": "failed"}),
    ("! make lint", "?", 1, {"make lint": "passed"}),
    ("make lint &", "?", 0, {"make lint": "unknown"}),
    ("(make fmt && make lint)", "", 0, {"make fmt": "passed", "make lint": "passed"}),
    ("bash -c 'make fmt && make lint'", "", 0, {"make fmt": "passed", "make lint": "passed"}),
    ("cd web && (make fmt; make lint)", "?", 1, {"make fmt in web": "unknown?", "make lint in web": "failed"}),
    ("for x in a b; do make lint; done", "?", 0, {"make lint": "unknown"}),
    ("if make fmt; then make lint; fi", "?", 0, {"make fmt": "unknown", "make lint": "unknown"}),
    ("ruff check . && pytest", f"{CLEAN}\n{GREEN}", 0, {"ruff check": "passed", "pytest": "passed"}),
    ("ruff check . && pytest", f"{CLEAN}\n{RED}", 1, {"ruff check": "passed", "pytest": "failed"}),
    ("ruff check . && pytest", DIRTY, 1, {"ruff check": "failed"}),
    ("ruff check . && pytest", CLEAN, 1, {"ruff check": "passed", "pytest": "failed"}),
    ("ruff check . ; pytest | tail -3", f"{DIRTY}\n{GREEN}", 0, {"ruff check": "failed", "pytest": "passed"}),
    ("ruff check . | tail -1 && pytest | tail -1", f"{DIRTY}\n{RED}", 0, {"ruff check": "failed", "pytest": "failed"}),
    ("ruff check .; npm test | tail -3", CLEAN, 0, {"ruff check": "passed", "npm test": "unknown"}),
    ("pytest a.py; pytest b.py", f"{RED}\n{GREEN}", 0, {"pytest a.py": "failed", "pytest b.py": "passed"}),
    ("pytest a.py && pytest b.py", f"{GREEN}\n{RED}", 1, {"pytest a.py": "passed", "pytest b.py": "failed"}),
    ("pytest a.py && pytest b.py", RED, 1, {"pytest a.py": "failed"}),
    ("pytest a.py | tail -1; pytest b.py | tail -1", GREEN, 0, {"pytest a.py": "unknown", "pytest b.py": "unknown"}),
    ("pytest a.py; pytest b.py", RED, 0, {"pytest a.py": "unknown?", "pytest b.py": "unknown?"}),
    ("make lint && make test", "2 failed, 3 passed", 0, {"make lint": "unknown?", "make test": "unknown?"}),
    ("make lint && make test", "3 passed", 0, {"make lint": "passed", "make test": "passed"}),
    ("pytest && git push", GREEN, 1, {"pytest": "passed", "git push": "failed"}),
    ("pytest && git push", RED, 1, {"pytest": "failed"}),
    ("pytest; git push", RED, 0, {"pytest": "failed", "git push": "passed"}),
    (
        "git add -A && git commit -m 'make it pass' && git push",
        "",
        0,
        {"git add -A": "passed", "git commit -m make it pass": "passed", "git push": "passed"},
    ),
    ("git push 2>&1 | tail -2", "error: failed to push some refs to 'x'", 0, {"git push": "failed"}),
    ("cat log && pytest", "2 failed, 9 passed in 1.0s", 1, {"pytest": "failed"}),
    ("pytest", RED, 0, {"pytest": "failed"}),
    ("ls x && make lint", "ls: cannot access 'x': No such file or directory", 2, {}),
    ("cd web && make lint", "bash: line 1: cd: web: No such file or directory", 1, {}),
    (
        "npm run lint && npm test",
        "> web@1.0.0 lint\n> eslint .\n\n> web@1.0.0 test\n> jest\n\nTests:  1 failed, 2 passed, 3 total",
        1,
        {"npm lint": "passed", "npm test": "failed"},
    ),
    (
        "npm run lint && npm test",
        "> web@1.0.0 lint\n> eslint .\n\n✖ 3 problems (1 error, 2 warnings)",
        1,
        {"npm lint": "failed"},
    ),
    (
        "npm run lint && npm test | tail -2",
        "> web@1.0.0 lint\n> eslint .\n\nTests:  1 failed, 2 passed, 3 total",
        0,
        {"npm lint": "unknown?", "npm test": "unknown?"},
    ),
    (
        "npm run lint && npm run nope",
        '> web@1.0.0 lint\n> eslint .\n\nnpm error Missing script: "nope"',
        1,
        {"npm lint": "unknown?", "npm nope": "unknown?"},
    ),
    (
        "npm run lint; npm test",
        "> web@1.0.0 lint\n> eslint .\n✖ 3 problems (1 error, 2 warnings)\n> web@1.0.0 test\n> vitest run\n",
        0,
        {"npm lint": "failed", "npm test": "passed"},
    ),
    (
        "git add -A && git commit -m \"$(cat <<'EOF'\nIt's done: don't (make) a fuss\nEOF\n)\" && git push",
        "",
        0,
        {
            "git add -A": "passed",
            "git commit -m $(cat <<'EOF'\nIt's done: don't (make) a fuss\nEOF\n)": "passed",
            "git push": "passed",
        },
    ),
    (
        "git commit -m x 2>&1 | tail -1",
        "husky - pre-commit hook exited with code 1 (error)",
        0,
        {"git commit -m x": "failed"},
    ),
    ("pytest", GREEN, 1, {"pytest": "failed"}),
    ("pytest -q > /dev/null", "", 1, {"pytest": "failed"}),
    ("grep -q x y || make lint", "", 0, {"make lint": "unknown"}),
    ("timeout 5 make lint", "?", 124, {"make lint": "failed"}),
]


@pytest.mark.parametrize(("command", "output", "exit_", "expected"), CASES)
def test_each_part_is_judged_by_what_is_known_of_it(
    command: str, output: str, exit_: int, expected: dict[str, str]
) -> None:
    assert verdicts(command, output, exit_) == expected


@pytest.mark.parametrize(
    ("command", "pipe", "exit_", "expected"),
    [
        ("make lint | tail -5", [2, 0], 0, {"make lint": "failed"}),
        ("make lint | tail -5", [0, 0], 0, {"make lint": "passed"}),
        ("make lint | head -5", [141, 0], 0, {"make lint": "unknown"}),
        ("cd web && make lint | tail -5", [2, 0], 0, {"make lint in web": "failed"}),
        ("make fmt && make lint | tail -5", [0, 0], 0, {"make fmt": "passed", "make lint": "passed"}),
        ("make fmt && make lint | tail -5", [2], 2, {"make fmt": "failed"}),
        ("make fmt | tail; make lint | tail -5", [0, 0], 0, {"make fmt": "unknown", "make lint": "passed"}),
        ("make fmt | tail && make lint | tail -5", [0, 0], 0, {"make fmt": "unknown", "make lint": "unknown"}),
        ("make lint | tail -5; echo", [0], 0, {"make lint": "unknown"}),
        ("make lint | tail -5", [1, 0, 3], 0, {"make lint": "unknown"}),
    ],
)
def test_recorded_codes_of_a_pipe_say_which_part_failed(
    command: str, pipe: list[int], exit_: int, expected: dict[str, str]
) -> None:
    assert verdicts(command, "?", exit_, pipe) == expected


def test_an_unknown_exit_code_proves_nothing() -> None:
    assert verdicts("make lint", "?", None, ok=True) == {"make lint": "unknown"}
    assert verdicts("make lint", "?", None, ok=False) == {"make lint": "failed"}
    assert verdicts("pytest", RED, None, ok=True) == {"pytest": "failed"}


def test_a_failure_names_its_evidence_and_its_first_tests() -> None:
    output = "\n".join(f"FAILED tests/test_a.py::test_{n} - boom" for n in range(9)) + "\n9 failed in 1.0s"
    found = judge("pytest -q | tail -20", output, 0, True)[0]
    assert found == PartResult(
        found.part, "failed", "9 failed in 1.0s", tuple(f"tests/test_a.py::test_{n}" for n in range(4))
    )


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("--- FAIL: TestTotal (0.00s)", "TestTotal"),
        ("test cart::adds ... FAILED", "cart::adds"),
        ("FAIL: test_x (tests.TestX.test_x)", "test_x (tests.TestX.test_x)"),
        ("rspec ./spec/a_spec.rb:3 # Cart adds", "./spec/a_spec.rb:3"),
        ("  ● cart › adds the tax", "cart › adds the tax"),
        ("not ok 3 - adds", "adds"),
        ("CartTest > adds() FAILED", "CartTest > adds()"),
    ],
)
def test_failing_tests_are_named_as_their_runner_names_them(line: str, name: str) -> None:
    assert judge("make test", line, 1, False)[0].tests == (name,)


def test_a_call_that_was_refused_cancelled_or_has_no_command_did_not_run() -> None:
    assert judge_call({"command": "pytest", "refused": True}, "", False) == ()
    assert judge_call({"command": "pytest", "cancelled": True}, RED, False) == ()
    assert judge_call({}, "", True) == ()


def test_a_call_that_timed_out_is_judged_by_its_output_alone() -> None:
    details = {"command": "pytest && make lint", "exit": 137, "timed_out": True}
    assert [each.verdict for each in judge_call(details, f"{GREEN}\n", False)] == ["passed", "unknown"]


def test_codes_recorded_with_a_call_are_used() -> None:
    details = {"command": "make lint | tail -5", "exit": 0, "pipe": [1, 0]}
    assert [(each.verdict, each.exit) for each in judge_call(details, "?", True)] == [("failed", 1), ("passed", 0)]
    assert judge_call({**details, "pipe": ["x"]}, "?", True)[0].verdict == "unknown"


HOSTILE = {
    "a long line": "x" * 1_000_000,
    "a long word of failures": "failed " * 150_000,
    "a million line ends": "\n" * 1_000_000,
    "open brackets": "(" * 200_000,
    "open quotes": "'\"" * 200_000,
    "many operators": "a && " * 100_000,
    "many words": "a " * 300_000,
    "here-documents": "cat <<A <<B <<C\n" * 10_000,
    "substitutions": "$(" * 100_000,
    "counts": "1 passed, " * 60_000,
    "escapes": "\x1b[" * 200_000,
    "equals signs": "=" * 500_000 + " 1 failed",
    "digits": "1" * 500_000,
    "dots": "." * 500_000 + "F",
    "loops": "for a in b; do " * 20_000,
    "cases": "case a in b) " * 20_000,
    "spaces": " " * 500_000 + "error",
    "nested shells": "bash -c " * 20_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_is_judged_in_linear_time(name: str) -> None:
    text = HOSTILE[name]
    begun = time.thread_time()
    for command, output in (("make test | tail -5", text), (text, "1 failed"), ("pytest", text)):
        judge(command, output, 1, False)
    assert time.thread_time() - begun < 2


def test_what_was_not_understood_proves_nothing() -> None:
    assert verdicts("pytest 'unbalanced", "?", 0) == {"pytest unbalanced": "unknown"}


def test_a_thousand_runs_are_judged_in_a_fraction_of_a_second() -> None:
    lines = "\n".join(f"tests/test_{n}.py ........ [ {n % 100}%]" for n in range(60))
    read_chain.cache_clear()
    begun = time.thread_time()
    for number in range(1000):
        judge(f"cd web && pytest -q tests/test_{number}.py 2>&1 | tail -60", f"{lines}\n{GREEN}", 0, True)
    assert time.thread_time() - begun < 1.0


def test_only_checks_have_failing_tests() -> None:
    found = judge("cat log; false", "FAILED a.py::b", 1, False)
    assert [each.tests for each in found if each.part.kind != CHECK] == [(), ()]


def test_a_verdict_does_not_depend_on_what_else_was_compiled() -> None:
    find_readers.cache_clear()
    everybody = find_readers("any")
    re.purge()
    assert find_readers("npm")[0] in everybody
    output = '> web@1.0.0 lint\n> eslint .\n\nnpm error Missing script: "nope"'
    assert set(verdicts("npm run lint && npm run nope", output, 1).values()) == {"unknown?"}
