"""The terminal chat, put together after its first frame."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from baton.surfaces.shared.process import agent_words, replace_process
from baton.surfaces.tui.app import Backend, ChatApp

if TYPE_CHECKING:
    from baton.surfaces.shared.chat import ModelOffer
    from baton.wiring.agent import WorkspaceAgent
    from baton.wiring.program import Program

LOCAL = "{why}{title} answers, a small model that runs inside Baton on this machine. {note}"
PULL_TITLE = "Pull the model?"
NO_KEY = "No provider key found. "
STRONGER = "A stronger one: set a key such as ANTHROPIC_API_KEY or OPENAI_API_KEY and start again, or /model."
PULLING = "pulling the model {bar} {percent:.0f} %  {speed:.0f} MB/s  {left} left"
LOADING = "loading the model"
READING = "reading {percent:.0f} %"
LEFT = "{title}\n  baton resume {id}\n"
GARBAGE = (2_000, 20, 50)
"""How seldom Python looks for garbage: a long transcript is many objects, and looking through all of them holds up keys
and frames for a tenth of a second.
"""
UNSENT = "Not sent: {text}\n"
_BAR = 20


def run_tui(program: Program, resume: str | None, model: str | None, mode: str | None, *, go_on: bool = False) -> int:
    made: list[Backend] = []

    async def make_backend(say: Callable[[str], None]) -> Backend:
        from baton.surfaces.shared.approvals import PendingApprover
        from baton.surfaces.shared.wording import describe_pull_plan
        from baton.wiring.agent import WorkspaceAgent
        from baton.wiring.setup import FirstSetup

        approver = PendingApprover()
        chat = await program.chat(approver, surface="terminal", model=model, mode=mode)
        agent = chat.agent
        assert isinstance(agent, WorkspaceAgent)
        agent.watch_model(
            lambda done, total, seconds: say(_describe_pull(done, total, seconds)),
            lambda done, total, _: say(_describe_reading(done, total)),
        )
        agent.ask_before_pull(lambda plan: app.ask(PULL_TITLE, describe_pull_plan(plan)))
        agent.rehearse()
        chosen = bool(model or program.load_config().settings.model)
        first = agent.embedded and not chosen and not agent.model_is_here
        setup = FirstSetup(program, agent) if first else None
        greeting = _greeting(agent, chosen=chosen) if agent.embedded and not first else []
        made.append(Backend(chat, approver.answer, greeting, lambda: _models(program), setup))
        return made[-1]

    gc.set_threshold(*GARBAGE)
    app = ChatApp(make_backend, os.getcwd(), resume=resume, go_on=go_on)
    app.leaving = lambda: _leave(made)
    code = app.run() or 0
    if app.successor:
        program.close()
        for backend in made:  # what was chosen in the chat holds in the next process, as what the command line said
            model, mode = backend.chat.agent.model, backend.chat.agent.mode
        replace_process(["resume", app.successor, "--continue", *agent_words(model, mode, program.flags)])
    for text in app.unsent:
        sys.stdout.write(UNSENT.format(text=text))
    if app.farewell:
        sys.stdout.write(f"{app.farewell}\n")
    else:
        for backend in made:
            _farewell(backend)
    return code


def _greeting(agent: WorkspaceAgent, *, chosen: bool) -> list[str]:
    """What the embedded model is, plainly, and what would be stronger."""
    from baton.adapters.models.local.catalogue import find

    weights = find(agent.model)
    return [f"{LOCAL.format(why='' if chosen else NO_KEY, title=weights.title, note=weights.note)} {STRONGER}"]


def _models(program: Program) -> Sequence[ModelOffer]:
    """Every provider's, and in the embedded one's place all that can run inside Baton."""
    from baton.adapters.models.registry import Offer

    offers = [offer for offer in program.models()[0] if not offer.model.startswith("local:")]
    for held in program.local_models().list_models():
        state = "is here" if held.here else f"{held.bytes / 1e9:.1f} GB, pulled when first needed"
        offers.append(Offer("local", f"local:{held.name}", True, f"runs inside Baton, {state}. {held.about}"))
    return offers


async def _leave(made: list[Backend]) -> None:
    """Turns are ended and recorded, and the local model's worker is stopped, before the screen closes."""
    for backend in made:
        await backend.chat.runtime.close()
        await backend.chat.agent.close()


def _farewell(backend: Backend) -> None:
    """What stays on the terminal when the screen is gone: the way back."""
    from baton.core.display import one_line

    if conversation := backend.chat.conversation:
        sys.stdout.write(LEFT.format(title=one_line(conversation.title, 70), id=conversation.id))


def _describe_reading(done: int, total: int) -> str:
    """How far the local model is with its prompt, which takes it longer than the answer."""
    from baton.surfaces.words.chat import THINKING

    return THINKING if done >= total else READING.format(percent=100 * done / max(1, total))


def _describe_pull(done: int, total: int, seconds: float) -> str:
    if done >= total:
        return LOADING
    share, speed = done / max(1, total), done / max(0.1, seconds)
    filled = round(share * _BAR)
    left = f"{(total - done) / speed:.0f} s" if done else "?"
    bar = "█" * filled + "░" * (_BAR - filled)
    return PULLING.format(bar=bar, percent=100 * share, speed=speed / 1e6, left=left)
