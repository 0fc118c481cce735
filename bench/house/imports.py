"""Who imports whom: cycles at run time, and rooms of one layer that reach into each other."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from bench.house.tree import Function, Source, Tree

SHARED = {"shared", "words", "files"}
"""The room of a layer that all its others may use."""

Graph = Mapping[str, set[str]]
Import = ast.Import | ast.ImportFrom


def graph(tree: Tree, *, late: bool) -> dict[str, set[str]]:
    """For each module of the tree those it imports while it loads; with `late` also those its functions import.

    What is imported under `TYPE_CHECKING` is not imported. `from package import module` is an import of the module, and
    of the package only if the name is not a module's.
    """
    modules = {".".join(source.parts) for source in tree.sources}
    return {".".join(source.parts): set(_targets(source, modules, late)) for source in tree.sources}


def cycles(tree: Tree, *, late: bool) -> list[str]:
    """Groups of modules that all reach each other, each as one line."""
    return [" ↔ ".join(group) for group in knots(graph(tree, late=late))]


def siblings(tree: Tree, layer: str) -> list[str]:
    """Imports from one room (a folder directly in `layer`) by another: `file:line module`.

    Those for types alone count too. Files directly in the layer and those in its shared room belong to all, as who
    imports and as who is imported.
    """
    modules = {".".join(source.parts) for source in tree.sources}
    rooms = {source.path.split("/")[2] for source in tree.within(layer) if source.path.count("/") > 2} - SHARED
    found: list[str] = []
    for source in tree.within(layer):
        own = source.path.split("/")[2]
        for node in _all(source) if own in rooms else ():
            for target in sorted(_named(source, node, modules)):
                parts = target.split(".")
                if parts[1:2] == [layer] and len(parts) > 2 and parts[2] in rooms - {own}:
                    found.append(f"{source.at(node)} {target}")
    return found


def knots(edges: Graph) -> list[list[str]]:
    """The groups of modules that reach each other, or one module that reaches itself; each group once, in order."""
    reached = {module: _reach(module, edges) for module in edges}
    groups = {
        tuple(sorted(other for other in ahead if module in reached.get(other, ())))
        for module, ahead in reached.items()
        if module in ahead
    }
    return sorted(map(list, groups))


def _reach(start: str, edges: Graph) -> set[str]:
    """Everything that is imported in one step or more."""
    found: set[str] = set()
    waiting = list(edges.get(start, ()))
    while waiting:
        module = waiting.pop()
        if module not in found:
            found.add(module)
            waiting += edges.get(module, ())
    return found


def _targets(source: Source, modules: set[str], late: bool) -> Iterator[str]:
    found = _runtime(source.syntax, late) if source.syntax else ()
    return (target for node in found for target in _named(source, node, modules))


def _named(source: Source, node: Import, modules: set[str]) -> set[str]:
    """The modules of the tree that one statement imports."""
    if isinstance(node, ast.Import):
        return {alias.name for alias in node.names} & modules
    package = source.parts if source.is_init else source.parts[:-1]
    base = package[: len(package) - node.level + 1] if node.level else ()
    start = ".".join([*base, *([node.module] if node.module else [])])
    whole = {f"{start}.{alias.name}" if f"{start}.{alias.name}" in modules else start for alias in node.names}
    return (whole & modules) - {".".join(source.parts)}


def _all(source: Source) -> Iterator[Import]:
    return (node for node in source.nodes if isinstance(node, Import))


def _runtime(node: ast.AST, late: bool) -> Iterator[Import]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, Import):
            yield child
        elif isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
            yield from _runtime(ast.Module(child.orelse, []), late)
        elif late or not isinstance(child, Function):
            yield from _runtime(child, late)
