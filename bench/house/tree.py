"""A tree of Python files, read as data: nothing in it is ever imported or run."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

Function = ast.FunctionDef | ast.AsyncFunctionDef
Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef

_ALIAS = re.compile(r"^([ \t]*)type (\w+)(?:\[.*?\])? =", re.MULTILINE)
_TYPE_PARAMETERS = re.compile(r"^([ \t]*(?:async def|def|class) \w+)(\[.*?\])(?=[ \t]*[(:])", re.MULTILINE | re.DOTALL)
_BARE_EXCEPT = re.compile(r"^([ \t]*except\*?) ([\w.]+(?:, [\w.]+)+):", re.MULTILINE)


@dataclass(frozen=True)
class Source:
    """One file. `path` is relative to the folder that holds the package."""

    path: str
    text: str

    @property
    def is_init(self) -> bool:
        return self.path.endswith("__init__.py")

    @property
    def parts(self) -> tuple[str, ...]:
        """The module's name in pieces, a package's without its `__init__`."""
        parts = tuple(self.path.removesuffix(".py").split("/"))
        return parts[:-1] if self.is_init else parts

    @cached_property
    def lines(self) -> int:
        return self.text.count("\n") + (not self.text.endswith("\n") and bool(self.text))

    @cached_property
    def syntax(self) -> ast.Module | None:
        """None if this Python cannot read it even after `mended`."""
        for text in (self.text, mended(self.text)):
            try:
                return ast.parse(text)
            except SyntaxError:
                continue
        return None

    @cached_property
    def nodes(self) -> list[ast.AST]:
        """Every piece of its syntax, line by line."""
        return sorted(ast.walk(self.syntax), key=_line) if self.syntax else []

    @cached_property
    def functions(self) -> list[Function]:
        """Every function and method, nested ones too."""
        return [node for node in self.nodes if isinstance(node, Function)]

    def at(self, node: ast.AST) -> str:
        """Where a maintainer finds the node: file:line."""
        return f"{self.path}:{_line(node)}"


@dataclass(frozen=True)
class Tree:
    """A package: its column's title and its files in order. `is_baton` says whether Baton's own rows apply to it."""

    title: str
    folder: Path
    sources: tuple[Source, ...]
    is_baton: bool = False

    @property
    def lines(self) -> int:
        return sum(source.lines for source in self.sources)

    @property
    def unread(self) -> int:
        """Files that no row about syntax can count."""
        return sum(source.syntax is None for source in self.sources)

    def within(self, *layers: str) -> list[Source]:
        """The files below these folders of the package."""
        return [source for source in self.sources if source.path.split("/")[1] in layers]


def read_tree(title: str, folder: Path, *, is_baton: bool = False) -> Tree:
    """The package in `folder`, every `*.py` file of it."""
    files = sorted(folder.rglob("*.py"))
    sources = (
        Source(file.relative_to(folder.parent).as_posix(), file.read_text(encoding="utf-8", errors="replace"))
        for file in files
    )
    return Tree(title, folder, tuple(sources), is_baton)


def mended(text: str) -> str:
    """Newer syntax in older words, line by line the same: type parameters, `type` statements, bare `except A, B`.

    Only for counting: what it gives has the same functions at the same lines, not the same meaning.
    """
    text = _ALIAS.sub(r"\1\2 =", text)
    text = _TYPE_PARAMETERS.sub(lambda found: found[1] + "\\\n" * found[2].count("\n"), text)
    return _BARE_EXCEPT.sub(r"\1 (\2):", text)


def _line(node: ast.AST) -> int:
    return getattr(node, "lineno", 0)


def first_line(definition: Definition) -> int:
    """Its decorators' first line, or its own."""
    return min(node.lineno for node in (*definition.decorator_list, definition))


def decorators(function: Function) -> list[str]:
    """The last words of its decorators' names: `functools.cached_property` is `cached_property`."""
    called = (each.func if isinstance(each, ast.Call) else each for each in function.decorator_list)
    return [ast.unparse(each).rpartition(".")[2] for each in called]
