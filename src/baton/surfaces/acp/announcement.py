"""What Baton says of itself when a client says hello."""

from __future__ import annotations

from baton import __version__
from baton.surfaces.acp.frames import Json

VERSION = 1
KEY_IN_ENVIRONMENT = "environment"
SETUP = "setup"
_KEY = "A provider's key from the environment, such as ANTHROPIC_API_KEY; without one the embedded model answers"


def announcement(*, unstable: bool, terminal_login: bool) -> Json:
    """Always our own version of the protocol: a client that speaks another one then knows it."""
    return {
        "protocolVersion": VERSION,
        "agentCapabilities": capabilities(unstable=unstable),
        "agentInfo": {"name": "baton", "title": "Baton", "version": __version__},
        "authMethods": logins(terminal=terminal_login),
    }


def capabilities(*, unstable: bool) -> Json:
    """What is no part of the standard is named in `_meta`, or where the standard will have it if that is wanted."""
    session: Json = {"list": {}, "resume": {}, "close": {}, "delete": {}, **({"fork": {}} if unstable else {})}
    extension = {"sessionProvenance": True, "stableSessionIds": True, "promptQueueing": True, "fork": True}
    return {
        "loadSession": True,
        "promptCapabilities": {"image": True, "audio": False, "embeddedContext": True},
        "mcpCapabilities": {"http": True, "sse": False},
        "sessionCapabilities": session,
        "auth": {"logout": {}},
        "_meta": {"baton": extension, "hermes": {"sessionProvenance": True}},
    }


def logins(*, terminal: bool) -> list[Json]:
    key: Json = {"id": KEY_IN_ENVIRONMENT, "name": "Key in the environment", "description": _KEY}
    setup: Json = {
        "type": "terminal",
        "id": SETUP,
        "name": "Check the set-up in a terminal",
        "description": "Shows what a client would see and what is missing",
        "args": ["--check"],
    }
    return [key, setup] if terminal else [key]
