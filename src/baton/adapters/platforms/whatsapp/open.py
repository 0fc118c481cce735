"""Makes the WhatsApp platform from its settings."""

from __future__ import annotations

from pathlib import Path

from baton.config.platform_settings import WhatsAppSettings
from baton.core.errors import BadCredentials
from baton.ports.platform import Platform, Shelf


def open_platform(settings: WhatsAppSettings, shelf: Shelf, home: Path) -> Platform:  # noqa: ARG001 - no files to keep
    """`BadCredentials` if one of number, token and secret is not set, or the API would be spoken to in the clear."""
    from baton.adapters.platforms.whatsapp.platform import Account, WhatsApp

    number, token, secret = settings.number_id, settings.token, settings.app_secret
    if number is None or token is None or secret is None:
        wanted = {"number_id": number, "token": token, "app_secret": secret}
        missing = ", ".join(f"`{name}`" for name, given in wanted.items() if given is None)
        raise BadCredentials(platform="whatsapp", reason=f"{missing} must be set too")
    return WhatsApp(Account(number, token, secret, settings.verify_token, settings.listen, settings.api), shelf)
