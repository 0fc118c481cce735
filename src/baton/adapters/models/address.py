"""Addresses of model servers: as users write them, where they are, and whether a server answers."""

from __future__ import annotations

import ipaddress
import socket
from urllib.parse import urlsplit

_PATIENCE = 0.3


def server(written: str, usual: str) -> str:
    """A base URL from what the user set, which may lack the scheme, the port or the path that `usual` has.

    An address to listen on (0.0.0.0, ::) stands for this machine.
    """
    parts = urlsplit(written if "://" in written else f"http://{written}")
    fallback = urlsplit(usual)
    host = parts.hostname or fallback.hostname or "localhost"
    host = "localhost" if host in ("0.0.0.0", "::") else host  # noqa: S104, read as an address, not bound
    host = f"[{host}]" if ":" in host else host
    user, at, _ = parts.netloc.rpartition("@")
    port = parts.port or (fallback.port if parts.scheme == "http" else None)
    path = parts.path.rstrip("/") or fallback.path
    return f"{parts.scheme}://{user}{at}{host}{f':{port}' if port else ''}{path}"


def host_of(url: str) -> str:
    """`host:port` of a URL, without anything secret."""
    parts = urlsplit(url)
    return f"{parts.hostname}:{parts.port}" if parts.port else parts.hostname or ""


def is_near(url: str) -> bool:
    """Whether the server is on this machine or in the private network."""
    host = urlsplit(url).hostname or ""
    try:
        found = ipaddress.ip_address(host)
    except ValueError:
        return bool(host) and ("." not in host or host.endswith((".local", ".internal", ".lan")))
    return found.is_private or found.is_loopback


def answers(url: str) -> bool:
    """Whether a server accepts a connection there."""
    parts = urlsplit(url)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    try:
        socket.create_connection((parts.hostname or "localhost", port), _PATIENCE).close()
    except OSError:
        return False
    return True
