"""From the layers to one set of settings: default < user file < project file < environment < flag."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Literal, cast

from baton.config.environment_layer import read_environment
from baton.config.flag_layer import read_flags
from baton.config.keys import build
from baton.config.locations import Locations, locate, present
from baton.config.problems import NO_CWD, Problems
from baton.config.schema import Settings, tree
from baton.config.sources import Given, Source
from baton.core.value import value

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


@value
class Loaded:
    """The settings that hold, where each key's value came from, and where the files are."""

    settings: Settings
    sources: Mapping[str, Source]
    locations: Locations


def load(*, environ: Mapping[str, str], cwd: Path, home: Path, flags: Sequence[str] = ()) -> Loaded:
    """The settings for a process in `cwd`, an absolute path, of a user whose home directory is `home`.

    Reads the two configuration files and nothing else. Raises one `BadConfig` that lists all problems of all layers;
    a value that a higher layer covers must be right all the same.
    """
    problems = Problems()
    locations = locate(environ, cwd=cwd, home=home, problems=problems)
    given: Given = {}
    if locations.home.is_absolute():
        given |= _read_file("user", locations.user, locations, problems)
    if locations.project is not None:
        given |= _read_file("project", locations.project, locations, problems)
    given |= read_environment(environ, problems)
    given |= read_flags(flags, problems)
    problems.raise_any()
    sources = {path: given[path][1] if path in given else Source("default") for path in tree().every_key()}
    return Loaded(cast("Settings", build(tree(), given)), sources, locations)


def load_here(flags: Sequence[str] = ()) -> Loaded:
    """The settings for this very process."""
    try:
        cwd = Path.cwd()
    except OSError as error:
        problems = Problems()
        problems.add(NO_CWD, reason=error.strerror)
        problems.raise_any()
        raise
    try:
        home = Path.home()
    except RuntimeError:
        home = Path()
    return load(environ=os.environ, cwd=cwd, home=home, flags=flags)


def _read_file(layer: Literal["user", "project"], file: Path, locations: Locations, problems: Problems) -> Given:
    """What the file gives; PyYAML is imported only when there is a file to read."""
    if not present(file):
        return {}
    from baton.config.file_layer import read_file

    return read_file(layer, file, locations, problems)
