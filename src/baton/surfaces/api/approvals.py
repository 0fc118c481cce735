"""Questions that turns of this gateway wait for, on whichever surface the turn was started."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from baton.core.errors import NotFound
from baton.core.ids import quote
from baton.surfaces.api.errors import json_response
from baton.surfaces.api.operation import Answer, Choice, Operation, Text
from baton.surfaces.shared.approvals import Question
from baton.surfaces.shared.shapes import OBJECT, TEXT, Field, Shape, objects, one_of

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from baton.surfaces.api.call import Call
    from baton.surfaces.api.context import Context

ANSWERS = ("yes", "always", "no")
GONE = "It may have been answered elsewhere; GET /v1/approvals lists those that wait."


APPROVAL: Shape[Question] = Shape(
    "approval",
    Field("handle", TEXT, "Names this question and no other."),
    Field("conversation_id", TEXT, "Whose turn waits."),
    Field("call_id", TEXT, "The call that asks.", lambda it: it.asked.call_id),
    Field("tool", TEXT, "The tool that asks.", lambda it: it.asked.tool),
    Field("title", TEXT, "What it would do, in a line.", lambda it: it.asked.title),
    Field("reason", TEXT, "Why it asks.", lambda it: it.asked.reason),
    Field("preview", TEXT, "What it would do, exactly.", lambda it: it.asked.preview),
    Field("args", OBJECT, "The arguments of the call.", lambda it: dict(it.asked.args)),
)
APPROVALS: Shape[Sequence[Question]] = Shape(
    "approvals", objects("approvals", APPROVAL, "Questions that wait.", lambda it: it)
)
DECISION: Shape[tuple[Question, str]] = Shape(
    "decision",
    Field("conversation_id", TEXT, "Whose turn waited.", lambda it: it[0].conversation_id),
    Field("answer", one_of(*ANSWERS), "What was decided.", lambda it: it[1]),
)


async def list_(context: Context, _: Call) -> ASGIApp:
    return json_response(APPROVALS.as_dict(context.questions.list_waiting()))


async def answer(context: Context, call: Call) -> ASGIApp:
    handle = call.text("handle")
    for question in context.questions.list_waiting():
        if question.handle == handle:
            decided = context.questions.answer(question.conversation_id, f"{call.text('answer')}:{handle}")
            return json_response(DECISION.as_dict((question, decided)))
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
        "Answers one. `always` means: exactly this, in this workspace, from now on.",
        answer,
        (Answer(200, "What was decided.", DECISION),),
        where=(Text("handle", "Which question.", 64),),
        body=(Choice("answer", "The answer.", ANSWERS),),
    ),
)
