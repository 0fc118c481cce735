"""The messaging services Baton knows, as they are written in a configuration and as people write them."""

from __future__ import annotations

NAMES = {
    "telegram": "Telegram",
    "discord": "Discord",
    "slack": "Slack",
    "matrix": "Matrix",
    "signal": "Signal",
    "whatsapp": "WhatsApp",
}
PLATFORMS = tuple(NAMES)
TERMINAL = "terminal"
"""Where a conversation lives that is in none of them."""


def platform_name(platform: str) -> str:
    """For people; one that is not ours, such as a platform of a test or the terminal, is capitalised."""
    return NAMES.get(platform, platform.capitalize())
