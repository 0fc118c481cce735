"""What people read stands in the catalogue, `baton.surfaces.words`, and not in the code that shows it.

A string counts as text for people if it has two words side by side, or if it is handed as it is to something that shows
it. What styles, classes, commands and types look like is named here, so that nothing else slips through.
"""

from __future__ import annotations

import ast
import re
import string
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

SURFACES = Path(__file__).resolve().parents[2] / "src" / "baton" / "surfaces"
MOVED = ("acp", "api", "cli", "gateway", "shared", "tui")
"""Every sentence of these is in the catalogue: all that there are."""

_WORDS = re.compile(r"[A-Za-z]{2,}[,;:.!?…]? +[A-Za-z{]")
_NO_TEXT = re.compile(
    r"(bold|italic|dim|underline)( \$?[a-z-]+)*"  # a style
    r"|(notice|output|fold|code-view)( [a-z-]+| \{\})*"  # classes of a widget
    r"|(/[a-z]+|baton) \{\}"  # a command
    r"|(?s:.*baton __complete .*)"  # what a shell runs to complete a word
    r"|(internal|server) error|invalid (params|request)"  # what JSON-RPC calls its errors
    r"|; use sys"  # the end of a sentence of Python's
    r"|warning"  # a level
    r'|Bearer realm="baton"|text/plain; version=0\.0\.4; charset=utf-8'  # headers of HTTP
    r"|(\{\})?(id|event): \{\}\n(data: \{\}\n)?\n?"  # a line of an event stream
    r"|# (HELP|TYPE) \{\} \{\}"  # a line for Prometheus
    r"|(dict|[A-Z][A-Za-z]+)(\[[A-Za-z., ]+\]|( \| [A-Z][A-Za-z]+)+)"  # a type
)
_SHOWING = {"notice", "remark", "Static", "Label", "PickScreen", "ReadScreen", "AskScreen", "Fold"}
_SHOWN = {"state", "placeholder"}


def texts(source: str) -> Iterator[tuple[int, str]]:
    """The texts for people in a module, with their lines; fields of f-strings are braces."""
    tree = ast.parse(source)
    passed = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}  # docstrings
    passed |= {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    handed = {id(each) for node in ast.walk(tree) if isinstance(node, ast.Call) for each in _handed(node)}
    for node in ast.walk(tree):
        text = _text(node)
        if id(node) in passed or not text or _NO_TEXT.fullmatch(text):
            continue
        if _WORDS.search(text) or (id(node) in handed and re.search("[A-Za-z]{2}", text.replace("{}", ""))):
            yield node.lineno, text


def _text(node: ast.AST) -> str:
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else ""
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
    return ""


def _handed(call: ast.Call) -> Iterator[ast.expr]:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    yield from call.args[:1] if name in _SHOWING else ()
    yield from (each.value for each in call.keywords if each.arg in _SHOWN)


def found(surface: str) -> list[str]:
    return [
        f"{path.relative_to(SURFACES)}:{line}: {text!r}"
        for path in sorted((SURFACES / surface).rglob("*.py"))
        for line, text in texts(path.read_text(encoding="utf-8"))
    ]


@pytest.mark.parametrize("surface", MOVED)
def test_a_surface_says_only_what_is_in_the_catalogue(surface: str) -> None:
    assert found(surface) == []


def test_every_surface_is_in_the_list() -> None:
    assert {path.name for path in SURFACES.iterdir() if (path / "__init__.py").exists()} == {*MOVED, "words"}


@pytest.mark.parametrize("module", sorted(path.stem for path in (SURFACES / "words").glob("[a-z]*.py")))
def test_the_catalogue_holds_only_text_and_every_field_has_a_name(module: str) -> None:
    held = {
        name: each for name, each in vars(import_module(f"baton.surfaces.words.{module}")).items() if name.isupper()
    }
    assert held
    for name, each in held.items():
        for text in _flat(each):
            fields = [field for _, field, _, _ in string.Formatter().parse(text) if field is not None]
            assert all(field.isidentifier() for field in fields), name


def _flat(each: Any) -> Iterator[str]:
    if isinstance(each, str):
        yield each
    else:
        assert isinstance(each, dict | tuple), each
        yield from (text for part in (each.values() if isinstance(each, dict) else each) for text in _flat(part))


@pytest.mark.parametrize(
    "code",
    [
        'x = "Nothing was said."',
        'x = f"{count} lines more"',
        'app.show_status(state="stopping")',
        'self.notice("Done")',
    ],
)
def test_a_text_outside_the_catalogue_is_found(code: str) -> None:
    assert len([*texts(code)]) == 1


@pytest.mark.parametrize(
    "code",
    [
        'x = ("a", "bold $accent")',
        'x = f"/resume {name}"',
        '"""A docstring of it."""',
        "app.notice(words.DONE)",
        'Static("")',
    ],
)
def test_what_nobody_reads_is_left_alone(code: str) -> None:
    assert [*texts(code)] == []
