"""The platforms there are, one line each. A platform's modules are imported only if its account is configured."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from baton.config.extras import EXTRAS, require_extra

if TYPE_CHECKING:
    from baton.config.gateway_settings import GatewaySettings
    from baton.ports.platform import Platform, PlatformState

NEEDS = {
    "telegram": ("token",),
    "discord": ("token",),
    "slack": ("bot_token", "app_token"),
    "matrix": ("user", "password"),
    "signal": ("account",),
    "whatsapp": ("number_id", "token", "app_secret"),
}
"""The settings each of them must have."""


FIXED_CHATS = frozenset({"discord", "signal", "slack", "telegram"})
"""Those that declare `Abilities.fixed_chats`: known without importing them."""


def open_platform(name: str, settings: GatewaySettings, state: PlatformState, home: Path) -> Platform | None:
    """None if it is not configured. The module with its library is imported only now; `MissingExtra` without it."""
    given = getattr(settings, name)
    if any(getattr(given, key) is None for key in NEEDS[name]):
        return None
    if name in EXTRAS:
        require_extra(name)
    return import_module(f"baton.adapters.platforms.{name}.platform").open_platform(given, state, home)
