"""One declaration of a shape makes its object and its schema."""

from __future__ import annotations

from jsonschema import Draft202012Validator

from baton.core.value import value
from baton.surfaces.shared.shapes import COUNT, MICROS, TEXT, Field, Shape, list_of, nullable, objects, one_of


@value
class Page:
    title: str
    size: int
    at: int = 7
    note: str | None = None


@value
class Book:
    name: str
    pages: tuple[Page, ...] = ()
    cover: Page | None = None


PAGE: Shape[Page] = Shape(
    "page",
    Field("title", TEXT, "Its title."),
    Field("words", COUNT, "How long it is.", lambda it: it.size),
    Field("at", MICROS, "When it was written."),
    Field("note", TEXT, "What was noted.", optional=True),
)
BOOK: Shape[Book] = Shape(
    "book",
    Field("name", nullable(TEXT), "Its name."),
    objects("pages", PAGE, "Its pages."),
    Field("kinds", list_of(one_of("a", "b")), "Its kinds.", lambda _: ["a"]),
    PAGE.optional_part(lambda it: it.cover, "title"),
)


def test_fields_keep_their_order_and_optional_ones_are_left_out() -> None:
    assert list(PAGE.as_dict(Page("one", 3)).items()) == [("title", "one"), ("words", 3), ("at", 7)]
    assert PAGE.as_dict(Page("one", 3, note="x"))["note"] == "x"


def test_some_fields_can_be_chosen_in_any_order() -> None:
    assert list(PAGE.as_dict(Page("one", 3), "words", "title")) == ["words", "title"]


def test_a_part_brings_its_fields_or_leaves_them_out() -> None:
    assert "title" not in BOOK.as_dict(Book("b"))
    assert BOOK.as_dict(Book("b", cover=Page("front", 1)))["title"] == "front"
    named: Shape[Book] = Shape("pair", PAGE.part(lambda it: it.pages[0], "words"), Field("name", TEXT, "Its name."))
    assert named.as_dict(Book("b", (Page("one", 3),))) == {"words": 3, "name": "b"}


def test_the_schema_describes_what_is_made() -> None:
    check = Draft202012Validator(BOOK.schema())
    check.validate(BOOK.as_dict(Book("b", (Page("one", 3), Page("two", 4, note="x")), Page("front", 1))))
    check.validate({**BOOK.as_dict(Book("b")), "name": None})
    assert not check.is_valid({**BOOK.as_dict(Book("b")), "kinds": ["c"]})
    assert not check.is_valid({"name": "b"})
    assert PAGE.schema()["properties"]["at"]["description"] == (
        "When it was written. In microseconds since the epoch, UTC."
    )
