"""The agent of one workspace: its model, its tools, its instructions, and what they may do unasked."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache, partial
from threading import Thread
from typing import TYPE_CHECKING
from weakref import WeakSet

from baton.adapters.files.workspace import Workspace
from baton.adapters.tools import git
from baton.adapters.tools.approvals import ApprovalMemory
from baton.adapters.tools.instructions import find_instructions, frame_instructions
from baton.adapters.tools.registry import tools
from baton.adapters.tools.shell import Shell
from baton.core.agent.event import Noticed
from baton.core.agent.message import Prompt
from baton.core.handoff.compression import Limits
from baton.core.shell import Script
from baton.core.value import value
from baton.engine.past import Past
from baton.engine.prompts import prompt_text
from baton.engine.secret_memory import SecretMemory
from baton.engine.turns.parts import Parts, TurnSettings
from baton.engine.turns.step import Patience
from baton.engine.turns.toolbox import Toolbox
from baton.wiring.agent_model import AgentModel, Progress
from baton.wiring.handoffs import describe_call_risk, make_handoff_kit
from baton.wiring.redaction import open_workspace_redactor
from baton.wiring.servers import Connections, to_servers

if TYPE_CHECKING:
    from baton.adapters.models.plain.lines import Lines
    from baton.adapters.tools.mcp.config import Server
    from baton.config import Settings
    from baton.engine.handoff.packets import HandoffKit
    from baton.ports.approver import Approver
    from baton.ports.editor import Editor
    from baton.ports.model import Consent
    from baton.ports.redactor import Redactor
    from baton.ports.store import Store
    from baton.ports.terminal import Terminals
    from baton.ports.tool import Tool

SMALL_OUTPUT = 1500
OUTPUT = 8000


@value
class AgentSpec:
    """What an agent is made of: the directory it works in, Baton's home, its model and mode at first, and settings.
    `warnings` are told with its first turn.
    """

    directory: str
    home: str
    model: str
    mode: str
    settings: Settings
    warnings: tuple[str, ...] = ()


@value
class Lent:
    """What a surface lends an agent: MCP servers, an editor's buffers, terminals, connections to models."""

    servers: Sequence[Server] = ()
    editor: Editor | None = None
    terminals: Terminals | None = None
    lines: Lines | None = None


