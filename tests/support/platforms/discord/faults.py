"""Trouble that tests ask for."""

from __future__ import annotations

from dataclasses import dataclass

from tests.support.platforms import faults


@dataclass
class Faults(faults.Faults):
    hang: bool = False
    """A swallowed answer: the connection stays open and silent, instead of breaking."""
