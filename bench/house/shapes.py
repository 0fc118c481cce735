"""Shapes that say little about what they hold: bags of anything, wide constructors, JSON that is searched as text."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from bench.house.tree import Function, Source, Tree

LAYERS_WITHOUT_BAGS = ("core", "engine", "surfaces")
WIDE = 6
"""Parameters, besides `self`, that a constructor written by hand may have without being counted."""

_BAG = re.compile(r"\b(?:Mapping|MutableMapping|dict|Dict)\[str, Any\]")
_QUOTED_KEY = re.compile(r'^[{,]?\s*"[\w ./-]+"\s*:?\s*$')
_PLACEHOLDER = "x"


def bags_in_signatures(tree: Tree) -> list[str]:
    """`Mapping[str, Any]` and `dict[str, Any]` as, or within, the type of a parameter or of what is returned."""
    return [
        f"{source.at(annotation)} {function.name}"
        for source in tree.within(*LAYERS_WITHOUT_BAGS)
        for function in source.functions
        for annotation in _signature(function)
        for _ in _bags(annotation)
    ]


def bags_in_fields(tree: Tree) -> list[str]:
    """The same as, or within, the type of a field that is written down in a class."""
    return [
        f"{source.at(field)} {owner.name}.{ast.unparse(field.target)}"
        for source in tree.within(*LAYERS_WITHOUT_BAGS)
        for owner, field in _fields(source)
        for _ in _bags(field.annotation)
    ]


def wide_constructors(tree: Tree) -> list[str]:
    """Each `__init__` written by hand with more than `WIDE` named parameters; generated ones are not counted."""
    return [
        f"{source.at(function)} {_width(function)} parameters"
        for source in tree.sources
        for function in source.functions
        if function.name == "__init__" and _width(function) > WIDE
    ]


def json_searched_as_text(tree: Tree) -> list[str]:
    """Each `'"key"' in text`: a literal that is a key of JSON in its quotes, looked for in something."""
    return [
        f"{source.at(node)} {ast.unparse(node)}"
        for source in tree.sources
        for node in source.nodes
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.In | ast.NotIn) and _is_key(node.left)
    ]


def _is_key(node: ast.expr) -> bool:
    return bool(_QUOTED_KEY.match(_literal(node)))


def _literal(node: ast.expr) -> str:
    """The text of a literal, a placeholder for each of its expressions; nothing for anything else."""
    if isinstance(node, ast.JoinedStr):
        return "".join(_literal(each) or _PLACEHOLDER for each in node.values)
    if not isinstance(node, ast.Constant):
        return ""
    value = node.value
    return value.decode("latin-1") if isinstance(value, bytes) else value if isinstance(value, str) else ""


def _bags(annotation: ast.expr) -> list[str]:
    return _BAG.findall(ast.unparse(annotation))


def _signature(function: Function) -> Iterator[ast.expr]:
    given = function.args
    listed = [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]
    yield from (each.annotation for each in listed if each is not None and each.annotation is not None)
    if function.returns is not None:
        yield function.returns


def _fields(source: Source) -> Iterator[tuple[ast.ClassDef, ast.AnnAssign]]:
    owners = (node for node in source.nodes if isinstance(node, ast.ClassDef))
    return ((owner, each) for owner in owners for each in owner.body if isinstance(each, ast.AnnAssign))


def _width(function: Function) -> int:
    given = function.args
    return len([*given.posonlyargs, *given.args, *given.kwonlyargs]) - 1