class WorkspaceAgent:
    """Implements `surfaces.shared.chat.Agent`. `redactor` is asked for anew at each use; without one it is opened with
    the secrets known at its first use. With a `store` the model can look up the past of its conversation, and `secrets`
    remembers what was recognised in it.
    """

    def __init__(
        self,
        spec: AgentSpec,
        lent: Lent | None = None,
        redactor: Callable[[], Redactor] | None = None,
        store: Callable[[], Store] | None = None,
        secrets: SecretMemory | None = None,
    ) -> None:
        self._store = store
        self._secrets = secrets or (SecretMemory(store) if store else None)
        self._settings = spec.settings
        self._lent = lent or Lent()
        self._workspace = Workspace(spec.directory)
        self._home = spec.home
        self._models = AgentModel(spec.model, spec.home, spec.settings.local_model, self._lent.lines)
        self._tools: dict[tuple[str, int], list[Tool]] = {}
        self._approver: Approver | None = None
        self._notices = [Noticed("project_file", sentence) for sentence in spec.warnings]
        self._memory = ApprovalMemory(spec.home, self._workspace.root, self._notice)
        self._servers: Connections | None = None
        self._handoff: HandoffKit | None = None
        self._environ = dict(os.environ)
        self._redactor = redactor or cache(self._open_redactor)
        self._mode = spec.mode
        self._toolboxes: WeakSet[Toolbox] = WeakSet()
        self._rehearsal: asyncio.Task[None] | None = None
        self.effort = ""

    @property
    def workspace(self) -> str:
        return self._workspace.root

    @property
    def mode(self) -> str:
        return self._mode

    @mode.setter
    def mode(self, chosen: str) -> None:
        """Holds at once: a turn that runs asks anew before its next call."""
        self._mode = chosen
        for toolbox in self._toolboxes:
            toolbox.mode = chosen

    def _use_mode(self, chosen: str) -> None:
        self.mode = chosen

    @property
    def model(self) -> str:
        return self._models.name

    @property
    def embedded(self) -> bool:
        return self._models.embedded

    @property
    def model_is_here(self) -> bool:
        """Whether the model can be asked without being pulled first."""
        return self._models.is_here()

    @property
    def has_servers(self) -> bool:
        """Whether MCP servers run for it: they may remember what nobody else does."""
        return self._servers is not None

    def begin(self, approver: Approver) -> None:
        """Names who is asked, and starts what takes time in the background."""
        self._approver = approver
        # No daemon: a process that ended in the middle of the compiling library would be aborted.
        Thread(target=self._warm_redactor, name="warm-redactor").start()
        self._models.warm()
        self._servers = self._connect()
        if self._servers:
            self._servers.begin()

    def watch_model(self, on_pull: Progress, on_read: Progress | None = None) -> None:
        """Who hears how far the embedded model is with being pulled, and with reading its prompt."""
        self._models.on_pull, self._models.on_read = on_pull, on_read

    def ask_before_pull(self, consent: Consent) -> None:
        """Who is asked before the first byte of an embedded model that is not here."""
        self._models.consent = consent

    def use_model(self, name: str) -> None:
        self._models.use(name, self.effort)

    def rehearse(self) -> None:
        """Has the embedded model, if it is here, read its instructions while the person still thinks or types."""
        if self.embedded:
            specs = tuple(tool.spec for tool in self._own_tools(""))
            self._rehearsal = asyncio.create_task(self._models.rehearse(Prompt(self._system(), (), specs)))

    def fetch_model(self) -> None:
        """Begins to pull and load the embedded model while the person still types."""
        self._rehearsal = asyncio.create_task(self._models.fetch())

    def window(self) -> int:
        return self._models.current(self.effort).window

    def takes_images(self) -> bool:
        return self._models.current(self.effort).images

    def unsandboxed(self) -> str:
        return next((tool.unsandboxed() for tool in self._own_tools("") if isinstance(tool, Shell)), "")

    def branch(self) -> str:
        return git.branch(self._workspace)

    def files(self) -> list[str]:
        return git.files(self._workspace)

    async def parts(self, conversation_id: str) -> Parts:
        """What the next turn is made of. Tools are kept per conversation: they remember what the model has read."""
        assert self._approver is not None
        if self._servers:
            self._notices += await self._servers.ready()
        offered = self._servers.tools() if self._servers else []
        offered_too = [*self._own_tools(conversation_id), *offered]
        clean = partial(self.clean, conversation_id=conversation_id)
        toolbox = Toolbox(offered_too, self._approver, self._memory, self.mode, describe_call_risk, clean)
        toolbox.on_mode(self._use_mode)
        self._toolboxes.add(toolbox)
        notices, self._notices[:] = tuple(self._notices), []
        return Parts(self._models.current(self.effort), toolbox, self._turn_settings(), notices)

    def _own_tools(self, conversation_id: str) -> list[Tool]:
        given = self._settings.tools
        key = (conversation_id, self._output_chars())
        if key not in self._tools:
            self._tools[key] = tools(
                self._workspace,
                limit_chars=self._output_chars(),
                sandbox=given.sandbox != "off",
                sandbox_required=given.sandbox == "required",
                sockets=given.sockets == "all",
                hidden=(self._home,),
                keep_env=given.keep_env,
                editor=self._lent.editor,
                terminals=self._lent.terminals if given.client_terminals == "auto" else None,
                parse=_parse,
                past=self._store and Past(self._store, conversation_id, partial(self._knowing, conversation_id)),
            )
        return self._tools[key]

    def _output_chars(self) -> int:
        return self._settings.tools.output_chars or (SMALL_OUTPUT if self.embedded else OUTPUT)

    def _turn_settings(self) -> TurnSettings:
        given = self._settings.agent
        compression = given.compression
        limits = Limits(
            compression.deadline,
            compression.tries,
            compression.cool_down,
            compression.threshold,
            split=compression.mode == "split",
        )
        patience = Patience(silence=given.model_timeout, tries=given.model_tries)
        return TurnSettings(self._system(), patience, limits, given.max_steps, self._kit())

    def _kit(self) -> HandoffKit:
        """Made once; a packet names the tools there are."""
        if self._handoff is None:
            names = tuple(tool.spec.name for tools_ in self._tools.values() for tool in tools_)
            self._handoff = make_handoff_kit(
                self.workspace, self._home, self._settings, tuple(dict.fromkeys(names)), self._knowing_now
            )
        return self._handoff

    def _warm_redactor(self) -> None:
        """Ahead of its first use. What fails here fails there again, where somebody hears of it."""
        with suppress(Exception):
            self.clean("")

    def clean(self, text: str, conversation_id: str = "") -> str:
        if self._secrets:
            return self._secrets.clean(self._redactor(), text, conversation_id)
        return self._redactor().redact(text).text

    def _open_redactor(self) -> Redactor:
        return open_workspace_redactor(self.workspace, self._home, self._settings, self._environ, self._lent.servers)

    def _knowing(self, conversation_id: str) -> Redactor:
        """With what the conversation has shown so far."""
        return self._secrets.redactor(self._redactor(), conversation_id) if self._secrets else self._redactor()

    def _knowing_now(self, conversation_id: str) -> Redactor:
        """The same, with `.env` files as they are now: for a packet."""
        opened = self._open_redactor()
        return self._secrets.redactor(opened, conversation_id) if self._secrets else opened

    def narrates(self) -> bool:
        """The embedded model is not pulled for a narrative."""
        return self._models.is_here()

    def _connect(self) -> Connections | None:
        """The MCP servers, if any are configured or were given for this session."""
        found = [*to_servers(self._settings.tools.mcp_servers), *self._lent.servers]
        if not found:
            return None
        from baton.adapters.tools.mcp.tools import McpServers
        from baton.adapters.tools.output import Logs

        return Connections(McpServers(found, Logs(self._workspace), self._output_chars()))

    def _notice(self, sentence: str) -> None:
        self._notices.append(Noticed("approvals", sentence))

    def _system(self) -> str:
        """Byte-stable as long as the instructions are, so that a provider's prompt cache holds."""
        found = frame_instructions(find_instructions(self._workspace, limit=2000 if self.embedded else 32_000))
        where = f"The workspace is {self.workspace}."
        return "\n\n".join(part for part in (prompt_text("system"), where, found) if part)

    async def close(self) -> None:
        if self._rehearsal:
            self._rehearsal.cancel()
        if self._servers:
            await self._servers.close()
        await self._models.close()


def _parse(command: str) -> Script:
    from baton.adapters.bash_syntax import BashSyntax

    return BashSyntax().parse(command)
