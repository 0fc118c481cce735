"""Questions that turns of this gateway wait for, wherever they were asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from baton.core.errors import NotFound
from baton.core.ids import shown
from baton.surfaces.api import shapes
from baton.surfaces.api.errors import json_response
from baton.surfaces.api.fields import Choice, Text
from baton.surfaces.api.operation import Answer, Operation

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from baton.surfaces.api.call import Call
    from baton.surfaces.api.office import Office

ANSWERS = ("yes", "always", "no")
GONE = "It may have been answered elsewhere; GET /v1/approvals lists those that wait."


async def list_(office: Office, _: Call) -> ASGIApp:
    found: list[dict[str, Any]] = [
        {
            "handle": question.handle,
            "conversation_id": question.conversation_id,
            "call_id": question.asked.call_id,
            "tool": question.asked.tool,
            "title": question.asked.title,
            "reason": question.asked.reason,
            "preview": question.asked.preview,
            "args": dict(question.asked.args),
        }
        for question in office.questions.waiting()
    ]
    return json_response({"approvals": found})


async def answer(office: Office, call: Call) -> ASGIApp:
    handle = call.text("handle")
    for question in office.questions.waiting():
        if question.handle == handle:
            decided = office.questions.answer(question.conversation_id, f"{call.text('answer')}:{handle}")
            return json_response({"conversation_id": question.conversation_id, "answer": decided})
    raise NotFound(noun="open question", value=shown(handle), suggestion=GONE)


OPERATIONS = (
    Operation(
        "listApprovals",
        "GET",
        "/v1/approvals",
        "What tools ask, exactly, before they do it.",
        list_,
        (Answer(200, "Open questions.", shapes.APPROVALS),),
    ),
    Operation(
        "answerApproval",
        "POST",
        "/v1/approvals/{handle}",
        "Answers one. `always` means: exactly this, in this workspace, from now on.",
        answer,
        (Answer(200, "What was decided.", shapes.DECIDED),),
        where=(Text("handle", "Which question.", 64),),
        body=(Choice("answer", "The answer.", ANSWERS),),
    ),
)
