"""The parts of Baton that not everybody needs: which there are, whether one is installed, and the line that adds it.

The names are those of `pyproject.toml`. Nothing is imported to find out.
"""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec

from baton.core.errors import MissingExtra
from baton.core.value import value


@value
class Extra:
    """`feature` begins a sentence. `module` is what the part brings."""

    name: str
    feature: str
    module: str


EXTRAS = {
    each.name: each
    for each in (
        Extra("local", "The local model", "xllamacpp"),
        Extra("telegram", "Telegram", "telegram"),
        Extra("discord", "Discord", "discord"),
        Extra("slack", "Slack", "slack_sdk"),
        Extra("matrix", "Matrix", "nio"),
        Extra("postgres", "PostgreSQL", "psycopg"),
        Extra("providers", "This provider", "pydantic_ai"),
    )
}
"""By name. A platform that is not here needs nothing besides."""


def is_installed(name: str) -> bool:
    try:
        return find_spec(EXTRAS[name].module) is not None
    except ValueError:  # a module that was switched off by hand
        return False


def require_extra(name: str, feature: str = "") -> None:
    """Raises `MissingExtra` with the line that helps. `feature` is what needs it, if the part is for several things."""
    if not is_installed(name):
        raise MissingExtra(feature=feature or EXTRAS[name].feature, extra=name, line=install_line(name))


def install_command(name: str) -> list[str]:
    """What installs the part beside this Baton, whichever tool installed that."""
    from shutil import which

    wanted = f"baton-agent[{name}]"
    if find_spec("pip") is None and (uv := which("uv")):
        return [uv, "pip", "install", "--python", sys.executable, wanted]
    return [sys.executable, "-m", "pip", "install", wanted]


def install_line(name: str) -> str:
    """The same, as a person would type it here."""
    from shutil import which

    program, *rest = install_command(name)
    if program == sys.executable:
        own = which("pip") == os.path.join(os.path.dirname(sys.executable), "pip")
        start = ["pip"] if own else [_near(program), "-m", "pip"]
        rest = rest[2:]
    else:
        start = ["uv"]
    return " ".join([*start, *(f"'{word}'" if "[" in word else word for word in rest)])


def _near(path: str) -> str:
    """A path below this directory is shorter from here."""
    try:
        here = os.path.relpath(path)
    except (OSError, ValueError):
        return path
    return path if here.startswith("..") else here
