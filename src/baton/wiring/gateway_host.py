"""What the gateway takes of the program around it: an agent for each conversation, and secrets of each workspace."""

from __future__ import annotations

import os
from collections import OrderedDict
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from baton.adapters.models.registry import default_model
from baton.core.handoff.policy import FRESH_PROCESS, FRESH_SESSION
from baton.core.value import replace
from baton.engine.aio import in_thread
from baton.wiring.agent import AgentSpec
from baton.wiring.build import begin_agent
from baton.wiring.people import open_targets
from baton.wiring.redaction import Redactors, open_workspace_redactor

if TYPE_CHECKING:
    from baton.config import Settings
    from baton.core.log.conversation import Conversation
    from baton.engine.turns.parts import Parts
    from baton.ports.redactor import Redactor
    from baton.surfaces.shared.approvals import Questions
    from baton.wiring.agent import WorkspaceAgent
    from baton.wiring.program import Program

_AGENTS = 500


class GatewayHost:
    """Implements `surfaces.shared.host.Host`: an agent for each conversation, the costly parts shared."""

    def __init__(self, program: Program, questions: Questions, model: str | None, mode: str | None) -> None:
        self._program = program
        self._questions = questions
        self._mode = mode
        loaded = program.load_config()
        self._settings = keep_in_one_process(loaded.settings)
        self._home = str(loaded.locations.home)
        self._agents: OrderedDict[str, WorkspaceAgent] = OrderedDict()
        self._redactors = Redactors(self._open_redactor)
        self._workspaces: dict[str, str] = {}
        self.workspace = os.path.realpath(self._settings.gateway.workspace or os.getcwd())
        self.model = default_model(os.environ, model or self._settings.model)
        self._targets = open_targets(program.store(), self._settings)

    def agent(self, conversation: Conversation) -> WorkspaceAgent:
        if conversation.id not in self._agents:
            self._agents[conversation.id] = self._new(conversation)
        self._agents.move_to_end(conversation.id)
        return self._agents[conversation.id]

    def _new(self, conversation: Conversation) -> WorkspaceAgent:
        workspace = conversation.workspace if os.path.isdir(conversation.workspace) else self.workspace
        model, mode = self._model_of(conversation), self._mode or self._settings.agent.mode
        spec = AgentSpec(workspace, self._home, model, mode, self._settings)
        redactor = partial(self._redactors.of, workspace)
        approver = self._questions.of(conversation.id)
        return begin_agent(spec, approver, self._program.store, redactor=redactor, secrets=self._program.secrets)

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
            warm(self.model, os.environ)
            self.clean("")

    def clean(self, text: str, conversation_id: str = "") -> str:
        base = self._redactors.of(self._workspace_of(conversation_id))
        return self._program.secrets.clean(base, text, conversation_id)

    def _workspace_of(self, conversation_id: str) -> str:
        if conversation_id and conversation_id not in self._workspaces:
            found = self._program.store().conversations.get(conversation_id).workspace
            self._workspaces[conversation_id] = found if os.path.isdir(found) else self.workspace
        return self._workspaces.get(conversation_id, self.workspace)

    def target(self, text: str) -> str:
        return self._targets.resolve(text)

    async def parts(self, conversation_id: str) -> Parts:
        conversation = await in_thread(self._program.store().conversations.get, conversation_id)
        parts = await self.agent(conversation).parts(conversation_id)
        await self._close_idle()
        return parts

    async def _close_idle(self) -> None:
        """Closes the agents that have been idle for longest, if there are many."""
        while len(self._agents) > _AGENTS:
            _, agent = self._agents.popitem(last=False)
            await agent.close()

    async def close(self) -> None:
        for agent in self._agents.values():
            with suppress(Exception):
                await agent.close()


def keep_in_one_process(settings: Settings) -> Settings:
    """A gateway speaks for many conversations: none of them can continue in a process of its own."""
    given = settings.agent.auto_handoff_on_compression
    if given.mode != FRESH_PROCESS:
        return settings
    agent = replace(settings.agent, auto_handoff_on_compression=replace(given, mode=FRESH_SESSION))
    return replace(settings, agent=agent)
