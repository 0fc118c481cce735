"""What `baton doctor` says of the gateway: which platforms lack what, whether one lives, and homes that are missing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from baton.core.errors import BatonError
from baton.core.transfer.place import PLATFORMS
from baton.engine.transfer.targets import CONNECTED
from baton.ports.store import Finding

if TYPE_CHECKING:
    from baton.config import Loaded
    from baton.engine.transfer.targets import GatewayRow
    from baton.ports.store import Store

PHONE = "to carry on from a phone, export BATON_TELEGRAM_TOKEN=… of a bot from @BotFather, then run: baton gateway"
AGAIN = "start the gateway again: it reads the configuration when it starts"
_ONCE = {"whatsapp": ("verify_token",)}
"""What is needed only while a platform is being set up."""


def gateway_checkup(loaded: Loaded, store: Callable[[], Store]) -> Iterator[Finding]:
    """Of a store that cannot be opened the store's own row says so; the rest is told all the same."""
    lacking = {name: _lacking(loaded, name) for name in PLATFORMS if _touched(loaded, name)}
    living, homes = _known(loaded, store)
    hosted = {name for row in living or () for name in row.platforms}
    if living is not None:
        yield _gateway(living, any(not keys for keys in lacking.values()))
    for name in PLATFORMS:
        if lacking.get(name):
            yield _in_part(name, lacking[name])
        elif name in lacking or name in hosted:
            yield _platform(loaded, name, living or (), homes)


def _touched(loaded: Loaded, name: str) -> bool:
    prefix = f"gateway.{name}."
    return any(path.startswith(prefix) and source.layer != "default" for path, source in loaded.sources.items())


def _lacking(loaded: Loaded, name: str) -> list[str]:
    from baton.adapters.platforms.registry import NEEDS

    return [key for key in NEEDS[name] if not _set(loaded, name, key)]


def _set(loaded: Loaded, name: str, key: str) -> bool:
    return getattr(getattr(loaded.settings.gateway, name), key) is not None


def _known(loaded: Loaded, store: Callable[[], Store]) -> tuple[list[GatewayRow] | None, Mapping[str, str]]:
    """The living gateways and the home channels; None if nobody can know."""
    from baton.wiring.people import directory, targets

    try:
        return targets(store(), loaded.settings).gateways(), directory(store(), loaded.settings).homes()
    except BatonError:
        return None, {}


def _gateway(living: Sequence[GatewayRow], wanted: bool) -> Finding:
    if living:
        return Finding("ok", "gateway", ", ".join(f"{row.id} on {row.host} (pid {row.pid})" for row in living))
    if wanted:
        return Finding("warning", "gateway", "a platform is configured, and no gateway is running", "baton gateway")
    return Finding("ok", "gateway", "no messaging platform is configured", PHONE)


def _in_part(name: str, keys: Sequence[str]) -> Finding:
    missing = ", ".join(f"gateway.{name}.{key}" for key in keys)
    return Finding("warning", name, f"configured in part, so it is not used. Not set: {missing}", _exports(name, keys))


def _exports(name: str, keys: Sequence[str]) -> str:
    from baton.config.schema import tree

    known = tree().every_key()
    return "export " + " ".join(f"{known[f'gateway.{name}.{key}'].variables[0]}=…" for key in keys)


def _platform(loaded: Loaded, name: str, living: Sequence[GatewayRow], homes: Mapping[str, str]) -> Finding:
    states = [(row.platforms[name], row.names.get(name, "")) for row in living if name in row.platforms]
    connected = next((ours for state, ours in states if state == CONNECTED), None)
    if states and connected is None:
        return Finding("warning", name, f"not connected: {states[0][0]}", "baton gateway status")
    if living and not states:
        return Finding("warning", name, "configured here, but the gateway that runs does not host it", AGAIN)
    text = "configured" if connected is None else f"connected as {connected}" if connected else "connected"
    if name not in homes:
        return Finding("warning", name, f"{text}; it has no home channel, so nothing can be moved there", _pair(name))
    once = [key for key in _ONCE.get(name, ()) if _touched(loaded, name) and not _set(loaded, name, key)]
    todo = f"before Meta can verify the webhook: {_exports(name, once)}" if once else ""
    return Finding("ok", name, f"{text}; home {homes[name]}", todo)


def _pair(name: str) -> str:
    return f"baton pair {name}"
