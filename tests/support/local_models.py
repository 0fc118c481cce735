"""The smallest local model, for real: pulled once, kept for all later test runs."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

from baton.adapters.models.local.catalogue import SMOLLM_135M
from baton.adapters.models.local.pull import pull

_CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
DIRECTORY = str(os.environ.get("BATON_TEST_MODELS") or _CACHE / "baton-test-models")
"""Decided when tests are collected: each test has a home of its own."""


@cache
def smollm_directory() -> str:
    """The directory with SmolLM2-135M in it; 93 MB are pulled if they are not there yet."""
    pull(SMOLLM_135M, DIRECTORY)
    return DIRECTORY
