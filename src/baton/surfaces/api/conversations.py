"""Conversations: the list, one of them, what was said in it, and finding what was said anywhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from baton.core.log.session import lineage_vitals
from baton.core.value import asdict
from baton.engine.aio import in_thread
from baton.engine.transfer.moves import lives_in
from baton.surfaces.api import shapes
from baton.surfaces.api.errors import json_response
from baton.surfaces.api.fields import Id, Text, Whole
from baton.surfaces.api.operation import Answer, Operation
from baton.surfaces.api.positions import parse_position, read_after
from baton.surfaces.shared.formats import iso
from baton.surfaces.shared.presenters import entry_dict, session_dict, vitals_dict
from baton.surfaces.shared.presenters import row_dict as row_dict
from baton.surfaces.shared.presenters import transfer_dict as transfer_dict

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from baton.ports.store import Store
    from baton.surfaces.api.call import Call
    from baton.surfaces.api.office import Office


async def list_(office: Office, call: Call) -> ASGIApp:
    def load() -> dict[str, Any]:
        page = office.store.conversations.page(
            call.whole("limit"), call.maybe("after"), call.maybe("workspace"), begun=True
        )
        return {"conversations": [row_dict(row) for row in page.rows], "after": page.after}

    return json_response(await in_thread(load))


async def show(office: Office, call: Call) -> ASGIApp:
    found = await in_thread(_detail, office.store, call.text("id"))
    return json_response({**found, "busy": office.runtime.busy(call.text("id"))})


def _detail(store: Store, conversation_id: str) -> dict[str, Any]:
    conversation = store.conversations.get(conversation_id)
    sessions = [(session, store.sessions.vitals(session.id)) for session in store.sessions.of(conversation_id)]
    return {
        "id": conversation.id,
        "title": conversation.title,
        "workspace": conversation.workspace,
        "head": conversation.head_id,
        "owner": conversation.owner,
        "lives_in": lives_in(store, conversation_id),
        "created_at": iso(conversation.created_at),
        "updated_at": iso(conversation.updated_at),
        "sessions": [session_dict(session, vitals) for session, vitals in sessions],
        "vitals": vitals_dict(lineage_vitals(vitals for _, vitals in sessions)),
        "bindings": [binding.place for binding in store.bindings.of(conversation_id)],
        "drafts": [draft.id for draft in store.drafts.waiting(conversation_id)],
        "transfers": [transfer_dict(each) for each in store.transfers.of(conversation_id)],
    }


async def entries(office: Office, call: Call) -> ASGIApp:
    after = call.maybe("after")
    position = parse_position(after) if after else None
    await office.conversation(call.text("id"))
    read = await in_thread(read_after, office.store, call.text("id"), position, call.whole("limit"))
    shown = [entry_dict(entry) for entry in read.entries]
    return json_response({"entries": shown, "after": str(read.position), "more": read.more})


async def search(office: Office, call: Call) -> ASGIApp:
    hits = await in_thread(office.store.search.find, call.text("q"), call.whole("limit"))
    return json_response({"hits": [{**asdict(hit), "at": iso(hit.at)} for hit in hits]})


OPERATIONS = (
    Operation(
        "listConversations",
        "GET",
        "/v1/conversations",
        "Conversations in which something was said, newest first.",
        list_,
        (Answer(200, "One page; `after` continues it, null at the end.", shapes.CONVERSATIONS),),
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
        (Answer(200, "The conversation.", shapes.CONVERSATION),),
        where=(Id("id", "conversation"),),
    ),
    Operation(
        "listEntries",
        "GET",
        "/v1/conversations/{id}/entries",
        "What was said and done, over all sessions, oldest first.",
        entries,
        (Answer(200, "One page; `after` continues it, also once there is more.", shapes.ENTRIES),),
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
        (Answer(200, "What was found, newest sessions first.", shapes.HITS),),
        query=(
            Text("q", 'Words, "phrases" and beginnings* of words.', 1000),
            Whole("limit", "At most so many.", 20, 1, 200),
        ),
    ),
)
