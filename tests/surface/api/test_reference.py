"""What the API answers is described from the same declarations that make the answers."""

from __future__ import annotations

from pathlib import Path

from baton.surfaces.api.reference import page

PAGE = Path(__file__).parents[3] / "docs" / "reference" / "json.md"


def test_the_page_of_json_is_made_from_the_shapes() -> None:
    assert PAGE.read_text() == page(), (
        "out of date; run: python -m baton.surfaces.api.reference > docs/reference/json.md"
    )
