"""`baton undo`: takes back the last compression or handoff of a conversation."""

from __future__ import annotations

import argparse
import asyncio
from typing import TYPE_CHECKING

from baton.core.errors import HandoffError
from baton.engine.turns.runtime import Runtime
from baton.surfaces.cli.app import App
from baton.surfaces.cli.handoff import find_conversation
from baton.surfaces.shared.undo import UNDONE, describe_undone
from baton.surfaces.words import conversations as words

if TYPE_CHECKING:
    from baton.engine.turns.parts import Parts


def undo(app: App, options: argparse.Namespace) -> int:
    conversation = find_conversation(app, options.conversation)
    runtime = Runtime(app.store(), _no_turns, surface="undo", lease=app.load_config().settings.store.lease)
    done = asyncio.run(runtime.undo(conversation.id))
    if options.json:
        app.terminal.json({"conversation_id": conversation.id, **UNDONE.as_dict(done)})
    else:
        app.terminal.line(describe_undone(done))
    return 0


def _no_turns(_: str) -> Parts:
    raise HandoffError(reason=words.NO_TURNS)
