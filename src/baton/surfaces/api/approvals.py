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

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from baton.ports.store import Store
    from baton.surfaces.api.call import Call
    from baton.surfaces.api.context import Context

GONE = "It may have been answered elsewhere; GET /v1/approvals lists those that wait."


APPROVAL: Shape[Question] = Shape(
    "approval",
    Field("handle", TEXT, "Names this question and no other."),
    Field("conversation_id", TEXT, "Whose turn waits."),
    Field("call_id", TEXT, "The call that asks."),
    Field("tool", TEXT, "The tool that asks."),
    Field("asks", TEXT, "The question, for a person."),
    Field("offers", list_of(one_of(*CHOICES)), "The answers that it takes.", lambda it: list(it.offers)),
    Field("begins", TEXT, "The words that `begins` would allow commands by; empty where it is not offered."),
    Field("title", TEXT, "What it would do, in a line."),
    Field("reason", TEXT, "Why it asks."),
    Field("preview", TEXT, "What it would do, exactly."),
    Field("args", OBJECT, "The arguments of the call.", lambda it: dict(it.args)),
)
APPROVALS: Shape[Sequence[Question]] = Shape(
    "approvals", objects("approvals", APPROVAL, "Questions that wait.", lambda it: it)
)
DECISION: Shape[Given] = Shape(
    "decision",
    Field("conversation_id", TEXT, "Whose turn waited.", lambda it: it.question.conversation_id),
    Field("answer", one_of(*CHOICES), "What was decided.", lambda it: it.question.choice),
    Field("kept", FLAG, "The process that asked has ended: it counts if exactly this is asked again."),
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
    raise NotFound(noun="open question", value=quote(handle), suggestion=GONE)


OPERATIONS = (
    Operation(
        "listApprovals",
        "GET",
        "/v1/approvals",
        "What tools ask, exactly, before they do it.",
        list_,
        (Answer(200, "Open questions.", APPROVALS),),
    ),
    Operation(
        "answerApproval",
        "POST",
        "/v1/approvals/{handle}",
        "Answers one. `always` means: exactly this, in this workspace, from now on; `begins`: every plain command that "
        "begins so; `edits`: edits in the workspace, until the mode is changed.",
        answer,
        (Answer(200, "What was decided.", DECISION),),
        where=(Text("handle", "Which question.", 64),),
        errors=(409,),
        body=(
            Choice("answer", "The answer.", CHOICES),
            Text("comment", "What the model is told with a no.", 2_000, required=False),
        ),
    ),
)
