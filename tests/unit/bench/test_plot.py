from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from bench.comparison import TIMED
from bench.figure import POSTGRES, SQLITE, Figure
from bench.plan import LARGE, MEDIUM, SMALL, TINY
from bench.plot import PANELS, growth_chart
from bench.report import as_json
from bench.timing import Timing

SVG = "{http://www.w3.org/2000/svg}"


def result(*, peers: bool = True, measured: bool = True) -> dict:
    def figures(store: str, sizes: tuple, pace: float) -> list[Figure]:
        return [
            Figure(name, store, size, Timing.of([pace * (k + 1)]), Timing.of([pace]), facts={"loaded": size.long})
            for name in PANELS
            for k, size in enumerate(sizes)
        ]

    made = figures(SQLITE, (TINY, SMALL, MEDIUM, LARGE), 0.3) + figures(POSTGRES, (MEDIUM,), 2.0) if measured else []
    peer = {
        "sizes": {"messages": 10_000, "long_session": 1_000},
        "milliseconds": {theirs: {"median": 40.0} for theirs in TIMED.values()},
    }
    return as_json("full", made, [], [peer] if peers else [], [], 1.0)


@pytest.mark.parametrize("peers", [True, False])
def test_the_chart_is_well_formed_and_labels_everything(peers: bool) -> None:
    root = ElementTree.fromstring(growth_chart(result(peers=peers)))
    texts = [each.text or "" for each in root.iter(f"{SVG}text")]
    assert set(PANELS.values()) <= set(texts)
    assert {"1k", "10k", "100k", "1M"} <= set(texts)
    assert texts.count("entries in the store") == len(PANELS)
    assert any("Hermes" in text for text in texts) is peers


def test_the_chart_stands_on_white_so_that_it_can_be_read_in_the_dark() -> None:
    root = ElementTree.fromstring(growth_chart(result()))
    first = next(root.iter(f"{SVG}rect"))
    assert first.get("fill") == "#ffffff"
    assert root.get("viewBox") == f"0 0 {first.get('width')} {first.get('height')}"


def test_every_mark_lies_inside_the_picture() -> None:
    root = ElementTree.fromstring(growth_chart(result()))
    _, _, width, height = map(float, (root.get("viewBox") or "").split())
    for line in root.iter(f"{SVG}polyline"):
        for x, y in re.findall(r"([-\d.]+),([-\d.]+)", line.get("points") or ""):
            assert 0 <= float(x) <= width
            assert 0 <= float(y) <= height


def test_a_chart_of_nothing_is_still_a_chart() -> None:
    ElementTree.fromstring(growth_chart(result(peers=False, measured=False)))
