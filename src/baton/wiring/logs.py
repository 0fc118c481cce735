"""What Baton itself logs, to standard error: without secrets, control characters or endless lines."""

from __future__ import annotations

import logging
from collections.abc import Callable

from baton.core.display import plain

LONGEST = 4000
UNCLEAN = "[a log line that could not be cleaned was left out]"


class CleanFormatter(logging.Formatter):
    """`clean` takes secrets out; it is made when the first line is logged, which may be never."""

    def __init__(self, clean: Callable[[str], str]) -> None:
        super().__init__("baton: %(levelname)s: %(message)s")
        self._clean = clean

    def format(self, record: logging.LogRecord) -> str:
        try:
            return plain(self._clean(super().format(record)))[:LONGEST]
        except Exception:  # noqa: BLE001, a log line must neither leak nor end the program
            return UNCLEAN


def clean_logs(clean: Callable[[str], str]) -> None:
    """From now on every line of Baton's own loggers goes through `clean`."""
    handler = logging.StreamHandler()
    handler.setFormatter(CleanFormatter(clean))
    logger = logging.getLogger("baton")
    logger.handlers[:] = [handler]
    logger.propagate = False
