"""Addresses of pages."""

from __future__ import annotations

from urllib.parse import SplitResult, urlsplit

from baton.core.display import one_line
from baton.core.errors import ToolError

PORTS = {"http": 80, "https": 443}


def parsed(url: str) -> SplitResult:
    """The address in parts, or `ToolError` for one that is not a plain http or https address."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise refused(url, "it is not an address") from None
    if parts.scheme not in PORTS:
        raise refused(url, "only http and https can be fetched")
    if not parts.hostname or parts.username is not None or parts.password is not None or port == 0:
        raise refused(url, "it has no host, or carries a name and password")
    if any(character.isspace() or not character.isprintable() for character in url) or "\\" in parts.netloc:
        raise refused(url, "it holds characters that an address cannot have")
    return parts


def refused(url: str, reason: str) -> ToolError:
    return ToolError(tool="fetch", reason=f"{one_line(url, 200)}: {reason}")
