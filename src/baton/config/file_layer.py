"""The layers that are YAML files: the user's own and the project's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import yaml

from baton.config.assignment import assign, report_unknown
from baton.config.file_text import read_text
from baton.config.keys import Key, Section
from baton.config.masking import excerpt
from baton.config.problems import DOTTED_KEY, NOT_A_NAME, NOT_A_SECTION, NOT_IN_PROJECT, TWICE, WRONG_VALUE, Problems
from baton.config.schema import tree
from baton.config.sources import Given, Source
from baton.config.yaml_source import compose

if TYPE_CHECKING:
    from pathlib import Path

    from baton.config.locations import Locations


def read_file(layer: Literal["user", "project"], file: Path, locations: Locations, problems: Problems) -> Given:
    """What the file gives, checked; everything wrong with it is reported, not only the first."""
    text = read_text(file, problems)
    root = None if text is None else compose(text, str(file), problems)
    reader = _Reader(layer, file, locations.user, problems)
    if root is not None:
        reader.read_root(root)
    return reader.given


class _Reader:
    """Walks the nodes of one file along the tree of keys."""

    def __init__(self, layer: Literal["user", "project"], file: Path, user_file: Path, problems: Problems) -> None:
        self.given: Given = {}
        self._layer: Literal["user", "project"] = layer
        self._file = file
        self._user_file = user_file
        self._problems = problems

    def read_root(self, root: yaml.Node) -> None:
        if not self._read_section(root, tree()):
            allowed = ", ".join(tree().children)
            self._problems.add(NOT_A_SECTION, where=self._source(root).where, found=_found(root), allowed=allowed)

    def _read_section(self, node: yaml.Node, section: Section) -> bool:
        """Reads what is below `section`; false when the node cannot be a section. An empty one is fine."""
        if not isinstance(node, yaml.MappingNode):
            return _is_null(node)
        lines: dict[str, int] = {}
        for name, value in node.value:
            source = self._source(name)
            if not isinstance(name, yaml.ScalarNode):
                self._problems.add(NOT_A_NAME, where=source.where, found=_found(name))
            elif name.value in lines:
                path, line = _join(section, name.value), lines[name.value]
                self._problems.add(TWICE, where=source.where, key=excerpt(path, bare=True), line=line)
            else:
                lines[name.value] = name.start_mark.line + 1
                self._read_entry(name.value, value, section, source)
        return True

    def _read_entry(self, name: str, node: yaml.Node, section: Section, source: Source) -> None:
        child = section.children.get(name)
        if isinstance(child, Key):
            self._read_key(child, node, source)
        elif child is None:
            self._report_unknown(name, section, source)
        elif not self._read_section(node, child):
            allowed = "the keys " + ", ".join(child.children)
            self._refuse(child, node, source, allowed)

    def _read_key(self, key: Key, node: yaml.Node, source: Source) -> None:
        if self._layer == "project" and not key.project:
            places = {"user_file": self._user_file, "variable": key.variables[0]}
            self._problems.add(NOT_IN_PROJECT, where=source.where, key=key.path, **places)
        elif isinstance(node, yaml.ScalarNode):
            text = "null" if _is_null(node) else node.value
            assign(self.given, key, text, bare=not node.style, source=source, problems=self._problems)
        else:
            self._refuse(key, node, source, key.allowed)

    def _refuse(self, child: Key | Section, node: yaml.Node, source: Source, allowed: str) -> None:
        self._problems.add(WRONG_VALUE, where=source.where, key=child.path, found=_found(node), allowed=allowed)

    def _report_unknown(self, name: str, section: Section, source: Source) -> None:
        path = _join(section, name)
        if "." in name and path in tree().every_key():
            self._problems.add(DOTTED_KEY, where=source.where, key=path)
        else:
            report_unknown(path, section, source, self._problems)

    def _source(self, node: yaml.Node) -> Source:
        return Source(self._layer, file=self._file, line=node.start_mark.line + 1)


def _join(section: Section, name: str) -> str:
    return f"{section.path}.{name}" if section.path else name


def _is_null(node: yaml.Node) -> bool:
    return isinstance(node, yaml.ScalarNode) and not node.style and node.value in ("", "~", "null")


def _found(node: yaml.Node) -> str:
    if isinstance(node, yaml.ScalarNode):
        return excerpt(node.value, bare=not node.style)
    return "a list" if isinstance(node, yaml.SequenceNode) else "a section"
