"""Screens over time as one SVG."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

from bench.animation import Cell, Frame, Row, draw
from bench.recording import MOST

RECORDING = Path(__file__).resolve().parents[3] / "docs" / "pictures" / "recording.svg"


def row(text: str) -> Row:
    return tuple(Cell(letter, "#ffffff") for letter in text)


def film() -> str:
    first, second = (row("always"), row("before")), (row("always"), row("after "))
    return draw([Frame(first, 1.0), Frame(second, 3.0), Frame((row("after "), row("always")), 1.0)], 1, "a <title>")


def test_a_row_is_drawn_once_wherever_it_stands() -> None:
    assert [film().count(f">{text}</text>") for text in ("always", "before", "after")] == [1, 1, 1]


def test_a_row_is_seen_while_it_was_there() -> None:
    shown = film()
    name = re.search(r'<g id="(r\d+)">[^/]*>before</text>', shown)
    assert name
    time = re.search(rf'href="#{name[1]}" y="18" class="(k\d+)"', shown)
    assert time
    assert f"@keyframes {time[1]}{{0.00%{{visibility:visible}}20.00%{{visibility:hidden}}}}" in shown


def test_without_animation_the_poster_is_seen() -> None:
    posters = re.findall(r'<use href="#(r\d+)" y="(\d+)" class="k\d+ p"', film())
    assert [y for _, y in posters] == ["0", "18"]


def test_the_recording_is_small_and_whole_and_fetches_nothing() -> None:
    kept = RECORDING.read_text(encoding="utf-8")
    ElementTree.fromstring(kept)
    assert len(kept.encode()) < MOST
    assert "http" not in kept.replace("http://www.w3.org/2000/svg", "")
    words = re.sub("<[^>]*>", "", kept)
    for told in ("Run `python3 -m unittest`?", "Compressing…", "Continued in a fresh session", "matches the packet."):
        assert told in words, told
