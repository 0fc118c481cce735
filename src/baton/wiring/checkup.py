"""What `baton doctor` says of the agent: model, sandbox, MCP servers, gateway; each with the line that helps."""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from baton.config.extras import EXTRAS, install_line, is_installed
from baton.core.errors import BatonError
from baton.core.transfer.place import PLATFORMS
from baton.engine.transfer.targets import CONNECTED
from baton.ports.store import Finding

if TYPE_CHECKING:
    from baton.adapters.tools.mcp.config import Server
    from baton.config import Loaded
    from baton.engine.transfer.targets import GatewayRow
    from baton.ports.store import Store

SERVER_SECONDS = 5.0
STRONGER = "for a stronger one, export ANTHROPIC_API_KEY=… or OPENAI_API_KEY=…, or set model"
INSTALL = "install bubblewrap (apt install bubblewrap, dnf install bubblewrap), or set tools.sandbox to off"
ALLOW = "allow unprivileged user namespaces (sysctl kernel.unprivileged_userns_clone=1), or set tools.sandbox to off"
PHONE = "to carry on from a phone, export BATON_TELEGRAM_TOKEN=… of a bot from @BotFather, then run: baton gateway"
AGAIN = "start the gateway again: it reads the configuration when it starts"
_ONCE = {"whatsapp": ("verify_token",)}
"""What is needed only while a platform is being set up."""


def checkup(loaded: Loaded, store: Callable[[], Store]) -> Iterator[Finding]:
    """Takes a few seconds if a server does not answer."""
    yield from _check_model(loaded)
    yield _check_embedded_model(loaded)
    yield _check_sandbox(loaded)
    yield _check_search()
    yield from _check_servers(loaded)
    yield from _check_gateway(loaded, store)


def _check_model(loaded: Loaded) -> Iterator[Finding]:
    from baton.adapters.models.registry import default_model, require, split
    from baton.core.errors import ModelError

    configured = loaded.settings.model
    name = default_model(os.environ, configured)
    why = f"set by {loaded.sources['model']}" if configured else "chosen by what is set here"
    try:
        provider, _ = split(name)
        require(provider, name, os.environ)
    except ModelError as error:
        what, _, todo = error.parts()
        yield Finding("error", "model", f"{name} ({why}) cannot be used. {what}", todo)
        return
    if provider.name == "local" and not configured:
        yield Finding("ok", "model", f"{name}, which runs inside Baton: no provider's key is set", STRONGER)
        return
    key = next((variable for variable in provider.keys if os.environ.get(variable, "").strip()), "")
    yield Finding("ok", "model", f"{name} ({f'{key} is set' if key and not configured else why})")


def _check_embedded_model(loaded: Loaded) -> Finding:
    from baton.adapters.models.local.catalogue import DEFAULT
    from baton.adapters.models.local.holdings import list_models

    if not is_installed("local"):
        return Finding("ok", "embedded model", "the part that runs it is not installed", install_line("local"))
    directory = os.path.join(loaded.locations.home, "models")
    held = next(each for each in list_models(directory) if each.weights.name == DEFAULT.name)
    size = f"{held.weights.size / 1e9:.1f} GB"
    states = {
        "ready": f"{DEFAULT.name} is here ({size})",
        "partial": f"{DEFAULT.name} is here in part ({held.bytes / 1e9:.1f} of {size})",
        "absent": f"{DEFAULT.name} is not here; {size} will be downloaded when it is first needed",
    }
    return Finding("ok", "embedded model", states[held.state], "" if held.state == "ready" else "baton model pull")


def _check_sandbox(loaded: Loaded) -> Finding:
    from baton.adapters.files.workspace import Workspace
    from baton.adapters.tools.processes.sandbox import Sandbox

    wanted = loaded.settings.tools.sandbox
    if wanted == "off":
        text = "switched off: commands can change whatever you can"
        return Finding("warning", "sandbox", text, "set tools.sandbox to auto")
    cage = Sandbox(Workspace(os.getcwd()), hidden=(str(loaded.locations.home),))
    if cage.works():
        return Finding("ok", "sandbox", "bubblewrap works: commands can write to the workspace and /tmp only")
    todo = ALLOW if shutil.which("bwrap") else INSTALL
    if wanted == "required":
        return Finding("error", "sandbox", f"required, so no command runs: {cage.why_not}", todo)
    return Finding("warning", "sandbox", f"commands run without one: {cage.why_not}", todo)


def _check_search() -> Finding:
    return Finding(
        "ok", "search", "with ripgrep" if shutil.which("rg") else "without ripgrep, which is slower but fine"
    )


def _check_servers(loaded: Loaded) -> Iterator[Finding]:
    from baton.wiring.servers import to_servers

    given = loaded.settings.tools.mcp_servers
    for name, each in given.items():
        if not each.enabled:
            yield Finding("ok", f"mcp {name}", "not enabled")
    if found := to_servers(given):
        yield from asyncio.run(_ask_all(found))


async def _ask_all(found: list[Server]) -> list[Finding]:
    return list(await asyncio.gather(*map(_ask, found)))


