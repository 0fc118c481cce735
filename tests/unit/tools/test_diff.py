from __future__ import annotations

import difflib
import random

import pytest

from baton.adapters.tools.diff import count_changes, unified_diff


def text(chance: random.Random, lines: int) -> str:
    return "".join(f"{chance.randint(0, 6)}\n" for _ in range(lines))


def patched(before: str, diff: str) -> str:
    """`before` with the diff applied, by the numbers in its hunks."""
    old, new, at = before.splitlines(keepends=True), [], 0
    for line in diff.splitlines(keepends=True)[2:]:
        if line.startswith("@@"):
            start = int(line.split()[1][1:].split(",")[0])
            length = int((line.split()[1] + ",1").split(",")[1])
            start -= length > 0
            new += old[at:start]
            at = start
        elif line[0] == " ":
            new.append(line[1:])
            at += 1
        elif line[0] == "-":
            at += 1
        else:
            new.append(line[1:])
    return "".join(new + old[at:])


def test_a_diff_leads_from_one_text_to_the_other() -> None:
    for seed in range(500):
        chance = random.Random(seed)
        before, after = text(chance, chance.randint(0, 40)), text(chance, chance.randint(0, 40))
        if chance.random() < 0.5:
            lines = before.splitlines(keepends=True)
            del lines[len(lines) // 2 : len(lines) // 2 + 2]
            after = "".join(lines) + "end\n"
        assert patched(before, unified_diff(before, after, "f")) == after


def test_it_is_what_difflib_says() -> None:
    before = "".join(f"{number}\n" for number in range(50))
    after = before.replace("10\n", "ten\n").replace("40\n", "")
    expected = "".join(difflib.unified_diff(before.splitlines(True), after.splitlines(True), "f", "f"))
    assert unified_diff(before, after, "f") == expected


def test_no_change_is_no_diff() -> None:
    assert unified_diff("a\n", "a\n", "f") == ""


def test_a_missing_line_feed_at_the_end_is_told() -> None:
    assert unified_diff("a", "a\n", "f").endswith("-a\n\\ No newline at end of file\n+a\n")


def test_a_new_file_comes_from_nothing() -> None:
    assert unified_diff("", "a\nb\n", "f") == "--- /dev/null\n+++ f\n@@ -0,0 +1,2 @@\n+a\n+b\n"


@pytest.mark.timeout(10)
def test_large_changes_are_told_quickly() -> None:
    before = "".join(f"{number}\n" for number in range(100_000))
    after = "".join(f"{number} x\n" for number in range(100_000))
    assert count_changes(unified_diff(before, after, "f")) == (100_000, 100_000)
