"""A conversation as it continues: live events of this gateway, and entries, whoever wrote them."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from typing import TYPE_CHECKING

from baton.core.errors import BatonError
from baton.engine.aio import in_thread
from baton.surfaces.api.operation import EVENTS, Answer, Id, Operation
from baton.surfaces.api.positions import Position, end_of, parse_position, read_after
from baton.surfaces.api.stream import LAGGED, EventStream, Outlet
from baton.surfaces.shared.events_json import event_line, event_name
from baton.surfaces.shared.presenters import ENTRY
from baton.surfaces.words import api as words

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from baton.engine.turns.queue import Subscription
    from baton.surfaces.api.call import Call
    from baton.surfaces.api.context import Context

_PAGE = 100


async def follow(context: Context, call: Call) -> ASGIApp:
    conversation = await context.conversation(call.text("id"))
    context.serving.readers.check()
    subscription = context.runtime.watch(conversation.id)
    try:
        if call.last_event:
            position = parse_position(call.last_event)
            await in_thread(read_after, context.store, conversation.id, position, 1)
        else:
            position = await in_thread(end_of, context.store, conversation.id)
    except BaseException:
        subscription.close()
        raise
    outlet = Outlet()
    feed = _Feed(context, conversation.id, position, subscription, outlet)
    return EventStream(context.serving, outlet, feed.run, subscription.close)


class _Feed:
    """Entries wait for a slow reader. Live events do not: the stream ends, and the reader comes back for the rest."""

    def __init__(
        self, context: Context, conversation_id: str, position: Position, subscription: Subscription, outlet: Outlet
    ) -> None:
        self._context = context
        self._conversation_id = conversation_id
        self._position = position
        self._subscription = subscription
        self._outlet = outlet

    async def run(self) -> None:
        self._outlet.mark(str(self._position))
        live = asyncio.create_task(self._feed_live())
        stored = asyncio.create_task(self._feed_entries())
        try:
            await asyncio.wait([live, stored], return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (live, stored):
                task.cancel()
            await asyncio.wait([live, stored])

    async def _feed_live(self) -> None:
        while True:
            event = await self._subscription.next()
            if not self._outlet.put(event_name(event), event_line(event)):
                self._outlet.end(LAGGED)
                return

    async def _feed_entries(self) -> None:
        """A store that fails ends the stream: the reader comes back with the last position it has."""
        wakeup = self._context.serving.wakeup
        wakeup.listen()
        with suppress(BatonError):
            while True:
                count = wakeup.count
                read = await in_thread(read_after, self._context.store, self._conversation_id, self._position, _PAGE)
                for entry in read.entries:
                    await self._outlet.room()
                    self._outlet.put(
                        "entry", json.dumps(ENTRY.as_dict(entry)), str(Position(entry.session_id, entry.seq))
                    )
                self._position = read.position
                if not read.more:
                    await wakeup.wait(count)


OPERATIONS = (
    Operation(
        "followConversation",
        "GET",
        "/v1/conversations/{id}/events",
        words.FOLLOW_CONVERSATION,
        follow,
        (Answer(200, words.FOLLOW_CONVERSATION_RETURNS, media=EVENTS),),
        where=(Id("id", "conversation"),),
        resumes=True,
    ),
)
