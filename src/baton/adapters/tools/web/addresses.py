"""Which addresses a fetch may reach: plain http and https ones of public hosts. All others are refused, however
spelled.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from urllib.parse import SplitResult, urlsplit

from baton.core.display import one_line
from baton.core.errors import ToolError

PORTS = {"http": 80, "https": 443}
Reach = Callable[[str, int], Awaitable[str]]
"""From host and port to the one address to connect to. Raises `ToolError`."""
_BLOCKED = [
    ip_network(each)
    for each in (
        "0.0.0.0/8",
        "10.0.0.0/8",
        "100.64.0.0/10",
        "127.0.0.0/8",
        "168.63.129.16/32",  # the host of a virtual machine at Azure
        "169.254.0.0/16",
        "172.16.0.0/12",
        "192.0.0.0/24",
        "192.0.2.0/24",
        "192.88.99.0/24",
        "192.168.0.0/16",
        "198.18.0.0/15",
        "198.51.100.0/24",
        "203.0.113.0/24",
        "224.0.0.0/3",
        "2001::/23",
        "2001:db8::/32",
        "2002::/16",
        "3fff::/20",
    )
]
_PUBLIC_6 = ip_network("2000::/3")
_TRANSLATED = ip_network("64:ff9b::/96")


def parse_url(url: str) -> SplitResult:
    """The address in parts, or `ToolError` for one that is not a plain http or https address."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise fetch_error(url, "it is not an address") from None
    if parts.scheme not in PORTS:
        raise fetch_error(url, "only http and https can be fetched")
    if not parts.hostname or parts.username is not None or parts.password is not None or port == 0:
        raise fetch_error(url, "it has no host, or carries a name and password")
    if any(character.isspace() or not character.isprintable() for character in url) or "\\" in parts.netloc:
        raise fetch_error(url, "it holds characters that an address cannot have")
    return parts


def fetch_error(url: str, reason: str) -> ToolError:
    return ToolError(tool="fetch", reason=f"{one_line(url, 200)}: {reason}")


def is_public(address: str) -> bool:
    """Whether this address belongs to a public host. If it stands for an IPv4 address, that address decides."""
    try:
        found = ip_address(address)
    except ValueError:
        return False
    if isinstance(found, IPv6Address):
        found = _embedded_ipv4(found) or found
    if isinstance(found, IPv6Address) and (found.scope_id or found not in _PUBLIC_6):
        return False
    return found.is_global and not any(found in each for each in _BLOCKED if each.version == found.version)


def _embedded_ipv4(found: IPv6Address) -> IPv4Address | None:
    if found in _TRANSLATED and not found.scope_id:
        return IPv4Address(int(found) & 0xFFFFFFFF)
    return found.ipv4_mapped


async def reach(host: str, port: int) -> str:
    """Looks the name up once. Every address it has must be public; the first is the one to use."""
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise ToolError(tool="fetch", reason=f"there is no host {host}") from None
    addresses = [str(each[4][0]) for each in found]
    if not addresses or not all(map(is_public, addresses)):
        raise ToolError(tool="fetch", reason=f"{host} is not on the public Internet, and only that can be fetched")
    return addresses[0]
