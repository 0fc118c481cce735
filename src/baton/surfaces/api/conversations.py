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
from baton.surfaces.words import api as words
from baton.surfaces.words import api_fields as docs

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
    objects("conversations", CONVERSATION_ROW, docs.CONVERSATIONS_CONVERSATIONS, lambda it: it.rows),
    Field("after", nullable(TEXT), docs.CONVERSATIONS_AFTER),
)
CONVERSATION: Shape[Shown] = Shape(
    "conversation",
    DETAIL.part(lambda it: it.detail, "id", "title", "workspace", "head", "owner"),
    Field("lives_in", TEXT, docs.CONVERSATION_LIVES_IN),
    DETAIL.part(lambda it: it.detail, "created_at", "updated_at", "sessions", "vitals", "bindings", "drafts"),
    objects("transfers", TRANSFER, docs.CONVERSATION_TRANSFERS, lambda it: it.detail.transfers),
    Field("busy", FLAG, docs.CONVERSATION_BUSY),
)
ENTRIES: Shape[Read] = Shape(
    "entries",
    objects("entries", ENTRY, docs.ENTRIES_ENTRIES),
    Field("after", TEXT, docs.ENTRIES_AFTER, lambda it: str(it.position)),
    Field("more", FLAG, docs.ENTRIES_MORE),
)
HITS: Shape[Sequence[Hit]] = Shape("hits", objects("hits", HIT, docs.HITS_HITS, lambda it: it))


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
        words.LIST_CONVERSATIONS,
        list_,
        (Answer(200, words.LIST_CONVERSATIONS_RETURNS, CONVERSATIONS),),
        query=(
            Whole("limit", words.LIST_CONVERSATIONS_LIMIT, 50, 1, 1000),
            Text("after", words.LIST_CONVERSATIONS_AFTER, 100, required=False),
            Text("workspace", words.LIST_CONVERSATIONS_WORKSPACE, 4096, required=False),
        ),
    ),
    Operation(
        "showConversation",
        "GET",
        "/v1/conversations/{id}",
        words.SHOW_CONVERSATION,
        show,
        (Answer(200, words.SHOW_CONVERSATION_RETURNS, CONVERSATION),),
        where=(Id("id", "conversation"),),
    ),
    Operation(
        "listEntries",
        "GET",
        "/v1/conversations/{id}/entries",
        words.LIST_ENTRIES,
        list_entries,
        (Answer(200, words.LIST_ENTRIES_RETURNS, ENTRIES),),
        where=(Id("id", "conversation"),),
        query=(
            Text("after", words.LIST_ENTRIES_AFTER, 40, required=False),
            Whole("limit", words.LIST_ENTRIES_LIMIT, 100, 1, 500),
        ),
    ),
    Operation(
        "search",
        "GET",
        "/v1/search",
        words.SEARCH,
        search,
        (Answer(200, words.SEARCH_RETURNS, HITS),),
        query=(
            Text("q", words.SEARCH_Q, 1000),
            Whole("limit", words.SEARCH_LIMIT, 20, 1, 200),
        ),
    ),
)
