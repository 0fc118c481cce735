"""Saying something: a turn of a conversation, or of a new one, watched as it happens or left to itself."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from baton.core.agent.event import TurnEnded, TurnStarted
from baton.core.display import one_line
from baton.core.errors import BadInput, BatonError
from baton.core.handoff.signs import find_question
from baton.core.ids import quote
from baton.core.log.conversation import Conversation
from baton.core.log.payloads import UserInput
from baton.engine.aio import in_thread
from baton.engine.turns import stopping
from baton.engine.turns.stopping import stop_elsewhere
from baton.surfaces.api.errors import json_response
from baton.surfaces.api.operation import EVENTS, Answer, Id, Operation, Text
from baton.surfaces.api.stream import LAGGED, EventStream, Outlet
from baton.surfaces.shared import handoffs
from baton.surfaces.shared.chat import NAMING, TITLE
from baton.surfaces.shared.events_json import event_line, event_name
from baton.surfaces.shared.shapes import FLAG, TEXT, Field, Shape
from baton.surfaces.words import api as words
from baton.surfaces.words import api_fields as docs

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from baton.engine.turns.queue import Subscription
    from baton.surfaces.api.call import Call
    from baton.surfaces.api.context import Context

LONGEST = 100_000
_RECENT = 50
_TEXT = Text("text", words.SAY_TEXT, LONGEST)
_WORKSPACE = Text("workspace", words.BEGIN_CONVERSATION_WORKSPACE, 4096, required=False)


TURN: Shape[tuple[Conversation, str]] = Shape(
    "turn",
    Field("conversation_id", TEXT, docs.TURN_CONVERSATION_ID, lambda it: it[0].id),
    Field("turn_id", TEXT, docs.TURN_TURN_ID, lambda it: it[1]),
)
STOPPED: Shape[bool] = Shape("stop", Field("stopped", FLAG, docs.STOPPED_STOPPED, lambda it: it))


async def begin(context: Context, call: Call) -> ASGIApp:
    _admit(context, call)
    conversation = await in_thread(_start, context, call)
    return await _say(context, call, conversation, 201)


async def say(context: Context, call: Call) -> ASGIApp:
    _admit(context, call)
    return await _say(context, call, await context.conversation(call.text("id")), 202)


async def stop(context: Context, call: Call) -> ASGIApp:
    conversation = await context.conversation(call.text("id"))
    stopped = await context.runtime.cancel(conversation.id)
    elsewhere = "" if stopped else await stop_elsewhere(context.store, conversation.id)
    return json_response(STOPPED.as_dict(stopped or elsewhere == stopping.STOPPED))


def _admit(context: Context, call: Call) -> None:
    """Refuses now what would be refused later, before anything is made."""
    context.serving.check_open()
    if call.streams:
        context.serving.readers.check()
    if not call.text("text").strip():
        raise BadInput(reason=words.NO_TEXT)


def _start(context: Context, call: Call) -> Conversation:
    """Named after what is said first, without the secrets in it."""
    workspace = call.maybe("workspace") or context.host.workspace
    if not os.path.isabs(workspace) or not os.path.isdir(workspace):
        raise BadInput(reason=words.NO_DIRECTORY.format(path=quote(workspace)))
    title = one_line(context.host.clean(call.text("text")[:NAMING]), TITLE) or "Untitled"
    conversation, _ = context.store.conversations.start(title, os.path.realpath(workspace), context.host.model)
    return conversation


async def _say(context: Context, call: Call, conversation: Conversation, status: int) -> ASGIApp:
    """Answers once the input is stored; what prevents that is an error of the request."""
    await _close_question(context, conversation)
    given = UserInput(call.text("text"))
    if not call.streams:
        turn_id = await context.runtime.submit(conversation.id, given)
        return json_response(TURN.as_dict((conversation, turn_id)), status, _headers(conversation))
    subscription = context.runtime.watch(conversation.id)
    try:
        turn_id = await context.runtime.submit(conversation.id, given)
    except BaseException:
        subscription.close()
        raise
    outlet = Outlet()
    headers = {**_headers(conversation), "baton-turn": turn_id}
    feed = _Feed(subscription, turn_id, outlet).run
    return EventStream(context.serving, outlet, feed, subscription.close, 200 if status == 202 else status, headers)


async def _close_question(context: Context, conversation: Conversation) -> None:
    """Whoever was asked about a draft and says something else does not want it now. If this fails, the turn sees to
    it.
    """
    recent = await in_thread(context.store.entries.last, conversation.head_id, _RECENT)
    if (question := find_question(recent)) and not context.runtime.busy(conversation.id):
        with suppress(BatonError):
            await handoffs.cancel(await context.idle_chat(conversation.id), question.asked.draft)


def _headers(conversation: Conversation) -> dict[str, str]:
    return {"location": f"/v1/conversations/{conversation.id}"}


class _Feed:
    """Feeds the events of one turn; earlier ones belong to another turn."""

    def __init__(self, subscription: Subscription, turn_id: str, outlet: Outlet) -> None:
        self._subscription = subscription
        self._turn_id = turn_id
        self._outlet = outlet

    async def run(self) -> None:
        begun = False
        while True:
            event = await self._subscription.next()
            mine = isinstance(event, TurnStarted | TurnEnded) and event.turn_id == self._turn_id
            begun = begun or mine
            if begun and not self._outlet.put(event_name(event), event_line(event)):
                self._outlet.end(LAGGED)
                return
            if mine and isinstance(event, TurnEnded):
                return


OPERATIONS = (
    Operation(
        "beginConversation",
        "POST",
        "/v1/conversations",
        words.BEGIN_CONVERSATION,
        begin,
        (
            Answer(201, words.BEGIN_CONVERSATION_RETURNS, TURN),
            Answer(201, words.TURN_STREAM, media=EVENTS),
        ),
        body=(_TEXT, _WORKSPACE),
        errors=(409,),
    ),
    Operation(
        "say",
        "POST",
        "/v1/conversations/{id}/turns",
        words.SAY,
        say,
        (
            Answer(202, words.SAY_RETURNS, TURN),
            Answer(200, words.TURN_STREAM, media=EVENTS),
        ),
        where=(Id("id", "conversation"),),
        body=(_TEXT,),
        errors=(409,),
    ),
    Operation(
        "stop",
        "POST",
        "/v1/conversations/{id}/stop",
        words.STOP,
        stop,
        (Answer(200, words.STOP_RETURNS, STOPPED),),
        where=(Id("id", "conversation"),),
    ),
)
