"""Opens Slack. Only this is imported before it is needed."""

from __future__ import annotations

from pathlib import Path

from baton.config.platform_settings import SlackSettings
from baton.core.errors import BadCredentials
from baton.ports.platform import Platform, Shelf


def open_platform(settings: SlackSettings, shelf: Shelf, home: Path) -> Platform:  # noqa: ARG001
    """`BadCredentials` if a token is missing; nothing is kept in `home`."""
    from baton.adapters.platforms.addresses import check_private
    from baton.adapters.platforms.slack.api import Api
    from baton.adapters.platforms.slack.platform import SlackPlatform

    if not settings.bot_token or not settings.app_token:
        raise BadCredentials(platform="slack", reason="bot_token and app_token must both be set")
    check_private("slack", settings.api, "anybody on the way could read the tokens")
    return SlackPlatform(Api(settings.api, settings.bot_token, settings.app_token), shelf)
