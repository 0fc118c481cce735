"""What the gateway takes of the program around it: an agent for each conversation, and secrets of each workspace."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from baton.adapters.models.plain.lines import Lines
from baton.adapters.models.registry import default_model
from baton.core.handoff.policy import FRESH_PROCESS, FRESH_SESSION
from baton.core.value import replace, value
from baton.engine.aio import in_thread
from baton.engine.processes import give_back_memory
from baton.surfaces.shared.approvals import WaitingApprover
from baton.wiring.agent import AgentSpec, Lent
from baton.wiring.build import begin_agent
from baton.wiring.people import open_targets
from baton.wiring.redaction import Redactors, open_workspace_redactor

if TYPE_CHECKING:
    from baton.config import Settings
    from baton.core.log.conversation import Conversation
    from baton.engine.turns.parts import Parts
    from baton.ports.redactor import Redactor
    from baton.wiring.agent import WorkspaceAgent
    from baton.wiring.program import Program

_LONGEST_IDLE = 3_600.0
"""Seconds after which an agent with MCP servers of its own is closed too."""
_MOST_NAMES = 10_000


@value
class _Chosen:
    """What a person chose for a conversation, which its agent alone knows."""

    model: str
    mode: str
    effort: str


class GatewayHost:
    """Implements `surfaces.shared.host.Host`: an agent for each conversation that is spoken to, the costly parts
    shared. An agent that is closed leaves what was chosen for it.
    """

    def __init__(self, program: Program, model: str | None, mode: str | None) -> None:
        self._program = program
        self._mode = mode
        loaded = program.load_config()
        self._settings = keep_in_one_process(loaded.settings)
        self._home = str(loaded.locations.home)
        self._agents: dict[str, WorkspaceAgent] = {}
        self._used_at: dict[str, float] = {}
        self._chosen: dict[str, _Chosen] = {}
        self._lines = Lines()
        self._redactors = Redactors(self._open_redactor)
        self._workspaces: dict[str, str] = {}
        self.workspace = os.path.realpath(self._settings.gateway.workspace or os.getcwd())
        self.model = default_model(os.environ, model or self._settings.model)
        self._targets = open_targets(program.store(), self._settings)

    def agent(self, conversation: Conversation) -> WorkspaceAgent:
        if conversation.id not in self._agents:
            self._agents[conversation.id] = self._new(conversation)
        self._used_at[conversation.id] = time.monotonic()
        return self._agents[conversation.id]

    def _new(self, conversation: Conversation) -> WorkspaceAgent:
        workspace = conversation.workspace if os.path.isdir(conversation.workspace) else self.workspace
        chosen = self._chosen.get(conversation.id)
        default = self._mode or self._settings.agent.mode
        model, mode = (chosen.model, chosen.mode) if chosen else (self._model_of(conversation), default)
        spec = AgentSpec(workspace, self._home, model, mode, self._settings)
        agent = begin_agent(
            spec,
            WaitingApprover(),
            self._program.store,
            Lent(lines=self._lines),
            partial(self._redactors.of, workspace),
            self._program.secrets,
        )
        agent.effort = chosen.effort if chosen else ""
        return agent

    def _model_of(self, conversation: Conversation) -> str:
        """Who answered last, where that model can be used here."""
        from baton.adapters.models.registry import require, split
        from baton.core.errors import ModelError
        from baton.surfaces.shared.transcript import last_model

        name = last_model(self._program.store().entries.last(conversation.head_id, 50)) or self.model
        with suppress(ModelError):
            require(split(name)[0], name, os.environ)
            return name
        return self.model

    def _open_redactor(self, workspace: str) -> Redactor:
        return open_workspace_redactor(workspace, self._home, self._settings, dict(os.environ))

    def warm(self) -> None:
        """What the first message would wait for. What fails here fails there again, where somebody hears of it."""
        from baton.adapters.models.open import warm

        with suppress(Exception):
            warm(self.model)
            self.clean("")
        give_back_memory()  # to load all that takes more than it leaves

    def clean(self, text: str, conversation_id: str = "") -> str:
        base = self._redactors.of(self._workspace_of(conversation_id))
        return self._program.secrets.clean(base, text, conversation_id)

    def _workspace_of(self, conversation_id: str) -> str:
        if len(self._workspaces) > _MOST_NAMES:
            self._workspaces.clear()
        if conversation_id and conversation_id not in self._workspaces:
            found = self._program.store().conversations.get(conversation_id).workspace
            self._workspaces[conversation_id] = found if os.path.isdir(found) else self.workspace
        return self._workspaces.get(conversation_id, self.workspace)

    def target(self, text: str) -> str:
        return self._targets.resolve(text)

    async def parts(self, conversation_id: str) -> Parts:
        agent = self._agents.get(conversation_id)
        if agent is None:
            agent = self.agent(await in_thread(self._program.store().conversations.get, conversation_id))
        self._used_at[conversation_id] = time.monotonic()
        return await agent.parts(conversation_id)

    async def forget_idle(self, unused_for: float, is_busy: Callable[[str], bool]) -> None:
        now = time.monotonic()
        for conversation_id, agent in [*self._agents.items()]:
            patience = _LONGEST_IDLE if agent.has_servers else unused_for
            if now - self._used_at[conversation_id] >= patience and not is_busy(conversation_id):
                self._keep_choice(conversation_id, agent)
                del self._agents[conversation_id], self._used_at[conversation_id]
                with suppress(Exception):
                    await agent.close()

    def _keep_choice(self, conversation_id: str, agent: WorkspaceAgent) -> None:
        """What is as it would be anyway is not kept: most conversations never chose anything."""
        chosen = _Chosen(agent.model, agent.mode, agent.effort)
        if chosen != _Chosen(self.model, self._mode or self._settings.agent.mode, ""):
            self._chosen[conversation_id] = chosen
        else:
            self._chosen.pop(conversation_id, None)

    async def close(self) -> None:
        for agent in self._agents.values():
            with suppress(Exception):
                await agent.close()
        with suppress(Exception):
            await self._lines.close()


def keep_in_one_process(settings: Settings) -> Settings:
    """A gateway speaks for many conversations: none of them can continue in a process of its own."""
    given = settings.agent.auto_handoff_on_compression
    if given.mode != FRESH_PROCESS:
        return settings
    agent = replace(settings.agent, auto_handoff_on_compression=replace(given, mode=FRESH_SESSION))
    return replace(settings, agent=agent)
