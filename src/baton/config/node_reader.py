"""From YAML nodes to values: walks the nodes along the tree of keys and reports everything that is wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import yaml

from baton.config.keys import Key, Section, build, tree_of
from baton.config.kinds import ListOf, MapOf, TableOf
from baton.config.masking import excerpt
from baton.config.problems import DOTTED_KEY, NOT_A_NAME, NOT_A_SECTION, NOT_IN_PROJECT, TWICE, WRONG_VALUE, Problems
from baton.config.schema import tree
from baton.config.sources import assign, report_unknown
from baton.config.yaml_source import compose

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from baton.config.sources import Given, Source

_HIDDEN = "a value that is not shown"


def read_text_table(given: Given, key: Key, text: str, source: Source, problems: Problems) -> None:
    """Gives a table the value that a variable or a flag has for it, written as JSON."""
    node = compose(text, source.where, problems)
    reader = Reader(lambda _: source, problems)
    if node is not None:
        reader.read_key(key, node, source)
        given |= reader.given
    elif not text.strip():
        problems.add(WRONG_VALUE, where=source.where, key=key.path, found='""', allowed=key.allowed)


class Reader:
    """`given` is what was read so far. With `user_file` the nodes are those of a project file, of which not every key
    is heeded.
    """

    def __init__(
        self, place: Callable[[yaml.Node], Source], problems: Problems, *, user_file: Path | None = None
    ) -> None:
        self.given: Given = {}
        self._place = place
        self._problems = problems
        self._user_file = user_file

    def read_root(self, root: yaml.Node) -> None:
        if not self._read_section(root, tree()):
            allowed = ", ".join(tree().children)
            self._problems.add(NOT_A_SECTION, where=self._place(root).where, found=_found(root), allowed=allowed)

    def read_key(self, key: Key, node: yaml.Node, source: Source) -> None:
        if self._user_file is not None and not key.in_project:
            places = {"user_file": self._user_file, "variable": key.variables[0]}
            self._problems.warn(NOT_IN_PROJECT, where=source.where, key=key.path, **places)
        elif isinstance(key.kind, ListOf | MapOf | TableOf):
            self._read_structure(key, node, source)
        elif isinstance(node, yaml.ScalarNode):
            text = "null" if _is_null(node) else node.value
            assign(self.given, key, text, bare=not node.style, source=source, problems=self._problems)
        else:
            self._refuse(key, node, source, key.allowed)

    def _read_section(self, node: yaml.Node, section: Section) -> bool:
        """Reads what is below `section`; false when the node cannot be a section. An empty one is fine."""
        if not isinstance(node, yaml.MappingNode):
            return _is_null(node)
        for name, value, source in self._pairs(node, section.path):
            self._read_entry(name, value, section, source)
        return True

    def _pairs(self, node: yaml.MappingNode, path: str) -> Iterator[tuple[str, yaml.Node, Source]]:
        """Each name once, with its node and place; what cannot be a name is reported."""
        lines: dict[str, int] = {}
        for name, value in node.value:
            source = self._place(name)
            if not isinstance(name, yaml.ScalarNode):
                self._problems.add(NOT_A_NAME, where=source.where, found=_found(name))
            elif name.value in lines:
                full, line = _join(path, name.value), lines[name.value]
                self._problems.add(TWICE, where=source.where, key=excerpt(full, bare=True), line=line)
            else:
                lines[name.value] = name.start_mark.line + 1
                yield name.value, value, source

    def _read_entry(self, name: str, node: yaml.Node, section: Section, source: Source) -> None:
        child = section.children.get(name)
        if isinstance(child, Key):
            self.read_key(child, node, source)
        elif child is None:
            self._report_unknown(name, section, source)
        elif not self._read_section(node, child):
            allowed = "the keys " + ", ".join(child.children)
            self._refuse(child, node, source, allowed)

    def _read_structure(self, key: Key, node: yaml.Node, source: Source) -> None:
        kind = key.kind
        if isinstance(kind, ListOf) and isinstance(node, yaml.SequenceNode):
            self._read_list(key, kind, node, source)
        elif isinstance(kind, MapOf) and isinstance(node, yaml.MappingNode):
            self._read_map(key, kind, node, source)
        elif isinstance(kind, TableOf) and isinstance(node, yaml.MappingNode):
            self._read_table(key, kind, node, source)
        else:
            self._refuse(key, node, source, key.allowed)

    def _read_list(self, key: Key, kind: ListOf, node: yaml.SequenceNode, source: Source) -> None:
        odd = next((item for item in node.value if not isinstance(item, yaml.ScalarNode)), None)
        if odd is not None:
            self._refuse(key, odd, self._place(odd), kind.item.allowed)
            return
        try:
            self.given[key.path] = kind.collect([(item.value, not item.style) for item in node.value]), source
        except ValueError:
            self._refuse_first(key, kind.item, node.value, source)

    def _read_map(self, key: Key, kind: MapOf, node: yaml.MappingNode, source: Source) -> None:
        found: dict[str, tuple[str, bool]] = {}
        for name, value, place in self._pairs(node, key.path):
            if not isinstance(value, yaml.ScalarNode):
                self._refuse(key, value, place, key.allowed)
                return
            found[name] = value.value, not value.style
        try:
            self.given[key.path] = kind.collect(found), source
        except ValueError:
            self._problems.add(WRONG_VALUE, where=source.where, key=key.path, found=_HIDDEN, allowed=key.allowed)

    def _read_table(self, key: Key, kind: TableOf, node: yaml.MappingNode, source: Source) -> None:
        records: dict[str, Any] = {}
        for name, value, place in self._pairs(node, key.path):
            path = _join(key.path, name)
            if not _fits(kind, name) or len(records) == kind.most:
                found = excerpt(name)
                self._problems.add(WRONG_VALUE, where=place.where, key=key.path, found=found, allowed=key.allowed)
            elif not isinstance(value, yaml.MappingNode):
                allowed = f"the keys {', '.join(tree_of(kind.record).children)}"
                self._problems.add(WRONG_VALUE, where=place.where, key=path, found=_found(value), allowed=allowed)
            else:
                records[name] = self._record(kind, path, value, place)
        self.given[key.path] = records, source

    def _record(self, kind: TableOf, path: str, node: yaml.MappingNode, source: Source) -> object:
        inner = Reader(self._place, self._problems)
        section = tree_of(kind.record, path)
        before = self._problems.count
        inner._read_section(node, section)
        record = build(section, inner.given)
        if self._problems.count == before and not kind.complete(record):
            given = " and ".join(name for name in kind.one_of if getattr(record, name)) or "neither"
            self._problems.add(WRONG_VALUE, where=source.where, key=path, found=given, allowed=kind.one)
        return record

    def _refuse_first(self, key: Key, kind: Any, items: list[yaml.ScalarNode], source: Source) -> None:
        """Reports the first item that is not allowed, or else that there are too many."""
        for item in items:
            try:
                kind.read(item.value, bare=not item.style)
            except ValueError:
                self._refuse(key, item, self._place(item), key.allowed)
                return
        found = f"{len(items)} items"
        self._problems.add(WRONG_VALUE, where=source.where, key=key.path, found=found, allowed=key.allowed)

    def _refuse(self, child: Key | Section, node: yaml.Node, source: Source, allowed: str) -> None:
        hidden = isinstance(child, Key) and child.secret and isinstance(node, yaml.ScalarNode)
        found = _HIDDEN if hidden else _found(node)
        self._problems.add(WRONG_VALUE, where=source.where, key=child.path, found=found, allowed=allowed)

    def _report_unknown(self, name: str, section: Section, source: Source) -> None:
        path = _join(section.path, name)
        if "." in name and path in tree().every_key():
            self._problems.add(DOTTED_KEY, where=source.where, key=path)
        else:
            report_unknown(path, section, source, self._problems)


def _fits(kind: TableOf, name: str) -> bool:
    try:
        kind.names.read(name, bare=True)
    except ValueError:
        return False
    return True


def _join(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def _is_null(node: yaml.Node) -> bool:
    return isinstance(node, yaml.ScalarNode) and not node.style and node.value in ("", "~", "null")


def _found(node: yaml.Node) -> str:
    if isinstance(node, yaml.ScalarNode):
        return excerpt(node.value, bare=not node.style)
    return "a list" if isinstance(node, yaml.SequenceNode) else "a section"
