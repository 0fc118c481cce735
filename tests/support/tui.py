"""A chat over a scripted model, for the terminal's tests and for looking at it by hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from baton.adapters.bash_syntax import BashSyntax
from baton.adapters.models.registry import Offer
from baton.adapters.stores.sqlite.open import open_sqlite
from baton.adapters.tools.session_handoff import SessionHandoff
from baton.config import Settings
from baton.core.agent.message import ToolSpec
from baton.core.handoff.compression import Limits
from baton.core.risk.beginning import beginning_of, beginnings
from baton.engine.handoff.packets import HandoffKit
from baton.engine.turns.parts import Parts, TurnSettings
from baton.engine.turns.runtime import Runtime
from baton.engine.turns.toolbox import Toolbox
from baton.ports.store import Store
from baton.ports.tool import Intent, Outcome, Output
from baton.surfaces.shared.approvals import PendingApprover
from baton.surfaces.shared.chat import Chat
from baton.surfaces.shared.setup import Setup
from baton.surfaces.tui.app import Backend, ChatApp
from baton.testing.model import FakeModel
from baton.wiring.handoffs import describe_call_risk
from baton.wiring.people import open_targets

PARSE = BashSyntax().parse


class ShellTool:
    """Pretends to run what it is given."""

    spec = ToolSpec("shell", "runs a command", {"type": "object"})

    async def intent(self, args: Mapping[str, Any]) -> Intent:
        command = str(args["command"])
        begins, beginnings_ = beginning_of(command, PARSE), tuple(beginnings(command, PARSE))
        asks = f"Run `{command}`?"
        return Intent(command, "execute", command, asks=asks, begins=begins, beginnings=beginnings_)

    async def run(self, args: Mapping[str, Any], output: Output) -> Outcome:
        output("collecting…\n")
        return Outcome("41 passed, 2 failed", ok=True, details={"exit": 1})


OFFERS = (
    Offer("anthropic", "anthropic:claude", False, "ANTHROPIC_API_KEY is not set", "export ANTHROPIC_API_KEY=…"),
    Offer("fake", "fake:model", True, "a script"),
    Offer("ollama", "ollama:NAME", True, "a server answers"),
    Offer("fake", "fake:other", True, "another script"),
)


class FakeAgent:
    def __init__(self, workspace: str, model: FakeModel) -> None:
        self._model = model
        self.mode = "ask"
        self.workspace = workspace

    @property
    def model(self) -> str:
        return self._model.name

    def use_model(self, name: str) -> None:
        self._model.name = name

    def window(self) -> int:
        return self._model.window

    def unsandboxed(self) -> str:
        return ""

    def takes_images(self) -> bool:
        return self._model.images

    def branch(self) -> str:
        return "main (2 files changed)"

    def files(self) -> list[str]:
        return ["src/checkout.py", "docs/check.md"]

    def clean(self, text: str, conversation_id: str = "") -> str:
        return text

    def narrates(self) -> bool:
        return True

    async def close(self) -> None:
        pass


class NoMemory:
    def list_allowed(self) -> Sequence[str]:
        return ()

    def remember(self, fingerprint: str, title: str) -> None:
        pass


def make_app(
    directory: Path,
    model: FakeModel,
    *,
    resume: str | None = None,
    opened: list[Store] | None = None,
    workspace: str = "/src/shop",
    handoff: HandoffKit | None = None,
    mode: str = "ask",
    setup: Setup | None = None,
) -> ChatApp:
    """An app whose store lives in `directory`; made stores are added to `opened`."""

    async def make_backend(say: Callable[[str], None]) -> Backend:
        store = open_sqlite(str(directory / "baton.db"))
        if opened is not None:
            opened.append(store)
        approver = PendingApprover()
        agent = FakeAgent(workspace, model)
        agent.mode = mode
        settings = TurnSettings("be good", limits=Limits(deadline=2), handoff=handoff)
        runtime = Runtime(
            store,
            lambda _: Parts(
                model,
                Toolbox([ShellTool(), SessionHandoff()], approver, NoMemory(), agent.mode, describe_call_risk),
                settings,
            ),
            surface="terminal",
        )
        greeting = ["A scripted model answers here."]
        chat = Chat(store, runtime, agent, open_targets(store, Settings()))
        return Backend(chat, approver.answer, greeting, lambda: OFFERS, setup)

    return ChatApp(make_backend, workspace, resume=resume)
