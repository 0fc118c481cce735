"""The product's own redactor, as the packets get it: knowing no value beforehand, only forms."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from tempfile import TemporaryDirectory

from bench.continuity.arms import Clean


@contextmanager
def product_clean() -> Iterator[Clean]:
    """What takes secrets out of a text before it is kept."""
    from baton.adapters.redaction.redactor import open_redactor

    with TemporaryDirectory(prefix="baton-continuity-") as cache:
        redactor = open_redactor(cache, {}, (), cache)
        yield lru_cache(100_000)(lambda text: redactor.redact(text).text)
