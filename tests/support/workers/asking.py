"""A process whose turn waits with a question: `python -m tests.support.workers.asking DATABASE CONVERSATION`."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Mapping
from typing import Any

from baton.adapters.stores.sqlite.open import open_sqlite
from baton.core.agent.event import ApprovalAsked, ToolEnded
from baton.core.agent.message import Call
from baton.core.log.payloads import UserInput
from baton.engine.turns.parts import Parts, TurnSettings
from baton.engine.turns.runtime import Runtime
from baton.engine.turns.toolbox import Toolbox
from baton.ports.tool import Intent, Outcome, Output
from baton.surfaces.shared.approvals import WaitingApprover
from baton.testing.model import FakeModel
from tests.support.small_gateway import Deploy, NoMemory


class Loud(Deploy):
    """Says on standard output what it does, so that a test can count it."""

    async def intent(self, args: Mapping[str, Any]) -> Intent:
        return Intent("deploy", "execute", preview=str(args.get("to", "")))

    async def run(self, args: Mapping[str, Any], output: Output) -> Outcome:
        print(f"deployed to {args['to']}", flush=True)
        return await super().run(args, output)


async def main(database: str, conversation_id: str) -> None:
    store = open_sqlite(database)
    model = FakeModel([[Call("c1", "deploy", {"to": "production"})], ["Done."]])
    toolbox = Toolbox([Loud()], WaitingApprover(), NoMemory(), "ask")
    runtime = Runtime(store, lambda _: Parts(model, toolbox, TurnSettings("be good")), surface="terminal")
    async for event in runtime.turn(conversation_id, UserInput("deploy it")):
        if isinstance(event, ApprovalAsked):
            print(f"asked {event.handle}", flush=True)
        if isinstance(event, ToolEnded):
            print(f"ended {event.ok}", flush=True)
    store.close()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:3]))
