"""Moving a conversation to another place. The caller only observes; the gateways' workers carry it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from baton.core.transfer.transfer import Transfer
from baton.engine.aio import in_thread
from baton.engine.transfer.targets import HERE
from baton.surfaces.api.errors import json_response
from baton.surfaces.api.operation import Answer, Id, Operation, Text, Whole
from baton.surfaces.shared.presenters import TRANSFER, TRANSFER_WITH_JOURNAL
from baton.surfaces.shared.shapes import Shape, objects
from baton.surfaces.words import api as words
from baton.surfaces.words import api_fields as docs

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from baton.surfaces.api.call import Call
    from baton.surfaces.api.context import Context

_ID = Id("id", "transfer")
_OWNER = "api"
TRANSFERS: Shape[Sequence[Transfer]] = Shape(
    "transfers", objects("transfers", TRANSFER, docs.TRANSFERS_TRANSFERS, lambda it: it)
)


async def request(context: Context, call: Call) -> ASGIApp:
    context.serving.check_open()
    conversation = await context.conversation(call.text("id"))
    context.check_idle(conversation.id)
    transfer = await in_thread(_request, context, conversation.id, call.text("to"))
    return json_response(TRANSFER.as_dict(transfer), 202, {"location": f"/v1/transfers/{transfer.id}"})


def _request(context: Context, conversation_id: str, to: str) -> Transfer:
    """`OwnedElsewhere` while a turn runs somewhere else."""
    store = context.store
    target = context.host.target(to)
    if store.conversations.get(conversation_id).owner is not None:
        store.conversations.release(store.conversations.claim(conversation_id, _OWNER, 1.0))
    origin = next((binding.place for binding in store.bindings.of(conversation_id)), HERE)
    return store.transfers.request(conversation_id, origin, target)


async def list_(context: Context, call: Call) -> ASGIApp:
    found = await in_thread(context.store.transfers.recent, call.whole("limit"))
    return json_response(TRANSFERS.as_dict(found))


async def show(context: Context, call: Call) -> ASGIApp:
    transfer = await in_thread(context.store.transfers.get, call.text("id"))
    return json_response(TRANSFER_WITH_JOURNAL.as_dict(transfer))


async def cancel(context: Context, call: Call) -> ASGIApp:
    return json_response(TRANSFER.as_dict(await in_thread(context.store.transfers.cancel, call.text("id"))))


OPERATIONS = (
    Operation(
        "requestTransfer",
        "POST",
        "/v1/conversations/{id}/transfers",
        words.REQUEST_TRANSFER,
        request,
        (Answer(202, words.REQUEST_TRANSFER_RETURNS, TRANSFER),),
        where=(Id("id", "conversation"),),
        body=(Text("to", words.REQUEST_TRANSFER_TO, 300),),
        errors=(409,),
    ),
    Operation(
        "listTransfers",
        "GET",
        "/v1/transfers",
        words.LIST_TRANSFERS,
        list_,
        (Answer(200, words.LIST_TRANSFERS_RETURNS, TRANSFERS),),
        query=(Whole("limit", words.LIST_TRANSFERS_LIMIT, 50, 1, 1000),),
    ),
    Operation(
        "showTransfer",
        "GET",
        "/v1/transfers/{id}",
        words.SHOW_TRANSFER,
        show,
        (Answer(200, words.SHOW_TRANSFER_RETURNS, TRANSFER_WITH_JOURNAL),),
        where=(_ID,),
    ),
    Operation(
        "cancelTransfer",
        "POST",
        "/v1/transfers/{id}/cancel",
        words.CANCEL_TRANSFER,
        cancel,
        (Answer(200, words.CANCEL_TRANSFER_RETURNS, TRANSFER),),
        where=(_ID,),
        errors=(409,),
    ),
)
