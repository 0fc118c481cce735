"""The layers that are YAML files: the user's own and the project's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from baton.config.file_text import read_text
from baton.config.node_reader import Reader
from baton.config.sources import Given, Source
from baton.config.yaml_source import compose

if TYPE_CHECKING:
    from pathlib import Path

    import yaml

    from baton.config.locations import Locations
    from baton.config.problems import Problems


def read_file(layer: Literal["user", "project"], file: Path, locations: Locations, problems: Problems) -> Given:
    """What the file gives, checked; everything wrong with it is reported, not only the first."""

    def place(node: yaml.Node) -> Source:
        return Source(layer, file=file, line=node.start_mark.line + 1)

    text = read_text(file, problems)
    root = None if text is None else compose(text, str(file), problems)
    reader = Reader(place, problems, user_file=locations.user if layer == "project" else None)
    if root is not None:
        reader.read_root(root)
    return reader.given
