"""Only addresses on this machine may be called without encryption."""

from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit

from baton.core.errors import BadCredentials


def check_private(platform: str, address: str, because: str) -> None:
    """Raises `BadCredentials` for an `http://` address on another machine; `because` says what would be exposed."""
    parts = urlsplit(address)
    if parts.scheme == "https" or is_loopback(parts.hostname or ""):
        return
    reason = f"{parts.hostname} is another machine and http is not encrypted: {because}"
    raise BadCredentials(platform=platform, reason=f"{reason}; use https or a loopback address")


def is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
