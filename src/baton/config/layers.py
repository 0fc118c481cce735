"""From the layers to one set of settings: default < user file < project file < environment < flag."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING, Literal, cast

from baton.config.keys import Section, build
from baton.config.locations import Locations, is_present, locate
from baton.config.masking import excerpt
from baton.config.problems import (
    DIRECTORY,
    LOOSER_IN_PROJECT,
    NO_CWD,
    NOT_A_FILE,
    NOT_A_PAIR,
    NOT_UTF8,
    TOO_LARGE,
    TWO_VARIABLES,
    UNKNOWN_VARIABLE,
    UNKNOWN_VARIABLE_ALONE,
    UNREADABLE,
    WHOLE_SECTION,
    Problems,
    nearest,
)
from baton.config.schema import Settings, tree
from baton.config.sources import Given, Source, assign, report_unknown
from baton.core.value import value

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import yaml


LARGEST = 1_000_000
_FLAG = Source("flag")


@value
class Loaded:
    """The settings that hold, where each key's value came from, where the files are, and what of a project's file was
    ignored, a sentence each.
    """

    settings: Settings
    sources: Mapping[str, Source]
    locations: Locations
    ignored: tuple[str, ...] = ()


def load(*, environ: Mapping[str, str], cwd: Path, home: Path, flags: Sequence[str] = ()) -> Loaded:
    """The settings for a process in `cwd`, an absolute path, of a user whose home directory is `home`.

    Reads the two configuration files and nothing else. Raises one `BadConfig` that lists all problems of all layers,
    even of values that a higher layer overrides.
    """
    problems = Problems()
    locations = locate(environ, cwd=cwd, home=home, problems=problems)
    given: Given = {}
    if locations.home.is_absolute():
        given |= read_file("user", locations.user, locations, problems)
    if locations.project is not None:
        project = read_file("project", locations.project, locations, problems)
        given |= _permitted(project, given, locations, problems)
    given |= read_environment(environ, problems)
    given |= read_flags(flags, problems)
    problems.raise_any()
    sources = {path: given[path][1] if path in given else Source("default") for path in tree().every_key()}
    return Loaded(cast("Settings", build(tree(), given)), sources, locations, tuple(problems.warnings))


def _permitted(project: Given, below: Given, locations: Locations, problems: Problems) -> Given:
    """What a project's file may put in the place of the layers below it; the rest is ignored with a warning."""
    from baton.config.render import as_text

    kept: Given = {}
    keys = tree().every_key()
    for path, (wanted, source) in project.items():
        key = keys[path]
        held = below[path][0] if path in below else key.default()
        if key.in_project and key.in_project.permits(held, wanted):
            kept[path] = wanted, source
        elif key.in_project:
            facts = {"key": path, "wanted": as_text(wanted), "held": as_text(held), "allowed": key.in_project.words}
            places = {"where": source.where, "user_file": locations.user, "variable": key.variables[0]}
            problems.warn(LOOSER_IN_PROJECT, **facts, **places)
    return kept


def load_here(flags: Sequence[str] = ()) -> Loaded:
    """The settings for this process."""
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


def read_file(layer: Literal["user", "project"], file: Path, locations: Locations, problems: Problems) -> Given:
    """What the file gives, checked; everything wrong with it is reported, not only the first.

    PyYAML is imported only when there is a file to read.
    """
    if not is_present(file):
        return {}
    from baton.config.node_reader import Reader
    from baton.config.yaml_source import compose

    def place(node: yaml.Node) -> Source:
        return Source(layer, file=file, line=node.start_mark.line + 1)

    text = _read_text(file, problems)
    root = None if text is None else compose(text, str(file), problems)
    reader = Reader(place, problems, user_file=locations.user if layer == "project" else None)
    if root is not None:
        reader.read_root(root)
    return reader.given


def _read_text(file: Path, problems: Problems) -> str | None:
    """The decoded text without a byte order mark; `None` when there is none, which is then reported.

    A repository may have put anything in the place of the file: it is read within limits.
    """
    raw = _read_bytes(file, problems)
    if raw is None:
        return None
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        problems.add(NOT_UTF8, where=f"{file}:{line}")
        return None


def _read_bytes(file: Path, problems: Problems) -> bytes | None:
    try:
        mode = file.stat().st_mode
        if not stat.S_ISREG(mode):
            problems.add(DIRECTORY if stat.S_ISDIR(mode) else NOT_A_FILE, where=file)
            return None
        with file.open("rb") as stream:
            raw = stream.read(LARGEST + 1)
    except OSError as error:
        problems.add(UNREADABLE, where=file, reason=error.strerror or type(error).__name__)
        return None
    if len(raw) > LARGEST:
        problems.add(TOO_LARGE, where=file, limit=LARGEST)
        return None
    return raw


def read_environment(environ: Mapping[str, str], problems: Problems) -> Given:
    """What the variables give: `BATON_` and the path of a key, with `__` between its parts.

    An unknown one is reported only if it has `__`: other names may be somebody else's.
    """
    given: Given = {}
    keys = {name: key for key in tree().every_key().values() for name in key.variables}
    for name in sorted(name for name in environ if name.startswith("BATON_")):
        source = Source("environment", variable=name)
        key = keys.get(name)
        if key is None:
            _report_unknown_variable(name, list(keys), problems)
        elif key.path in given:
            other = given[key.path][1].where
            problems.add(TWO_VARIABLES, where=name, key=key.path, other=other)
        else:
            assign(given, key, environ[name], bare=True, source=source, problems=problems)
    return given


def _report_unknown_variable(name: str, known: list[str], problems: Problems) -> None:
    if "__" not in name or name.startswith("BATON_TEST_"):
        return
    meant = None if problems.full else nearest(name.upper(), known)
    if meant:
        problems.add(UNKNOWN_VARIABLE, where=name, nearest=meant)
    else:
        problems.add(UNKNOWN_VARIABLE_ALONE, where=name)


def read_flags(flags: Sequence[str], problems: Problems) -> Given:
    """What the flags give, each as `key.path=value`; of two for the same key the later one holds."""
    given: Given = {}
    known = {each.path: each for each in tree().walk()}
    for flag in flags:
        path, equals, text = flag.partition("=")
        child = known.get(path)
        if not equals:
            problems.add(NOT_A_PAIR, where=_FLAG.where, found=excerpt(flag))
        elif child is None:
            report_unknown(path, tree(), _FLAG, problems)
        elif isinstance(child, Section):
            problems.add(WHOLE_SECTION, where=_FLAG.where, key=path, allowed=_paths(child))
        else:
            assign(given, child, text, bare=True, source=_FLAG, problems=problems)
    return given


def _paths(section: Section) -> str:
    return ", ".join(section.every_key())
