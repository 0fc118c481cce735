"""What `baton doctor` says of the agent: model, sandbox, MCP servers, gateway; each with the line that helps."""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from baton.ports.store import Finding

if TYPE_CHECKING:
    from baton.adapters.tools.mcp.config import Server
    from baton.config import Loaded
    from baton.ports.store import Store

SERVER_SECONDS = 5.0
STRONGER = "for a stronger one, export ANTHROPIC_API_KEY=… or OPENAI_API_KEY=…, or set model"
INSTALL = "install bubblewrap (apt install bubblewrap, dnf install bubblewrap), or set tools.sandbox to off"
ALLOW = "allow unprivileged user namespaces (sysctl kernel.unprivileged_userns_clone=1), or set tools.sandbox to off"


def checkup(loaded: Loaded, store: Callable[[], Store]) -> Iterator[Finding]:
    """Takes a few seconds where a server does not answer."""
    from baton.wiring.gateway_checkup import gateway_checkup

    yield from _model(loaded)
    yield _embedded(loaded)
    yield _sandbox(loaded)
    yield _search()
    yield from _servers(loaded)
    yield from gateway_checkup(loaded, store)


def _model(loaded: Loaded) -> Iterator[Finding]:
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


def _embedded(loaded: Loaded) -> Finding:
    from baton.adapters.models.local.catalogue import DEFAULT
    from baton.adapters.models.local.holdings import list_models

    directory = os.path.join(loaded.locations.home, "models")
    held = next(each for each in list_models(directory) if each.weights.name == DEFAULT.name)
    size = f"{held.weights.size / 1e9:.1f} GB"
    states = {
        "ready": f"{DEFAULT.name} is here ({size})",
        "partial": f"{DEFAULT.name} is here in part ({held.bytes / 1e9:.1f} of {size})",
        "absent": f"{DEFAULT.name} is not here; {size} are pulled when it is first needed",
    }
    return Finding("ok", "embedded model", states[held.state], "" if held.state == "ready" else "baton model pull")


def _sandbox(loaded: Loaded) -> Finding:
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


def _search() -> Finding:
    return Finding(
        "ok", "search", "with ripgrep" if shutil.which("rg") else "without ripgrep, which is slower but fine"
    )


def _servers(loaded: Loaded) -> Iterator[Finding]:
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
