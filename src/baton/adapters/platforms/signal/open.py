"""Makes the Signal platform from its settings."""

from __future__ import annotations

from pathlib import Path

from baton.config.platform_settings import SignalSettings
from baton.core.errors import BadCredentials
from baton.ports.platform import Platform, Shelf


def open_platform(settings: SignalSettings, shelf: Shelf, home: Path) -> Platform:  # noqa: ARG001 - no files to keep
    """`BadCredentials` if the account is not set, or if the daemon's address would be open to others."""
    from baton.adapters.platforms.signal.platform import Signal

    if settings.account is None:
        raise BadCredentials(platform="signal", reason="`account` is not set")
    return Signal(settings.daemon, settings.account, shelf)
