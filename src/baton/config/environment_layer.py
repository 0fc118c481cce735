"""The layer of environment variables: `BATON_` and the path of a key, with `__` between its parts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from baton.config.assignment import assign
from baton.config.problems import TWO_VARIABLES, UNKNOWN_VARIABLE, UNKNOWN_VARIABLE_ALONE, Problems, nearest
from baton.config.schema import tree
from baton.config.sources import Given, Source

if TYPE_CHECKING:
    from collections.abc import Mapping


def read_environment(environ: Mapping[str, str], problems: Problems) -> Given:
    """What the variables give. An unknown one is reported only if it has `__`: other names may be somebody else's."""
    given: Given = {}
    keys = {name: key for key in tree().every_key().values() for name in key.variables}
    for name in sorted(name for name in environ if name.startswith("BATON_")):
        source = Source("environment", variable=name)
        key = keys.get(name)
        if key is None:
            _report_unknown(name, list(keys), problems)
        elif key.path in given:
            other = given[key.path][1].where
            problems.add(TWO_VARIABLES, where=name, key=key.path, other=other)
        else:
            assign(given, key, environ[name], bare=True, source=source, problems=problems)
    return given


def _report_unknown(name: str, known: list[str], problems: Problems) -> None:
    if "__" not in name or name.startswith("BATON_TEST_"):
        return
    meant = None if problems.full else nearest(name.upper(), known)
    if meant:
        problems.add(UNKNOWN_VARIABLE, where=name, nearest=meant)
    else:
        problems.add(UNKNOWN_VARIABLE_ALONE, where=name)
