"""Fresh sessions: asked for at once, or as a draft that somebody reads, changes, confirms or cancels."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from typing import TYPE_CHECKING, Any

from baton.core.handoff.packet import Draft
from baton.core.log.session import Session
from baton.core.value import value
from baton.engine.aio import in_thread
from baton.engine.handoff.packets import Written
from baton.surfaces.api.errors import json_response
from baton.surfaces.api.operation import Answer, Choice, Id, Operation, Text
from baton.surfaces.shared import handoffs
from baton.surfaces.shared.handoffs import DRAFT, PACKET, REVIEW, Review
from baton.surfaces.shared.shapes import COUNT, TEXT, Field, Shape, list_of, objects
from baton.surfaces.words import api as words
from baton.surfaces.words import api_fields as docs

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from baton.ports.store import Store
    from baton.surfaces.api.call import Call
    from baton.surfaces.api.context import Context
    from baton.surfaces.shared.chat import Chat

_ID = Id("id", "draft")


@value
class Made:
    """What a handoff made: a draft to review, a fresh session, or a packet and nothing else."""

    kind: str
    review: Review | None = None
    session: Session | None = None
    packet: Written | None = None

    @property
    def path(self) -> str | None:
        return self.review.path if self.review else self.packet and self.packet.path

    @property
    def tokens(self) -> int | None:
        return self.review.tokens if self.review else self.packet and self.packet.packet.tokens


HANDOFF: Shape[tuple[str, Made]] = Shape(
    "handoff",
    Field("conversation_id", TEXT, docs.HANDOFF_CONVERSATION_ID, lambda it: it[0]),
    Field("kind", TEXT, docs.HANDOFF_KIND, lambda it: it[1].kind),
    REVIEW.optional_part(lambda it: it[1].review, "draft_id"),
    Field("session_id", TEXT, docs.HANDOFF_SESSION_ID, lambda it: it[1].session and it[1].session.id, optional=True),
    PACKET.optional_part(lambda it: it[1].packet, "packet_id"),
    Field("packet_path", TEXT, docs.HANDOFF_PACKET_PATH, lambda it: it[1].path, optional=True),
    Field("tokens", COUNT, docs.HANDOFF_TOKENS, lambda it: it[1].tokens, optional=True),
    REVIEW.optional_part(lambda it: it[1].review, "doubt"),
    PACKET.optional_part(lambda it: it[1].packet, "score", "doubts"),
)
DRAFTS: Shape[Sequence[Draft]] = Shape("drafts", objects("drafts", DRAFT, docs.DRAFTS_DRAFTS, lambda it: it))
DRAFT_WITH_PACKET: Shape[tuple[Draft, Review]] = Shape(
    docs.NAME_DRAFT_WITH_PACKET,
    DRAFT.part(lambda it: it[0]),
    Field("markdown", TEXT, docs.DRAFT_WITH_PACKET_MARKDOWN, lambda it: it[1].markdown),
    REVIEW.part(lambda it: it[1], "packet_path", "tokens", "score", "rules"),
    Field("removed", list_of(TEXT), docs.DRAFT_WITH_PACKET_REMOVED, lambda it: list(it[1].removed)),
)
HEAD: Shape[Session] = Shape(
    "head",
    Field("conversation_id", TEXT, docs.HEAD_CONVERSATION_ID),
    Field("session_id", TEXT, docs.HEAD_SESSION_ID, lambda it: it.id),
)


async def hand_off(context: Context, call: Call) -> ASGIApp:
    chat = await context.idle_chat(call.text("id"))
    made = await _MAKERS[call.text("kind")](chat)
    return json_response(HANDOFF.as_dict((call.text("id"), made)), 201)


async def _make_draft(chat: Chat) -> Made:
    return Made("draft", review=await handoffs.propose(chat, narrate=chat.agent.narrates()))


async def _make_session(chat: Chat) -> Made:
    return Made("fresh", session=await handoffs.start_fresh(chat, narrate=chat.agent.narrates()))


async def _make_packet(chat: Chat) -> Made:
    return Made("packet", packet=await handoffs.write_packet(chat, narrate=chat.agent.narrates()))


_MAKERS: dict[str, Callable[[Chat], Coroutine[Any, Any, Made]]] = {
    "draft": _make_draft,
    "fresh": _make_session,
    "packet": _make_packet,
}


async def list_(context: Context, _: Call) -> ASGIApp:
    return json_response(DRAFTS.as_dict(await in_thread(context.store.drafts.list_waiting)))


async def show(context: Context, call: Call) -> ASGIApp:
    """Even while a turn runs: nothing of the agent is needed."""
    return json_response(DRAFT_WITH_PACKET.as_dict(await in_thread(_load, context.store, call.text("id"))))


def _load(store: Store, draft_id: str) -> tuple[Draft, Review]:
    return store.drafts.get(draft_id), handoffs.load_review(store, draft_id)


async def edit(context: Context, call: Call) -> ASGIApp:
    draft = await _get(context, call)
    await handoffs.edit(await context.idle_chat(draft.conversation_id), draft.id, call.text("markdown"))
    return await show(context, call)


async def confirm(context: Context, call: Call) -> ASGIApp:
    draft = await _get(context, call)
    session = await handoffs.start(await context.idle_chat(draft.conversation_id), draft.id)
    return json_response(HEAD.as_dict(session))


async def cancel(context: Context, call: Call) -> ASGIApp:
    draft = await _get(context, call)
    await handoffs.cancel(await context.idle_chat(draft.conversation_id), draft.id)
    return json_response(DRAFT.as_dict(await _get(context, call)))


async def _get(context: Context, call: Call) -> Draft:
    return await in_thread(context.store.drafts.get, call.text("id"))


OPERATIONS = (
    Operation(
        "handOff",
        "POST",
        "/v1/conversations/{id}/handoffs",
        words.HAND_OFF,
        hand_off,
        (Answer(201, words.HAND_OFF_RETURNS, HANDOFF),),
        where=(Id("id", "conversation"),),
        body=(Choice("kind", words.HAND_OFF_KIND, tuple(_MAKERS)),),
        errors=(409,),
    ),
    Operation(
        "listDrafts",
        "GET",
        "/v1/drafts",
        words.LIST_DRAFTS,
        list_,
        (Answer(200, words.LIST_DRAFTS_RETURNS, DRAFTS),),
    ),
    Operation(
        "showDraft",
        "GET",
        "/v1/drafts/{id}",
        words.SHOW_DRAFT,
        show,
        (Answer(200, words.SHOW_DRAFT_RETURNS, DRAFT_WITH_PACKET),),
        where=(_ID,),
    ),
    Operation(
        "editDraft",
        "PUT",
        "/v1/drafts/{id}",
        words.EDIT_DRAFT,
        edit,
        (Answer(200, words.EDIT_DRAFT_RETURNS, DRAFT_WITH_PACKET),),
        where=(_ID,),
        body=(Text("markdown", words.EDIT_DRAFT_MARKDOWN, 500_000),),
        errors=(409,),
    ),
    Operation(
        "confirmDraft",
        "POST",
        "/v1/drafts/{id}/confirm",
        words.CONFIRM_DRAFT,
        confirm,
        (Answer(200, words.CONFIRM_DRAFT_RETURNS, HEAD),),
        where=(_ID,),
        errors=(409,),
    ),
    Operation(
        "cancelDraft",
        "POST",
        "/v1/drafts/{id}/cancel",
        words.CANCEL_DRAFT,
        cancel,
        (Answer(200, words.CANCEL_DRAFT_RETURNS, DRAFT),),
        where=(_ID,),
        errors=(409,),
    ),
)
