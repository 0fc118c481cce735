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
    LEADS_OUT,
    MORE_IGNORED,
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
from baton.config.project_file import LARGEST as LARGEST_OF_PROJECT
from baton.config.project_file import leads_out
from baton.config.schema import Settings, tree
from baton.config.sources import Given, Source, assign, report_unknown
from baton.core.value import value

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import yaml


LARGEST = 1_000_000
_FLAG = Source("flag")
_TOLD = 5
_OPENING = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)


@value
class Loaded:
    """The settings that hold, where each key's value came from, where the files are, and what of a project's file was
    ignored, a sentence each.
    """

    settings: Settings
    sources: Mapping[str, Source]
    locations: Locations
    ignored: tuple[str, ...] = ()

    @property
    def ignored_in_brief(self) -> tuple[str, ...]:
        """As much of it as is told unasked: a hostile file does not fill a screen."""
        more = len(self.ignored) - _TOLD
        return (*self.ignored[:_TOLD], *((MORE_IGNORED.format(count=more),) if more > 0 else ()))


def load(*, environ: Mapping[str, str], cwd: Path, home: Path, flags: Sequence[str] = ()) -> Loaded:
    """The settings for a process in `cwd`, an absolute path, of a user whose home directory is `home`.

    Reads the two configuration files and nothing else. Raises one `BadConfig` that lists all problems of all layers,
    even of values that a higher layer overrides; what is wrong with a project's file is only told.
    """
    problems = Problems()
    locations = locate(environ, cwd=cwd, home=home, problems=problems)
    given: Given = {}
    if locations.home.is_absolute():
        given |= read_file("user", locations.user, locations, problems)
    if locations.project is not None:
        theirs = Problems()
        given |= read_file("project", locations.project, locations, theirs)
        problems.warn_of(theirs)
    given |= read_environment(environ, problems)
    given |= read_flags(flags, problems)
    problems.raise_any()
    sources = {path: given[path][1] if path in given else Source("default") for path in tree().every_key()}
    return Loaded(cast("Settings", build(tree(), given)), sources, locations, tuple(problems.warnings))


def load_here(flags: Sequence[str] = ()) -> Loaded:
    """The settings for this process."""
    cwd, home = _surroundings()
    return load(environ=os.environ, cwd=cwd, home=home, flags=flags)


def locate_here() -> Locations:
    """Where the files of this process are, whatever is in them."""
    cwd, home = _surroundings()
    problems = Problems()
    found = locate(os.environ, cwd=cwd, home=home, problems=problems)
    problems.raise_any()
    return found


def _surroundings() -> tuple[Path, Path]:
    """The directory of this process and the user's home."""
    try:
        cwd = Path.cwd()
    except OSError as error:
        problems = Problems()
        problems.add(NO_CWD, reason=error.strerror)
        problems.raise_any()
        raise
    try:
        return cwd, Path.home()
    except RuntimeError:
        return cwd, Path()


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

    if layer == "project" and leads_out(file):
        problems.add(LEADS_OUT, where=file)
        return {}
    text = _read_text(file, LARGEST if layer == "user" else LARGEST_OF_PROJECT, problems)
    root = None if text is None else compose(text, str(file), problems)
    reader = Reader(place, problems, user_file=locations.user if layer == "project" else None)
    if root is not None:
        reader.read_root(root)
    return reader.given


def _read_text(file: Path, limit: int, problems: Problems) -> str | None:
    """The decoded text without a byte order mark; `None` when there is none, which is then reported.

    A repository may have put anything in the place of the file: it is read within limits.
    """
    raw = _read_bytes(file, limit, problems)
    if raw is None:
        return None
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        problems.add(NOT_UTF8, where=f"{file}:{line}")
        return None


def _read_bytes(file: Path, limit: int, problems: Problems) -> bytes | None:
    """Opened before it is looked at, and without waiting: nothing put in its place meanwhile can hang this."""
    try:
        with open(os.open(file, _OPENING), "rb") as stream:
            mode = os.fstat(stream.fileno()).st_mode
            if not stat.S_ISREG(mode):
                problems.add(DIRECTORY if stat.S_ISDIR(mode) else NOT_A_FILE, where=file)
                return None
            raw = stream.read(limit + 1)
    except IsADirectoryError:
        problems.add(DIRECTORY, where=file)
        return None
    except OSError as error:
        problems.add(UNREADABLE, where=file, reason=error.strerror or type(error).__name__)
        return None
    if len(raw) > limit:
        problems.add(TOO_LARGE, where=file, limit=limit)
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