async def _ask(server: Server) -> Finding:
    from baton.adapters.tools.mcp.connection import ServerConnection
    from baton.core.errors import ToolError

    link, subject = ServerConnection(server, os.path.expanduser("~")), f"mcp {server.name}"
    todo = f"mend tools.mcp_servers.{server.name}, or set its enabled to false"
    try:
        async with asyncio.timeout(SERVER_SECONDS):
            offered = await link.tools()
    except TimeoutError:
        return Finding("warning", subject, f"it did not answer in {SERVER_SECONDS:.0f} s", todo)
    except ToolError as error:
        return Finding("warning", subject, str(error), todo)
    finally:
        await link.close()
    return Finding("ok", subject, f"answers, with {len(offered)} tools")


def _check_gateway(loaded: Loaded, store: Callable[[], Store]) -> Iterator[Finding]:
    """If the store cannot be opened its own row says so; what is known without it is told all the same."""
    missing = {name: _find_missing(loaded, name) for name in PLATFORMS if _is_touched(loaded, name)}
    living, homes, owned = _find_gateways(loaded, store)
    hosted = {name for row in living or () for name in row.platforms}
    if living is not None:
        yield _describe_gateways(living, any(not keys for keys in missing.values()))
    for name in PLATFORMS:
        if missing.get(name):
            yield _describe_partial(name, missing[name])
        elif name in missing or name in hosted:
            yield _describe_platform(loaded, name, living or (), homes, owned)


def _is_touched(loaded: Loaded, name: str) -> bool:
    prefix = f"gateway.{name}."
    return any(path.startswith(prefix) and source.layer != "default" for path, source in loaded.sources.items())


def _find_missing(loaded: Loaded, name: str) -> list[str]:
    from baton.adapters.platforms.registry import NEEDS

    return [key for key in NEEDS[name] if not _is_set(loaded, name, key)]


def _is_set(loaded: Loaded, name: str, key: str) -> bool:
    return getattr(getattr(loaded.settings.gateway, name), key) is not None


def _find_gateways(
    loaded: Loaded, store: Callable[[], Store]
) -> tuple[list[GatewayRow] | None, Mapping[str, str], Collection[str]]:
    """The living gateways, None if nobody can know; the home channels; and the platforms whose owner is known."""
    from baton.wiring.people import open_directory, open_targets

    try:
        targets, directory = open_targets(store(), loaded.settings), open_directory(store(), loaded.settings)
        owned = {each.partition(":")[0] for each in directory.people().owners}
        return targets.gateways(), directory.homes(), owned
    except BatonError:
        return None, {}, ()


def _describe_nobody(name: str, text: str) -> Finding:
    """A home channel where nobody is known as the owner. A direct chat may stand for its owner, on some platforms."""
    from baton.adapters.platforms.registry import FIXED_CHATS

    if name in FIXED_CHATS:
        return Finding("ok", name, f"{text}; you are heard there only if it is your direct chat", f"baton pair {name}")
    return Finding(
        "warning", name, f"{text}, but nobody is known as you, so nobody is heard there", f"baton pair {name}"
    )


def _describe_gateways(living: Sequence[GatewayRow], wanted: bool) -> Finding:
    if living:
        return Finding("ok", "gateway", ", ".join(f"{row.id} on {row.host} (pid {row.pid})" for row in living))
    if wanted:
        return Finding("warning", "gateway", "a platform is configured, and no gateway is running", "baton gateway")
    return Finding("ok", "gateway", "no messaging platform is configured", PHONE)


def _describe_partial(name: str, keys: Sequence[str]) -> Finding:
    names = ", ".join(f"gateway.{name}.{key}" for key in keys)
    return Finding("warning", name, f"configured in part, so it is not used. Not set: {names}", _exports(name, keys))


def describe_missing(loaded: Loaded, name: str) -> str:
    """The line that sets what a platform needs here; empty if all is set."""
    missing = _find_missing(loaded, name)
    return _exports(name, missing) if missing else ""


def _exports(name: str, keys: Sequence[str]) -> str:
    from baton.config.schema import tree

    known = tree().every_key()
    return "export " + " ".join(f"{known[f'gateway.{name}.{key}'].variables[0]}=…" for key in keys)


def _describe_platform(
    loaded: Loaded, name: str, living: Sequence[GatewayRow], homes: Mapping[str, str], owned: Collection[str]
) -> Finding:
    states = [(row.platforms[name], row.names.get(name, "")) for row in living if name in row.platforms]
    if not states and name in EXTRAS and not is_installed(name):
        return Finding("warning", name, "configured, but the part of Baton for it is not installed", install_line(name))
    connected = next((ours for state, ours in states if state == CONNECTED), None)
    if states and connected is None:
        return Finding("warning", name, f"not connected: {states[0][0]}", "baton gateway status")
    if living and not states:
        return Finding("warning", name, "configured here, but the gateway that runs does not host it", AGAIN)
    text = "configured" if connected is None else f"connected as {connected}" if connected else "connected"
    if name not in homes:
        return Finding(
            "warning", name, f"{text}; it has no home channel, so nothing can be moved there", f"baton pair {name}"
        )
    if name not in owned:
        return _describe_nobody(name, f"{text}; home {homes[name]}")
    once = [key for key in _ONCE.get(name, ()) if _is_touched(loaded, name) and not _is_set(loaded, name, key)]
    todo = f"before Meta can verify the webhook: {_exports(name, once)}" if once else ""
    return Finding("ok", name, f"{text}; home {homes[name]}", todo)
