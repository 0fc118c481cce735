"""A person's side of a conversation, the same for every surface: what they typed becomes a turn or a command.

A conversation begins with its first message, not with the start of a program: looking around leaves nothing behind.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from baton.core.agent.approval import MODES
from baton.core.display import one_line
from baton.core.errors import BadInput
from baton.core.log.payloads import UserInput
from baton.core.log.session import lineage_vitals
from baton.core.transfer.place import TERMINAL
from baton.core.value import value
from baton.engine.aio import in_thread
from baton.engine.transfer.targets import HERE
from baton.engine.turns.writer import count_context
from baton.surfaces.shared.transcript import last_entries, sum_cost
from baton.surfaces.words import commands as words

if TYPE_CHECKING:
    from baton.core.log.conversation import Conversation
    from baton.core.log.session import Session, Vitals
    from baton.core.transfer.transfer import Transfer
    from baton.engine.transfer.targets import Targets
    from baton.engine.turns.queue import Subscription
    from baton.engine.turns.runtime import Runtime
    from baton.ports.store import Store

TITLE = 60
NAMING = 50_000
UNTITLED = "Untitled"


@value
class Status:
    """What a status line and `/status` show."""

    model: str
    mode: str
    workspace: str
    branch: str
    conversation: Conversation | None
    session: Session | None
    vitals: Vitals | None
    lineage: Vitals | None
    tokens: int
    window: int
    cost: float | None


class Agent(Protocol):
    """What can be chosen while a chat runs. Wiring implements it."""

    effort: str
    """How much the model thinks before it speaks: low, medium or high; empty for as much as it does by itself."""

    @property
    def mode(self) -> str: ...

    @mode.setter
    def mode(self, chosen: str) -> None:
        """Holds from the next tool call on, even in a running turn."""
        ...

    @property
    def model(self) -> str: ...

    @property
    def workspace(self) -> str: ...

    def use_model(self, name: str) -> None:
        """Holds from the next turn on. Raises `UnknownModel` or `MissingKey` at once if it cannot be used."""
        ...

    def window(self) -> int: ...

    def takes_images(self) -> bool:
        """Whether the model does."""
        ...

    def unsandboxed(self) -> str:
        """Why commands run without a sandbox; empty if they do not. Blocks for a moment."""
        ...

    def branch(self) -> str:
        """The branch of the workspace with its count of changed files, or an empty string. Blocks for a moment."""
        ...

    def files(self) -> list[str]:
        """Files of the workspace that a person would name, relative to it. Blocks for a moment."""
        ...

    def clean(self, text: str, conversation_id: str = "") -> str:
        """The text without secrets: those known here, and those that the conversation has shown."""
        ...

    def narrates(self) -> bool:
        """Whether the model can be asked for a packet's narrative without being fetched first."""
        ...

    async def close(self) -> None:
        """Releases the models."""
        ...


class ModelOffer(Protocol):
    """A provider's model, whether it can be used here, and what would change that."""

    @property
    def model(self) -> str: ...
    @property
    def usable(self) -> bool: ...
    @property
    def reason(self) -> str: ...
    @property
    def fix(self) -> str: ...


class Chat:
    def __init__(self, store: Store, runtime: Runtime, agent: Agent, targets: Targets | None = None) -> None:
        self.store = store
        self.runtime = runtime
        self.agent = agent
        self._targets = targets
        self.conversation: Conversation | None = None
        self.tokens = 0
        self.cost: float | None = None
        self._moved: list[Callable[[Subscription | None], None]] = []

    async def say(self, given: UserInput) -> str:
        """Starts or queues a turn and returns its id. The first message makes the conversation."""
        conversation = self.conversation or await self.begin(given.words)
        return await self.runtime.send(conversation.id, given)

    async def begin(self, text: str) -> Conversation:
        """A new conversation, named after its first message; a secret in that does not become part of the name."""
        title = one_line(await in_thread(self.agent.clean, text[:NAMING]), TITLE) or UNTITLED
        start = self.store.conversations.start
        conversation, _ = await in_thread(start, title, self.agent.workspace, self.agent.model)
        return await self.use(conversation.id)

    def on_move(self, act: Callable[[Subscription | None], None]) -> None:
        """Called with the new conversation's events whenever the chat turns to another one, or to none."""
        self._moved.append(act)

    async def use(self, text: str) -> Conversation:
        """Turns to a conversation by id or title. `NotFound` or `Ambiguous` leave the chat where it is."""
        found = await in_thread(self.store.conversations.find, text)
        self.conversation = found
        self.tokens, self.cost = 0, None
        subscription = self.runtime.watch(found.id)
        for act in self._moved:
            act(subscription)
        return found

    def leave(self) -> None:
        """The next message begins a new conversation."""
        self.conversation = None
        self.tokens, self.cost = 0, None
        for act in self._moved:
            act(None)

    async def stop(self) -> bool:
        """Stops the running turn. True if there was one."""
        return self.conversation is not None and await self.runtime.cancel(self.conversation.id)

    @property
    def busy(self) -> bool:
        return self.conversation is not None and self.runtime.busy(self.conversation.id)

    def current(self) -> Conversation:
        if self.conversation is None:
            raise BadInput(reason=words.NO_CONVERSATION)
        return self.conversation

    def require_idle(self) -> Conversation:
        if self.busy:
            raise BadInput(reason=words.BUSY)
        return self.current()

    async def move(self, text: str, origin: str = HERE) -> Transfer:
        """Requests a transfer to another place. Raises `TransferError`, with nothing changed, if that cannot be now."""
        conversation = self.require_idle()

        def request() -> Transfer:
            if self._targets is None:
                raise BadInput(reason=words.UNMOVABLE)
            target = self._targets.resolve(text)
            if target == TERMINAL:
                raise BadInput(reason=words.ALREADY_HERE)
            return self.store.transfers.request(conversation.id, origin, target)

        return await in_thread(request)

    def use_mode(self, mode: str) -> None:
        if mode not in MODES:
            raise BadInput(reason=words.NO_MODE.format(mode=mode, modes=", ".join(MODES)))
        self.agent.mode = mode

    def status(self) -> Status:
        session = vitals = lineage = None
        tokens, cost = self.tokens, self.cost
        if self.conversation is not None:
            self.conversation = self.store.conversations.get(self.conversation.id)
            session = self.store.sessions.get(self.conversation.head_id)
            chain = [self.store.sessions.vitals(each.id) for each in self.store.sessions.chain(session.id)]
            vitals, lineage = chain[-1], lineage_vitals(chain)
            entries = last_entries(self.store, self.store.sessions.of(self.conversation.id), None)
            tokens, cost = count_context(self.store, session.id), sum_cost(entries) or cost
        return Status(
            model=self.agent.model,
            mode=self.agent.mode,
            workspace=self.agent.workspace,
            branch=self.agent.branch(),
            conversation=self.conversation,
            session=session,
            vitals=vitals,
            lineage=lineage,
            tokens=tokens,
            window=self.agent.window(),
            cost=cost,
        )
