"""Generated examples that are the same in every run, however slow the machine is."""

from __future__ import annotations

from hypothesis import settings

STEADY = settings(derandomize=True, deadline=None, database=None)
