"""Conversations: the list, one of them, what was said in it, and finding what was said anywhere."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from baton.core.log.conversation import Page
from baton.core.log.search import Hit
from baton.core.value import value
from baton.engine.aio import in_thread
from baton.engine.transfer.moves import lives_in
from baton.surfaces.api.errors import json_response
from baton.surfaces.api.operation import Answer, Id, Operation, Text, Whole
from baton.surfaces.api.positions import Read, parse_position, read_after
from baton.surfaces.shared.presenters import CONVERSATION_ROW, DETAIL, ENTRY, HIT, TRANSFER, Detail, load_detail
from baton.surfaces.shared.shapes import FLAG, TEXT, Field, Shape, nullable, objects

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from baton.ports.store import Store
    from baton.surfaces.api.call import Call
    from baton.surfaces.api.context import Context


@value
class Shown:
    """One conversation, where it lives, and whether a turn runs here."""

    detail: Detail
    lives_in: str
    busy: bool


CONVERSATIONS: Shape[Page] = Shape(
    "conversations",
    objects("conversations", CONVERSATION_ROW, "One page, newest first.", lambda it: it.rows),
    Field("after", nullable(TEXT), "Continues the list; null at its end."),
)
CONVERSATION: Shape[Shown] = Shape(
    "conversation",
    DETAIL.part(lambda it: it.detail, "id", "title", "workspace", "head", "owner"),
    Field("lives_in", TEXT, "`terminal`, or the platform it was moved to."),
    DETAIL.part(lambda it: it.detail, "created_at", "updated_at", "sessions", "vitals", "bindings", "drafts"),
    objects("transfers", TRANSFER, "Its transfers, oldest first.", lambda it: it.detail.transfers),
    Field("busy", FLAG, "Whether a turn runs in this gateway."),
)
ENTRIES: Shape[Read] = Shape(
    "entries",
    objects("entries", ENTRY, "One page, oldest first."),
    Field("after", TEXT, "Continues the list, even once there is more.", lambda it: str(it.position)),
    Field("more", FLAG, "Whether there is more now."),
)
HITS: Shape[Sequence[Hit]] = Shape("hits", objects("hits", HIT, "Newest first.", lambda it: it))


async def list_(context: Context, call: Call) -> ASGIApp:
    limit, after, workspace = call.whole("limit"), call.maybe("after"), call.maybe("workspace")
    page = await in_thread(context.store.conversations.page, limit, after, workspace, begun=True)
    return json_response(CONVERSATIONS.as_dict(page))


async def show(context: Context, call: Call) -> ASGIApp:
    detail, lives = await in_thread(_load, context.store, call.text("id"))
    return json_response(CONVERSATION.as_dict(Shown(detail, lives, context.runtime.busy(call.text("id")))))


def _load(store: Store, conversation_id: str) -> tuple[Detail, str]:
    return load_detail(store, store.conversations.get(conversation_id)), lives_in(store, conversation_id)


async def list_entries(context: Context, call: Call) -> ASGIApp:
    after = call.maybe("after")
    position = parse_position(after) if after else None
    await context.conversation(call.text("id"))
    read = await in_thread(read_after, context.store, call.text("id"), position, call.whole("limit"))
    return json_response(ENTRIES.as_dict(read))


async def search(context: Context, call: Call) -> ASGIApp:
    hits = await in_thread(context.store.search.find, call.text("q"), call.whole("limit"))
    return json_response(HITS.as_dict(hits))


OPERATIONS = (
    Operation(
        "listConversations",
        "GET",
        "/v1/conversations",
        "Conversations in which something was said, newest first.",
        list_,
        (Answer(200, "One page; `after` continues it, null at the end.", CONVERSATIONS),),
        query=(
            Whole("limit", "At most so many.", 50, 1, 1000),
            Text("after", "The `after` of the page before.", 100, required=False),
            Text("workspace", "Only those of this directory.", 4096, required=False),
        ),
    ),
    Operation(
        "showConversation",
        "GET",
        "/v1/conversations/{id}",
        "One conversation: its sessions, where it lives, who owns it, and whether a turn runs here.",
        show,
        (Answer(200, "The conversation.", CONVERSATION),),
        where=(Id("id", "conversation"),),
    ),
    Operation(
        "listEntries",
        "GET",
        "/v1/conversations/{id}/entries",
        "What was said and done, over all sessions, oldest first.",
        list_entries,
        (Answer(200, "One page; `after` continues it, also once there is more.", ENTRIES),),
        where=(Id("id", "conversation"),),
        query=(
            Text("after", "The `after` of the page before: session.number.", 40, required=False),
            Whole("limit", "At most so many.", 100, 1, 500),
        ),
    ),
    Operation(
        "search",
        "GET",
        "/v1/search",
        "Entries of any conversation that hold every word.",
        search,
        (Answer(200, "What was found, newest sessions first.", HITS),),
        query=(
            Text("q", 'Words, "phrases" and beginnings* of words.', 1000),
            Whole("limit", "At most so many.", 20, 1, 200),
        ),
    ),
)
