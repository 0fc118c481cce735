"""The terminal chat, put together after its first frame."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING

from baton.surfaces.tui.app import ChatApp, Desk

if TYPE_CHECKING:
    from baton.wiring.program import Program

LOCAL = "No provider key found. Using the local model {model}. Set another: /model · baton models"
PULLING = "pulling {percent:.0f} %  {speed:.0f} MB/s"


def run_tui(program: Program, resume: str | None, model: str | None, mode: str | None) -> int:
    made: list[Desk] = []

    async def make_desk(say: Callable[[str], None]) -> Desk:
        from baton.surfaces.approvals import PendingApprover
        from baton.wiring.agent import WorkspaceAgent

        approver = PendingApprover()
        chat = await program.chat(approver, surface="terminal", model=model, mode=mode)
        agent = chat.agent
        assert isinstance(agent, WorkspaceAgent)
        agent.on_pull = lambda done, total, seconds: say(_pulling(done, total, seconds))
        made.append(Desk(chat, approver.answer, [LOCAL.format(model=agent.model)] if agent.embedded else []))
        return made[-1]

    app = ChatApp(make_desk, os.getcwd(), resume=resume)
    app.leaving = lambda: _leave(made)
    return app.run() or 0


async def _leave(made: list[Desk]) -> None:
    """Turns are ended and recorded, and the local model's worker is stopped, before the screen closes."""
    from baton.wiring.agent import WorkspaceAgent

    for desk in made:
        await desk.chat.runtime.close()
        if isinstance(desk.chat.agent, WorkspaceAgent):
            await desk.chat.agent.close()


def _pulling(done: int, total: int, seconds: float) -> str:
    if done >= total:
        return "loading the model"
    return PULLING.format(percent=100 * done / max(1, total), speed=done / 1e6 / max(0.1, seconds))
