"""Unified diffs that cost no more than they show."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

Opcode = tuple[str, int, int, int, int]

_AROUND = 3
_WORK = 4_000_000
_NO_NEWLINE = "\n\\ No newline at end of file"


def unified_diff(before: str, after: str, name: str) -> str:
    """The change from one text to another, empty if there is none.

    Equal beginnings and ends are set aside first; a middle too large to compare line by line is shown as removed and
    added whole.
    """
    a, b = _lines(before), _lines(after)
    hunks = [_hunk(group, a, b) for group in _groups(_opcodes(a, b))]
    head = f"--- {name if before else '/dev/null'}\n+++ {name if after else '/dev/null'}\n"
    return head + "".join(hunks) if hunks else ""


def count_changes(diff: str) -> tuple[int, int]:
    """Lines added and removed."""
    lines = diff.split("\n")[2:]
    return sum(line.startswith("+") for line in lines), sum(line.startswith("-") for line in lines)


def _lines(text: str) -> list[str]:
    if not text:
        return []
    lines = text.split("\n")
    if lines[-1] == "":
        return lines[:-1]
    return [*lines[:-1], lines[-1] + _NO_NEWLINE]


def _opcodes(a: Sequence[str], b: Sequence[str]) -> list[Opcode]:
    shortest = min(len(a), len(b))
    start = next((i for i in range(shortest) if a[i] != b[i]), shortest)
    end = next((i for i in range(shortest - start) if a[-1 - i] != b[-1 - i]), shortest - start)
    stop_a, stop_b = len(a) - end, len(b) - end
    middle = _middle(a[start:stop_a], b[start:stop_b])
    shifted = [(tag, i1 + start, i2 + start, j1 + start, j2 + start) for tag, i1, i2, j1, j2 in middle]
    codes = [("equal", 0, start, 0, start), *shifted, ("equal", stop_a, len(a), stop_b, len(b))]
    return [code for code in codes if code[2] > code[1] or code[4] > code[3]]


def _middle(a: Sequence[str], b: Sequence[str]) -> Sequence[Opcode]:
    if len(a) * len(b) > _WORK or not a or not b:
        return [("replace", 0, len(a), 0, len(b))]
    from difflib import SequenceMatcher

    return SequenceMatcher(None, a, b, autojunk=False).get_opcodes()


def _groups(codes: Sequence[Opcode]) -> Iterator[list[Opcode]]:
    """Changes with a few equal lines around; those far apart are groups of their own."""
    group: list[Opcode] = []
    for index, (tag, i1, i2, j1, j2) in enumerate(codes):
        if tag != "equal":
            group.append((tag, i1, i2, j1, j2))
            continue
        if index == 0:
            i1, j1 = max(i1, i2 - _AROUND), max(j1, j2 - _AROUND)
        elif index == len(codes) - 1:
            i2, j2 = min(i2, i1 + _AROUND), min(j2, j1 + _AROUND)
        elif i2 - i1 > 2 * _AROUND:
            yield [*group, (tag, i1, i1 + _AROUND, j1, j1 + _AROUND)]
            group = []
            i1, j1 = i2 - _AROUND, j2 - _AROUND
        group.append((tag, i1, i2, j1, j2))
    if any(code[0] != "equal" for code in group):
        yield group


def _hunk(group: Sequence[Opcode], a: Sequence[str], b: Sequence[str]) -> str:
    first, last = group[0], group[-1]
    lines = [f"@@ -{_range(first[1], last[2])} +{_range(first[3], last[4])} @@"]
    for tag, i1, i2, j1, j2 in group:
        if tag == "equal":
            lines += [f" {line}" for line in a[i1:i2]]
        else:
            lines += [f"-{line}" for line in a[i1:i2]] + [f"+{line}" for line in b[j1:j2]]
    return "\n".join(lines) + "\n"


def _range(start: int, stop: int) -> str:
    length = stop - start
    return f"{start + 1 if length else start}{'' if length == 1 else f',{length}'}"
