"""A worker that hands a conversation off and dies on the way, at a step that is named or whenever it is killed."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from baton.adapters import artifacts
from baton.adapters.workspace import commits
from baton.core.agent.event import HeadAdvanced
from baton.core.agent.message import Prompt
from baton.core.handoff.policy import PROMPT_USER, Policy
from baton.core.log.payloads import UserInput
from baton.core.value import replace
from baton.engine.handoff.handoff import Cause
from baton.engine.handoff.packets import HandoffKit
from baton.engine.turns.parts import Parts, TurnSettings
from baton.engine.turns.runtime import Runtime
from baton.engine.turns.toolbox import Toolbox
from baton.ports.store import Store
from baton.testing.model import FakeModel
from tests.support.handoffs import kit
from tests.support.workers.dying import die
from tests.support.workers.stores import open_at
from tests.support.workers.voice import Voice

LEASE = 30.0
TALE = "## Completed work\nLooked at a.py.\n## Design decisions\nNone.\n## Next recommended action\nGo on."
NOW, CONFIRM, POLICY, POLICY_CONFIRM = "now", "offer and confirm", "policy", "policy asks, then confirm"
WAYS = (NOW, CONFIRM, POLICY, POLICY_CONFIRM)
END_REASONS = {NOW: "handoff", CONFIRM: "handoff", POLICY: "compression_handoff", POLICY_CONFIRM: "handoff"}

POINTS = (
    "history unread",
    "history read",
    "checkpoint unmade",
    "checkpoint half sent",
    "checkpoint unnamed",
    "checkpoint made",
    "snapshot taken",
    "narrative unasked",
    "narrative half told",
    "narrative told",
    "twin unnamed",
    "twin written",
    "packet unnamed",
    "packet file written",
    "packet uncommitted",
    "packet stored",
    "draft uncommitted",
    "draft opened",
    "draft read",
    "advance uncommitted",
    "advance committed",
    "head advanced, nothing told",
    "all done",
)
"""Every step of a handoff, in order. Some ways never come to the draft's."""


class Fuse:
    """Burns down at one named point."""

    def __init__(self, point: str) -> None:
        self._point = point

    def at(self, point: str) -> None:
        if point and point == self._point:
            die()

    def around(self, before: str, work: Callable[..., Any], after: str) -> Callable[..., Any]:
        def lit(*arguments: Any, **named: Any) -> Any:
            self.at(before)
            done = work(*arguments, **named)
            self.at(after)
            return done

        return lit


class MortalWorkspace:
    def __init__(self, workspace: Any, fuse: Fuse) -> None:
        self.checkpoint = fuse.around("checkpoint unmade", workspace.checkpoint, "checkpoint made")
        self.snapshot = fuse.around("", workspace.snapshot, "snapshot taken")
        self.between = workspace.between


def mortal_store(store: Any, fuse: Fuse) -> Store:
    """Around a transaction: all its statements are done, or it is committed too, and nobody was told."""
    store.sessions.chain = fuse.around("history unread", store.sessions.chain, "history read")
    store.drafts.get = fuse.around("", store.drafts.get, "draft read")
    _commits(store, store.packets, "add", fuse, "packet uncommitted", "packet stored")
    _commits(store, store.drafts, "open", fuse, "draft uncommitted", "draft opened")
    _commits(store, store.sessions, "advance", fuse, "advance uncommitted", "advance committed")
    return store


def _commits(store: Any, part: Any, verb: str, fuse: Fuse, before: str, after: str) -> None:
    from contextlib import contextmanager

    database = vars(store)["_db"]
    write, work = database.write, getattr(part, verb)

    @contextmanager
    def lit(*arguments: Any, **named: Any) -> Any:
        with write(*arguments, **named) as tx:
            yield tx
            fuse.at(before)

    def done(*arguments: Any, **named: Any) -> Any:
        database.write = lit
        try:
            result = work(*arguments, **named)
        finally:
            database.write = write
        fuse.at(after)
        return result

    setattr(part, verb, done)


_WRITTEN = {".json": "twin written", ".md": "packet file written"}
_UNNAMED = {".json": "twin unnamed", ".md": "packet unnamed"}


