"""Questions that turns wait with, in whichever process and on whichever surface they run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from baton.core.agent.choice import CHOICES
from baton.core.agent.question import API, Question
from baton.core.errors import NotFound
from baton.core.ids import quote
from baton.engine.aio import in_thread
from baton.engine.turns import questions
from baton.engine.turns.questions import Given
from baton.surfaces.api.errors import json_response
from baton.surfaces.api.operation import Answer, Choice, Operation, Text
from baton.surfaces.shared.shapes import FLAG, OBJECT, TEXT, Field, Shape, list_of, objects, one_of
from baton.surfaces.words import api as words
from baton.surfaces.words import api_fields as docs

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from baton.ports.store import Store
    from baton.surfaces.api.call import Call
    from baton.surfaces.api.context import Context


APPROVAL: Shape[Question] = Shape(
    "approval",
    Field("handle", TEXT, docs.APPROVAL_HANDLE),
    Field("conversation_id", TEXT, docs.APPROVAL_CONVERSATION_ID),
    Field("call_id", TEXT, docs.APPROVAL_CALL_ID),
    Field("tool", TEXT, docs.APPROVAL_TOOL),
    Field("asks", TEXT, docs.APPROVAL_ASKS),
    Field("offers", list_of(one_of(*CHOICES)), docs.APPROVAL_OFFERS, lambda it: list(it.offers)),
    Field("begins", TEXT, docs.APPROVAL_BEGINS),
    Field("title", TEXT, docs.APPROVAL_TITLE),
    Field("reason", TEXT, docs.APPROVAL_REASON),
    Field("preview", TEXT, docs.APPROVAL_PREVIEW),
    Field("args", OBJECT, docs.APPROVAL_ARGS, lambda it: dict(it.args)),
)
APPROVALS: Shape[Sequence[Question]] = Shape(
    "approvals", objects("approvals", APPROVAL, docs.APPROVALS_APPROVALS, lambda it: it)
)
DECISION: Shape[Given] = Shape(
    "decision",
    Field("conversation_id", TEXT, docs.DECISION_CONVERSATION_ID, lambda it: it.question.conversation_id),
    Field("answer", one_of(*CHOICES), docs.DECISION_ANSWER, lambda it: it.question.choice),
    Field("kept", FLAG, docs.DECISION_KEPT),
)


async def list_(context: Context, _: Call) -> ASGIApp:
    return json_response(APPROVALS.as_dict(await in_thread(questions.list_open, context.store)))


async def answer(context: Context, call: Call) -> ASGIApp:
    return json_response(DECISION.as_dict(await in_thread(_answer, context.store, call)))


def _answer(store: Store, call: Call) -> Given:
    handle = call.text("handle")
    for question in questions.list_all(store):
        if question.handle == handle:
            return questions.answer(
                store, question, call.text("answer"), where=API, comment=call.maybe("comment") or ""
            )
    raise NotFound(noun=words.OPEN_QUESTION, value=quote(handle), suggestion=words.QUESTION_GONE)


OPERATIONS = (
    Operation(
        "listApprovals",
        "GET",
        "/v1/approvals",
        words.LIST_APPROVALS,
        list_,
        (Answer(200, words.LIST_APPROVALS_RETURNS, APPROVALS),),
    ),
    Operation(
        "answerApproval",
        "POST",
        "/v1/approvals/{handle}",
        words.ANSWER_APPROVAL,
        answer,
        (Answer(200, words.ANSWER_APPROVAL_RETURNS, DECISION),),
        where=(Text("handle", words.ANSWER_APPROVAL_HANDLE, 64),),
        errors=(409,),
        body=(
            Choice("answer", words.ANSWER_APPROVAL_ANSWER, CHOICES),
            Text("comment", words.ANSWER_APPROVAL_COMMENT, 2_000, required=False),
        ),
    ),
)
