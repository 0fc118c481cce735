"""Rules of a conversation: pinned by hand, or found in what was said. Beside a turn, too."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from baton.engine.handoff.rules import LONGEST, ListedRule
from baton.surfaces.api.errors import json_response
from baton.surfaces.api.operation import Answer, Id, Operation, Text
from baton.surfaces.shared import rules
from baton.surfaces.shared.rules import RULE, PinnedRule
from baton.surfaces.shared.shapes import FLAG, Field, Shape, objects

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from baton.surfaces.api.call import Call
    from baton.surfaces.api.context import Context

_ID = Id("id", "conversation")
RULES: Shape[Sequence[ListedRule]] = Shape(
    "rules", objects("rules", RULE, "Pinned ones by number, then those that were found.", lambda it: it)
)
PINNED_RULE: Shape[PinnedRule] = Shape(
    "pinned rule",
    RULE.part(lambda it: it.rule),
    Field("known", FLAG, "Whether it was pinned before."),
    Field("cleaned", FLAG, "Whether a secret was taken out of it first."),
)


async def list_(context: Context, call: Call) -> ASGIApp:
    chat = await context.chat(call.text("id"))
    return json_response(RULES.as_dict(await rules.list_rules(chat)))


async def pin(context: Context, call: Call) -> ASGIApp:
    chat = await context.chat(call.text("id"))
    return json_response(PINNED_RULE.as_dict(await rules.pin(chat, call.text("text"))), 201)


async def drop(context: Context, call: Call) -> ASGIApp:
    chat = await context.chat(call.text("id"))
    return json_response(RULE.as_dict(await rules.drop(chat, call.text("rule"))))


OPERATIONS = (
    Operation(
        "listRules",
        "GET",
        "/v1/conversations/{id}/rules",
        "The rules that hold: pinned ones, and those found in what was said.",
        list_,
        (Answer(200, "The rules.", RULES),),
        where=(_ID,),
    ),
    Operation(
        "pinRule",
        "POST",
        "/v1/conversations/{id}/rules",
        "Pins a rule: it is in every request of the conversation from now on.",
        pin,
        (Answer(201, "The pinned rule.", PINNED_RULE),),
        where=(_ID,),
        body=(Text("text", "The rule.", LONGEST),),
        errors=(409,),
    ),
    Operation(
        "dropRule",
        "POST",
        "/v1/conversations/{id}/rules/{rule}/drop",
        "Drops a rule, from drafts that wait too.",
        drop,
        (Answer(200, "The rule that was dropped.", RULE),),
        where=(_ID, Text("rule", "Its number or id.", 20)),
        errors=(409,),
    ),
)
