"""The Matrix platform, from its settings."""

from __future__ import annotations

from pathlib import Path

from baton.adapters.platforms.matrix.place import NAME
from baton.config.platform_settings import MatrixSettings
from baton.core.errors import BadCredentials
from baton.ports.platform import Platform, Shelf


def open_platform(settings: MatrixSettings, shelf: Shelf, home: Path) -> Platform:
    """Not connected yet. `BadCredentials` if `user` or `password` is not set."""
    from baton.adapters.platforms.matrix.platform import Matrix

    if not settings.user or not settings.password:
        raise BadCredentials(platform=NAME, reason="`user` and `password` are not both set")
    return Matrix(settings.homeserver, settings.user, settings.password, shelf=shelf, home=home)
