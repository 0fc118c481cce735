"""Pictures in a terminal: drawn only where it says it can, and only what it can read."""

from __future__ import annotations

import base64
import re

import pytest

from baton.surfaces.cli.picture import LARGEST, can_draw, draw

PNG = b"\x89PNG\r\n\x1a\n" + bytes(9_000)


@pytest.mark.parametrize(
    ("environ", "can"),
    [
        ({"TERM": "xterm-kitty"}, True),
        ({"KITTY_WINDOW_ID": "1"}, True),
        ({"TERM_PROGRAM": "WezTerm"}, True),
        ({"TERM_PROGRAM": "ghostty"}, True),
        ({"TERM": "xterm-256color"}, False),
        ({"TERM": "xterm-kitty", "TMUX": "/tmp/x"}, False),
        ({}, False),
    ],
)
def test_a_terminal_draws_if_it_says_so(environ: dict[str, str], can: bool) -> None:
    assert can_draw(environ) is can


def test_a_picture_is_sent_in_pieces_that_join_to_the_whole() -> None:
    parts = re.findall(r"\x1b_G([^;]*);([^\x1b]*)\x1b\\", draw(PNG))
    assert base64.b64decode("".join(chunk for _, chunk in parts)) == PNG
    assert all(len(chunk) <= 4096 for _, chunk in parts)
    assert [control for control, _ in parts] == ["a=T,f=100,q=2,m=1", *["m=1"] * (len(parts) - 2), "m=0"]


@pytest.mark.parametrize("data", [b"", b"\xff\xd8\xff", b"\x1b]0;title\x07", PNG + bytes(LARGEST)])
def test_what_is_no_small_png_is_not_drawn(data: bytes) -> None:
    assert draw(data) == ""
