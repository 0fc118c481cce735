"""The layer of command-line flags, each given as `key.path=value`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from baton.config.assignment import assign, report_unknown
from baton.config.keys import Section
from baton.config.masking import excerpt
from baton.config.problems import NOT_A_PAIR, WHOLE_SECTION, Problems
from baton.config.schema import tree
from baton.config.sources import Given, Source

if TYPE_CHECKING:
    from collections.abc import Sequence

_FLAG = Source("flag")


def read_flags(flags: Sequence[str], problems: Problems) -> Given:
    """What the flags give; of two for the same key the later one holds."""
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
