"""Runs one check on one stage: with a deadline, without broken rules, and without a secret in the log."""

from __future__ import annotations

import asyncio
import logging

import pytest

from tests.contract.platform.kit import CannotBeChecked, Check, load, secrets
from tests.contract.platform.stage import Stage
from tests.support.patience import PATIENCE

_SERVERS = ("aiohttp.access", "aiohttp.server", "uvicorn", "asyncio")
"""Loggers of the other side, which runs in the same process here."""


async def perform(name: str, check: Check, caplog: pytest.LogCaptureFixture) -> None:
    """Skips, with the reason, what the stage lacks or the platform does not have."""
    stage = load(name)()
    if reason := stage.lacks.get(check.__name__):
        pytest.skip(f"{name}: {reason}")
    try:
        await checked(stage, check, caplog)
    except CannotBeChecked as reason:
        pytest.skip(f"{name}: {reason}")


async def checked(stage: Stage, check: Check, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "markdown_it"), caplog.at_level(logging.DEBUG):
        async with stage:
            async with asyncio.timeout(2 * PATIENCE):
                await check(stage)
            assert stage.violations() == []
            assert leaks(stage, caplog) == []


def leaks(stage: Stage, caplog: pytest.LogCaptureFixture) -> list[str]:
    """The loggers that wrote a secret."""
    held = secrets(stage)
    return [
        f"{record.name}: {record.levelname}"
        for record in caplog.records
        if not record.name.startswith(_SERVERS) and any(secret in _whole(record) for secret in held)
    ]


def _whole(record: logging.LogRecord) -> str:
    return f"{record.getMessage()} {logging.Formatter().formatException(record.exc_info) if record.exc_info else ''}"