def mortal_files(fuse: Fuse) -> None:
    """The twin is written first; a file has no name until it is whole."""
    keep, link = artifacts._keep, os.link

    def kept(parent: int, name: str, data: bytes) -> None:
        keep(parent, name, data)
        fuse.at(_WRITTEN.get(Path(name).suffix, ""))

    def linked(source: str, name: str, **where: Any) -> None:
        fuse.at(_UNNAMED.get(Path(name).suffix, ""))
        link(source, name, **where)

    artifacts._keep, os.link = kept, linked


def mortal_checkpoints(fuse: Fuse) -> None:
    """While git takes a checkpoint's files in, and when it has it under no name that lasts."""
    stream = commits._stream

    def sent(*arguments: Any) -> Any:
        for number, piece in enumerate(stream(*arguments)):
            yield piece
            if number == 0:
                fuse.at("checkpoint half sent")

    commits._stream = sent
    commits._add_ref = fuse.around("checkpoint unnamed", commits._add_ref, "")


class TellingModel(FakeModel):
    """Tells the tale of a packet, and says a word in a turn."""

    def __init__(self, fuse: Fuse) -> None:
        super().__init__(lambda _: ["Noted."], window=200_000)
        self._fuse = fuse

    async def stream(self, prompt: Prompt) -> Any:
        if not prompt.system.startswith("You are closing"):
            async for piece in super().stream(prompt):
                yield piece
            return
        from baton.core.agent.message import Usage
        from baton.ports.model import Finished, Text

        self._fuse.at("narrative unasked")
        yield Text(TALE[:40])
        self._fuse.at("narrative half told")
        yield Text(TALE[40:])
        yield Finished(Usage(), "stop")
        self._fuse.at("narrative told")


def runtime(store: Store, model: FakeModel, given: HandoffKit, surface: str = "worker") -> Runtime:
    class Nobody:
        def list_allowed(self) -> list[str]:
            return []

    settings = TurnSettings(system="be good", handoff=given)
    toolbox = Toolbox([], Nobody(), Nobody(), "ask")  # pyright: ignore[reportArgumentType]
    return Runtime(store, lambda _: Parts(model, toolbox, settings), surface=surface, lease=LEASE)


def policy_of(way: str) -> Policy:
    if way not in (POLICY, POLICY_CONFIRM):
        return Policy()
    mode = PROMPT_USER if way == POLICY_CONFIRM else "fresh_session"
    return Policy(enabled=True, after_compressions=1, mode=mode)


def hand_off(voice: Voice, location: str, conversation_id: str, root: str, home: str, way: str, point: str) -> None:
    """Says "ready" when everything is open, "done" at the end."""
    fuse = Fuse(point)
    store = mortal_store(open_at(location, name="worker"), fuse)
    mortal_files(fuse)
    mortal_checkpoints(fuse)
    given = kit(Path(root), Path(home), policy_of(way))
    given = replace(given, workspace=MortalWorkspace(given.workspace, fuse))
    voice.say("ready")
    asyncio.run(_hand_off(runtime(store, TellingModel(fuse), given), store, conversation_id, way, fuse))
    fuse.at("all done")
    voice.say("done")
    store.close()


async def _hand_off(doing: Runtime, store: Store, conversation_id: str, way: str, fuse: Fuse) -> None:
    watching = doing.watch(conversation_id)
    watching.put = lambda event: fuse.at(  # type: ignore[method-assign]
        "head advanced, nothing told" if isinstance(event, HeadAdvanced) else ""
    )
    if way == NOW:
        await doing.hand_off(conversation_id, lambda handoff: handoff.now(Cause()))
        return
    if way == CONFIRM:
        await doing.hand_off(conversation_id, lambda handoff: handoff.offer(Cause()))
    else:
        async for _ in doing.turn(conversation_id, UserInput("next step please")):
            pass
    for draft in store.drafts.list_waiting(conversation_id)[-1:]:
        await doing.hand_off(conversation_id, lambda handoff, chosen=draft.id: handoff.confirm(chosen))
