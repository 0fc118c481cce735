from __future__ import annotations

import ast
import copy
import inspect
import pickle
import re
import string
import threading

import pytest

from baton.core import errors
from baton.core.errors import BatonError


def tree(top: type[BatonError] = BatonError) -> list[type[BatonError]]:
    return [top, *(each for below in top.__subclasses__() for each in tree(below) if each.__module__ == top.__module__)]


CLASSES = tree()


def facts(error: type[BatonError]) -> dict[str, object]:
    """A fact for every name that the templates of a class ask for; numbers where they are formatted as numbers."""
    templates = (error.what, error.kept, error.todo)
    fields = [piece for template in templates for piece in string.Formatter().parse(template) if piece[1]]
    return {str(name): 4.25 if spec else f"<{name}>" for _, name, spec, _ in fields}


@pytest.mark.parametrize("error", CLASSES, ids=lambda each: each.__name__)
def test_an_error_says_its_facts_in_a_sentence(error: type[BatonError]) -> None:
    given = facts(error)
    raised = error(**given)
    text = str(raised)
    for value in given.values():
        assert (value if isinstance(value, str) else "4") in text
    assert "{" not in text
    assert "?" not in text
    what, kept, todo = raised.parts()
    assert what
    assert text == " ".join(part for part in (what, kept, todo) if part)
    assert raised.as_dict() == {"code": error.code, "what": what, "kept": kept, "todo": todo}
    assert raised.facts == given


@pytest.mark.parametrize("error", CLASSES, ids=lambda each: each.__name__)
def test_an_error_without_its_facts_can_still_be_printed(error: type[BatonError]) -> None:
    assert "{" not in str(error())


def test_a_fact_with_braces_or_percent_is_taken_as_it_is() -> None:
    assert str(errors.BadInput(reason="{reason} {0} %s {")) == "{reason} {0} %s {"


def test_codes_are_unique_and_in_kebab_case() -> None:
    codes = [error.code for error in CLASSES]
    assert len(set(codes)) == len(codes)
    assert all(re.fullmatch(r"[a-z]+(-[a-z]+)*", code) for code in codes)


def test_every_class_states_its_own_code() -> None:
    assert [error.__name__ for error in CLASSES if "code" not in vars(error)] == []


def test_the_picture_of_the_tree_names_every_class_once_and_no_other() -> None:
    picture = str(errors.__doc__).split("\n\n")[1]
    named = re.findall(r"\b[A-Z][A-Za-z]+\b", picture)
    assert sorted(named) == sorted(error.__name__ for error in CLASSES)


def test_the_picture_shows_each_class_below_its_parent() -> None:
    picture = str(errors.__doc__).split("\n\n")[1]
    parents: dict[int, str] = {}
    for line in picture.splitlines():
        names = re.findall(r"\b[A-Z][A-Za-z]+\b", line)
        depth = len(line) - len(line.lstrip(" │├└─"))
        for name in names:
            above = [parents[level] for level in sorted(parents) if level < depth]
            parent = getattr(errors, name).__bases__[0].__name__
            assert parent == (above[-1] if above else "Exception"), f"{name} is drawn below {above[-1:]}"
        parents = {level: found for level, found in parents.items() if level < depth} | {depth: names[0]}


def test_the_module_defines_the_tree_and_nothing_to_build_sentences_elsewhere() -> None:
    defined = [node.name for node in ast.parse(inspect.getsource(errors)).body if isinstance(node, ast.ClassDef)]
    assert sorted(name for name in defined if not name.startswith("_")) == sorted(each.__name__ for each in CLASSES)


@pytest.mark.parametrize("error", CLASSES, ids=lambda each: each.__name__)
def test_an_error_survives_pickle_and_copy(error: type[BatonError]) -> None:
    raised = error(**facts(error))
    for again in (pickle.loads(pickle.dumps(raised)), copy.copy(raised), copy.deepcopy(raised)):
        assert (type(again), again.facts, str(again)) == (error, raised.facts, str(raised))


def test_a_fact_that_cannot_be_pickled_crosses_as_its_text() -> None:
    raised = errors.BadInput(reason=ValueError("why"), lock=threading.Lock())
    assert str(pickle.loads(pickle.dumps(raised))) == "why"
