"""Opening Discord: the only file of the package that others import."""

from __future__ import annotations

import logging
import warnings
from pathlib import Path

from baton.adapters.platforms.addresses import check_private
from baton.config.platform_settings import DiscordSettings
from baton.ports.platform import Platform, Shelf


def open_platform(settings: DiscordSettings, shelf: Shelf, home: Path) -> Platform:
    """Nothing is sent before `connect`. No files are kept, so `home` stays as it is."""
    del home
    for address in (settings.api, f"http{settings.gateway.removeprefix('ws')}"):
        check_private("discord", address, "anybody on the way could read the token")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # discord.py imports audioop, for voices we never hear
        from baton.adapters.platforms.discord.platform import DiscordPlatform

    for library in ("discord", "httpx2", "httpcore2"):
        logging.getLogger(library).setLevel(logging.ERROR)
    return DiscordPlatform(settings, shelf)
