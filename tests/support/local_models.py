"""The smallest local model, for real: pulled once for this checkout, kept for its later test runs."""

from __future__ import annotations

import os
from functools import cache

from baton.adapters.models.local.catalogue import SMOLLM_135M
from baton.adapters.models.local.pull import pull
from tests.support.obtain import CACHE

DIRECTORY = str(os.environ.get("BATON_TEST_MODELS") or CACHE / "models")
"""Decided when tests are collected: each test has an environment of its own."""


@cache
def smollm_directory() -> str:
    """The directory with SmolLM2-135M in it; 93 MB are pulled if they are not there yet."""
    pull(SMOLLM_135M, DIRECTORY)
    return DIRECTORY
