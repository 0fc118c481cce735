from __future__ import annotations

import copy
import pickle

import pytest

from baton.core.value import asdict, field, fields, replace, value


@value
class Point:
    x: int
    y: int = 0

    @property
    def far(self) -> bool:
        return self.x + self.y > 10


@value
class Secret:
    name: str
    word: str = field(default="", repr=False, metadata={"doc": "hidden"})
    tags: list[str] = field(default_factory=list)


@value
class Checked:
    x: int

    def __post_init__(self) -> None:
        if self.x < 0:
            raise ValueError("negative")


def test_it_is_made_by_position_or_name_with_defaults() -> None:
    assert Point(1, 2) == Point(x=1, y=2)
    assert Point(1) == Point(1, 0)
    with pytest.raises(TypeError):
        Point()
    with pytest.raises(TypeError):
        Point(1, 2, 3)
    with pytest.raises(TypeError):
        Point(1, z=3)


def test_it_is_frozen_and_has_no_dictionary() -> None:
    point = Point(1)
    with pytest.raises(AttributeError, match="Point is frozen: x cannot be set"):
        point.x = 2
    with pytest.raises(AttributeError, match="Point is frozen: x cannot be deleted"):
        del point.x
    with pytest.raises(AttributeError):
        point.other = 1
    assert not hasattr(point, "__dict__")


def test_equality_and_hash_are_by_class_and_fields() -> None:
    assert Point(1) != (1, 0)
    assert Point(1) != Checked(1)
    assert len({Point(1), Point(1, 0), Point(2)}) == 2
    with pytest.raises(TypeError):
        hash(Secret("a"))


def test_it_shows_pickles_copies_and_matches() -> None:
    assert repr(Point(1, 2)) == "Point(x=1, y=2)"
    assert repr(Secret("a", "b")) == "Secret(name='a', tags=[])"
    assert pickle.loads(pickle.dumps(Point(1, 2))) == Point(1, 2)
    assert copy.deepcopy(Secret("a")) == Secret("a")
    match Point(3, 4):
        case Point(x, y):
            assert (x, y) == (3, 4)


def test_factories_make_a_new_default_each_time() -> None:
    one, two = Secret("a"), Secret("a")
    assert one.tags == two.tags
    assert one.tags is not two.tags


def test_post_init_sees_the_fields() -> None:
    with pytest.raises(ValueError, match="negative"):
        Checked(-1)


def test_replace_fields_and_asdict() -> None:
    assert replace(Point(1, 2), y=3) == Point(1, 3)
    with pytest.raises(TypeError):
        replace(Point(1), z=1)
    assert asdict(Point(1, 2)) == {"x": 1, "y": 2}
    assert [(each.name, each.type) for each in fields(Point)] == [("x", "int"), ("y", "int")]
    assert fields(Secret)[1].metadata == {"doc": "hidden"}
    assert Point(9, 9).far
