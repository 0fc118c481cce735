"""Redactors as the program opens them: for a workspace, for a process that lives long, and for what is logged."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from baton.core.display import plain
from baton.wiring.server_secrets import ServerConfig, server_values

if TYPE_CHECKING:
    from baton.config import Settings
    from baton.ports.redactor import Redactor

FRESH = 10.0
"""Seconds after which `.env` files are read again."""
UNCLEAN = "[a log line that could not be cleaned was left out]"
_LONGEST_LINE = 4000


def open_workspace_redactor(
    workspace: str, home: str, settings: Settings, environ: Mapping[str, str], lent: Sequence[ServerConfig] = ()
) -> Redactor:
    """With the secrets that are known now: the environment, `.env` files, git's settings, the configuration and its
    MCP servers, and those that were `lent`.
    """
    from baton.adapters.redaction.redactor import open_redactor
    from baton.config.schema import secret_values

    named = server_values([*settings.tools.mcp_servers.values(), *lent], environ)
    return open_redactor(workspace, {**environ, **named}, secret_values(settings), os.path.join(home, "cache"))


class Redactors:
    """One for each workspace, made anew by `make` when it is no longer fresh."""

    def __init__(self, make: Callable[[str], Redactor], clock: Callable[[], float] = time.monotonic) -> None:
        self._make = make
        self._clock = clock
        self._made: dict[str, tuple[float, Redactor]] = {}

    def of(self, workspace: str) -> Redactor:
        at, found = self._made.get(workspace, (0.0, None))
        if found is None or self._clock() - at > FRESH:
            found = self._make(workspace)
            self._made[workspace] = self._clock(), found
        return found


def clean_logs(clean: Callable[[str], str]) -> None:
    """From now on every line of Baton's own loggers, to standard error, goes through `clean`. Control characters are
    taken out too, and endless lines are cut.
    """
    handler = logging.StreamHandler()
    handler.setFormatter(_CleanFormatter(clean))
    logger = logging.getLogger("baton")
    logger.handlers[:] = [handler]
    logger.propagate = False


class _CleanFormatter(logging.Formatter):
    def __init__(self, clean: Callable[[str], str]) -> None:
        super().__init__("baton: %(levelname)s: %(message)s")
        self._clean = clean

    def format(self, record: logging.LogRecord) -> str:
        try:
            return plain(self._clean(super().format(record)))[:_LONGEST_LINE]
        except Exception:  # noqa: BLE001, a log line must neither leak nor end the program
            return UNCLEAN
