"""The product's own redactor, as the packets get it: knowing no value beforehand, only forms."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.continuity.arms import Clean

CACHE = Path(__file__).parents[2] / ".cache" / "redaction"
"""Where the compiled rules are kept: compiling them takes longer than most runs."""


@contextmanager
def product_clean() -> Iterator[Clean]:
    """What takes secrets out of a text before it is kept."""
    from baton.adapters.redaction.redactor import open_redactor

    CACHE.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix="baton-continuity-") as folder:
        redactor = open_redactor(folder, {}, (), str(CACHE))
        yield lru_cache(100_000)(lambda text: redactor.redact(text).text)
