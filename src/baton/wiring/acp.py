"""What editors are served with: one store for the process, and an agent for each session's directory."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from baton.engine.aio import in_thread
from baton.surfaces.acp.host import Defaults, Setup

if TYPE_CHECKING:
    from baton.adapters.tools.mcp.config import Server
    from baton.config import Loaded
    from baton.ports.model import Consent, Pull
    from baton.ports.store import Store
    from baton.surfaces.acp.params import GivenServer
    from baton.surfaces.shared.chat import Chat
    from baton.wiring.program import Program

_NAME = 24


class EditorHost:
    """Implements `surfaces.acp.host.Host`. Configuration is that of each session's directory."""

    def __init__(self, program: Program, model: str | None, mode: str | None, flags: Sequence[str]) -> None:
        self._program = program
        self._model = model
        self._mode = mode
        self._flags = flags
        self._opening = Lock()
        self._models: list[str] | None = None

    def store(self) -> Store:
        with self._opening:
            return self._program.store()

    def defaults(self, directory: str) -> Defaults:
        from baton.adapters.models.registry import default_model

        settings = self._load(directory).settings
        model = default_model(os.environ, self._model or settings.model)
        return Defaults(model, self._mode or settings.agent.mode, self._usable())

    def usable(self, model: str) -> bool:
        from baton.adapters.models.registry import require, split
        from baton.core.errors import ModelError

        if self._model:
            return False
        try:
            require(split(model)[0], model, os.environ)
        except ModelError:
            return False
        return True

    def check_login(self) -> None:
        from baton.adapters.models.registry import require, split

        name = self.defaults(os.getcwd()).model
        require(split(name)[0], name, os.environ)

    def prepare(self) -> None:
        for name in (
            "baton.surfaces.acp.turns",
            "baton.surfaces.acp.handoff",
            "baton.engine.transfer.moves",
            "baton.wiring.build",
        ):
            import_module(name)

    async def chat(self, setup: Setup) -> Chat:
        from baton.wiring.agent import AgentSpec, Lent
        from baton.wiring.build import begin_agent, make_chat

        opening, ports, loaded = setup.opening, setup.ports, self._program.load_config()
        here = await in_thread(self._load, opening.directory)
        settings, home = here.settings, str(loaded.locations.home)
        store = await in_thread(self.store)
        spec = AgentSpec(opening.directory, home, setup.model, setup.mode, settings, here.ignored_in_brief)
        servers = to_servers(opening.servers, settings.tools.mcp_servers)
        lent = Lent(servers, ports.editor, ports.terminals)
        agent = begin_agent(spec, ports.approver, self.store, lent, secrets=self._program.secrets)
        agent.watch_model(lambda done, total, _: setup.say(_describe_pull(done, total)))
        agent.ask_before_pull(_tell_through(setup.say))
        return make_chat(store, agent, surface="editor", lease=loaded.settings.store.lease)

    def _load(self, directory: str) -> Loaded:
        from baton.config import load

        try:
            home = Path.home()
        except RuntimeError:
            home = Path()
        return load(environ=os.environ, cwd=Path(directory), home=home, flags=self._flags)

    def _usable(self) -> Sequence[str]:
        """Models whose provider has a key, and the embedded one. Servers of this machine are not asked."""
        from baton.adapters.models.registry import usable

        if self._models is None:
            offers = usable(os.environ, reachable=lambda _: False)
            self._models = [offer.model for offer in offers if offer.usable and not offer.model.endswith(":NAME")]
        return self._models


def to_servers(given: Iterable[GivenServer], configured: Iterable[str]) -> list[Server]:
    """The client's servers under names that can stand in a tool's; nothing in them is filled from our environment."""
    from baton.adapters.tools.mcp.config import Server

    taken = set(configured)
    found: list[Server] = []
    for each in given:
        name = _free_name(each.name, taken)
        taken.add(name)
        found.append(
            Server(
                name,
                command=each.command,
                args=each.args,
                env=each.env,
                url=each.url,
                headers=each.headers,
                literal=True,
            )
        )
    return found


def _tell_through(say: Callable[[str], None]) -> Consent:
    """An editor is shown what is fetched, with the pull itself; sending the prompt was the consent."""
    from baton.surfaces.shared.wording import describe_pull_plan

    async def tell(plan: Pull) -> bool:
        say(describe_pull_plan(plan))
        return True

    return tell


def _describe_pull(done: int, total: int) -> str:
    """How far a model has been pulled; empty when it is here."""
    return "" if done >= total else f"{100 * done / max(1, total):.0f} % of {total / 1e9:.1f} GB"


def _free_name(given: str, taken: set[str]) -> str:
    slug = re.sub(r"[^a-z0-9]+", "-", given.lower()).strip("-")[:_NAME] or "server"
    name = slug if slug[0].isalpha() else f"s-{slug}"
    number = 2
    while name in taken:
        name = f"{slug}-{number}"
        number += 1
    return name
