"""Fresh sessions: asked for at once, or as a draft that somebody reads, changes, confirms or cancels."""

from __future__ import annotations

import json
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any

from baton.core.handoff.score import to_json
from baton.core.value import asdict
from baton.engine.aio import in_thread
from baton.surfaces.api import shapes
from baton.surfaces.api.errors import json_response
from baton.surfaces.api.fields import Choice, Id, Text
from baton.surfaces.api.operation import Answer, Operation
from baton.surfaces.shared import handoffs

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from baton.core.handoff.packet import Draft
    from baton.surfaces.api.call import Call
    from baton.surfaces.api.office import Office
    from baton.surfaces.shared.chat import Chat

Made = dict[str, Any]
_ID = Id("id", "draft")


async def hand_off(office: Office, call: Call) -> ASGIApp:
    chat = await office.idle_chat(call.text("id"))
    made = await _KINDS[call.text("kind")](chat)
    return json_response({"conversation_id": call.text("id"), "kind": call.text("kind"), **made}, 201)


async def _draft(chat: Chat) -> Made:
    review = await handoffs.propose(chat, narrate=chat.agent.narrates())
    return {"draft_id": review.draft_id, "packet_path": review.path, "tokens": review.tokens, "doubt": review.doubt}


async def _fresh(chat: Chat) -> Made:
    return {"session_id": (await handoffs.fresh(chat, narrate=chat.agent.narrates())).id}


async def _packet(chat: Chat) -> Made:
    written = await handoffs.packet_only(chat, narrate=chat.agent.narrates())
    found = {"packet_id": written.packet.id, "packet_path": written.path, "tokens": written.packet.tokens}
    return {**found, "score": to_json(written.score), "doubts": list(written.doubts)}


_KINDS: dict[str, Callable[[Chat], Coroutine[Any, Any, Made]]] = {
    "draft": _draft,
    "fresh": _fresh,
    "packet": _packet,
}


async def list_(office: Office, _: Call) -> ASGIApp:
    waiting = await in_thread(office.store.drafts.waiting)
    return json_response({"drafts": [asdict(draft) for draft in waiting]})


async def show(office: Office, call: Call) -> ASGIApp:
    """Also while a turn runs: nothing of the agent is needed."""
    draft = await _get(office, call)
    packet = await in_thread(office.store.packets.get, draft.packet_id)
    twin = json.loads(packet.ledger)
    found = {"markdown": packet.markdown, "packet_path": str(twin["path"]), "tokens": packet.tokens}
    return json_response({**asdict(draft), **found, "score": twin["score"], "removed": list(twin.get("removed", ()))})


async def edit(office: Office, call: Call) -> ASGIApp:
    draft = await _get(office, call)
    await handoffs.edit(await office.idle_chat(draft.conversation_id), draft.id, call.text("markdown"))
    return await show(office, call)


async def confirm(office: Office, call: Call) -> ASGIApp:
    draft = await _get(office, call)
    session = await handoffs.start(await office.idle_chat(draft.conversation_id), draft.id)
    return json_response({"conversation_id": draft.conversation_id, "session_id": session.id})


async def cancel(office: Office, call: Call) -> ASGIApp:
    draft = await _get(office, call)
    await handoffs.cancel(await office.idle_chat(draft.conversation_id), draft.id)
    return json_response(asdict(await _get(office, call)))


async def _get(office: Office, call: Call) -> Draft:
    return await in_thread(office.store.drafts.get, call.text("id"))


OPERATIONS = (
    Operation(
        "handOff",
        "POST",
        "/v1/conversations/{id}/handoffs",
        "Writes a packet: as a draft to confirm, for a fresh session at once, or by itself. Takes a while.",
        hand_off,
        (Answer(201, "What was made.", shapes.HANDOFF),),
        where=(Id("id", "conversation"),),
        body=(Choice("kind", "What is wanted.", tuple(_KINDS)),),
        errors=(409,),
    ),
    Operation(
        "listDrafts",
        "GET",
        "/v1/drafts",
        "Drafts that wait for an answer, oldest first.",
        list_,
        (Answer(200, "Drafts.", shapes.DRAFTS),),
    ),
    Operation(
        "showDraft",
        "GET",
        "/v1/drafts/{id}",
        "A draft with its packet and how good that is.",
        show,
        (Answer(200, "The draft.", shapes.REVIEW),),
        where=(_ID,),
    ),
    Operation(
        "editDraft",
        "PUT",
        "/v1/drafts/{id}",
        "Another text for its packet; secrets in it are taken out.",
        edit,
        (Answer(200, "The draft as it is now.", shapes.REVIEW),),
        where=(_ID,),
        body=(Text("markdown", "The whole packet.", 500_000),),
        errors=(409,),
    ),
    Operation(
        "confirmDraft",
        "POST",
        "/v1/drafts/{id}/confirm",
        "Yes: the conversation goes on in a fresh session that begins with the packet.",
        confirm,
        (Answer(200, "The new head.", shapes.MOVED),),
        where=(_ID,),
        errors=(409,),
    ),
    Operation(
        "cancelDraft",
        "POST",
        "/v1/drafts/{id}/cancel",
        "No: the session goes on as it was.",
        cancel,
        (Answer(200, "The draft as it is now.", shapes.DRAFT),),
        where=(_ID,),
        errors=(409,),
    ),
)
