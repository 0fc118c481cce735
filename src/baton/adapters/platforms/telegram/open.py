"""How this platform is opened. Importing this module is what loads the library."""

from __future__ import annotations

from pathlib import Path

from baton.adapters.platforms.addresses import check_private
from baton.adapters.platforms.telegram.bot import Api
from baton.adapters.platforms.telegram.place import NAME
from baton.adapters.platforms.telegram.platform import TelegramPlatform
from baton.config.platform_settings import TelegramSettings
from baton.core.errors import BadCredentials
from baton.ports.platform import Platform, Shelf


def open_platform(settings: TelegramSettings, shelf: Shelf, home: Path) -> Platform:  # noqa: ARG001, no files are kept
    if settings.token is None:
        raise BadCredentials(platform=NAME, reason="no token is set")
    check_private(NAME, settings.api, "the bot's token")
    return TelegramPlatform(Api(settings.token, settings.api.rstrip("/")), shelf)
