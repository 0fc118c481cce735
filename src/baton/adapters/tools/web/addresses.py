"""Which addresses of the network a fetch may reach: those of the public Internet, and no other spelling of the rest."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

from baton.core.errors import ToolError

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


def public(address: str) -> bool:
    """Whether this address is of a public host. Of one that stands for an IPv4 address, that address decides."""
    try:
        found = ip_address(address)
    except ValueError:
        return False
    if isinstance(found, IPv6Address):
        found = _carried(found) or found
    if isinstance(found, IPv6Address) and (found.scope_id or found not in _PUBLIC_6):
        return False
    return found.is_global and not any(found in each for each in _BLOCKED if each.version == found.version)


def _carried(found: IPv6Address) -> IPv4Address | None:
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
    if not addresses or not all(map(public, addresses)):
        raise ToolError(tool="fetch", reason=f"{host} is not on the public Internet, and only that can be fetched")
    return addresses[0]
