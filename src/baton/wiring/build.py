"""Where an agent and the chat around it are put together, for every surface."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING

from baton.adapters.models.registry import default_model
from baton.engine.turns.runtime import Runtime
from baton.surfaces.shared.chat import Chat
from baton.wiring.agent import AgentSpec, Lent, WorkspaceAgent

if TYPE_CHECKING:
    from baton.config import Loaded
    from baton.engine.secret_memory import SecretMemory
    from baton.engine.transfer.targets import Targets
    from baton.ports.approver import Approver
    from baton.ports.redactor import Redactor
    from baton.ports.store import Store


def make_spec(loaded: Loaded, directory: str, model: str | None, mode: str | None) -> AgentSpec:
    """What the configuration says, unless the command line says otherwise."""
    settings = loaded.settings
    name = default_model(os.environ, model or settings.model)
    home, chosen = str(loaded.locations.home), mode or settings.agent.mode
    return AgentSpec(directory, home, name, chosen, settings, loaded.ignored_in_brief)


def begin_agent(
    spec: AgentSpec,
    approver: Approver,
    store: Callable[[], Store],
    lent: Lent | None = None,
    redactor: Callable[[], Redactor] | None = None,
    secrets: SecretMemory | None = None,
) -> WorkspaceAgent:
    """An agent whose tools ask `approver`. What takes time begins in the background."""
    agent = WorkspaceAgent(spec, lent, redactor, store, secrets)
    agent.begin(approver)
    return agent


def make_chat(
    store: Store, agent: WorkspaceAgent, *, surface: str, lease: float, targets: Targets | None = None
) -> Chat:
    """A chat with a runtime of its own: for surfaces where one agent answers."""
    return Chat(store, Runtime(store, agent.parts, surface=surface, lease=lease), agent, targets)
