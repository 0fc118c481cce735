from __future__ import annotations

from baton.adapters.tools.diff import unified_diff
from baton.surfaces.tui.diff import Row, paint_diff, read_diff
from baton.surfaces.tui.palette import DARK, LIGHT

BEFORE = "import os\n\n\ndef total(cart):\n    return sum(cart)\n\n\nprint(total([1]))\n"
AFTER = "import os\n\n\ndef total(cart, tax):\n    return sum(cart) * tax\n\n\nprint(total([1]))\n"


def text_of(lines: list[list[object]]) -> list[str]:
    return ["".join(piece.text for piece in line).rstrip() for line in lines]


def test_lines_are_numbered_as_in_their_file_and_the_words_that_differ_are_marked() -> None:
    rows = read_diff(unified_diff(BEFORE, AFTER, "shop/cart.py"))
    assert rows[0] == Row("", 0, "shop/cart.py  +2 -2")
    changed = [(row.sign, row.number, [row.text[start:end] for start, end in row.marks]) for row in rows if row.marks]
    assert changed == [("+", 4, [", tax"]), ("+", 5, [" * tax"])]
    assert [row.number for row in rows if row.sign == "-"] == [4, 5]
    assert [row.number for row in rows if row.sign == " "] == [1, 2, 3, 6, 7, 8]


def test_every_line_of_a_diff_is_drawn_whole_at_any_width() -> None:
    """Whoever approves a change must see all of it."""
    long = AFTER.replace("tax", "t" * 90)
    diff = unified_diff(BEFORE, long, "shop/cart.py")
    for width in (20, 50, 120):
        drawn = "".join(line[6:] if line[:1] == " " else line for line in text_of(paint_diff(diff, width, DARK)))
        assert drawn.count("t" * 10) >= 1
        assert sum(line.count("t" * 4) > 0 for line in text_of(paint_diff(diff, width, LIGHT))) >= 2 * (90 // width)
        assert all(sum(len(piece.text) for piece in line) <= width for line in paint_diff(diff, width, DARK))


def test_lines_that_have_little_in_common_are_not_marked_word_by_word() -> None:
    rows = read_diff(unified_diff("alpha = 1\n", "for each in things: print(each)\n", "a.py"))
    assert [row.marks for row in rows if row.sign] == [(), ()]


def test_new_files_and_lines_that_look_like_headings_keep_their_place() -> None:
    rows = read_diff(unified_diff("", "--- a\n+++ b\n@@ c\n", "notes.md"))
    assert rows[0].text == "notes.md  +3 -0"
    assert [(row.sign, row.number, row.text) for row in rows[1:]] == [
        ("+", 1, "--- a"),
        ("+", 2, "+++ b"),
        ("+", 3, "@@ c"),
    ]


def test_what_is_no_diff_is_shown_as_it_is() -> None:
    assert [row.text for row in read_diff("no change")] == ["no change"]
