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
from baton.surfaces.words import api as words
from baton.surfaces.words import api_fields as docs

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from baton.surfaces.api.call import Call
    from baton.surfaces.api.context import Context

_ID = Id("id", "conversation")
RULES: Shape[Sequence[ListedRule]] = Shape("rules", objects("rules", RULE, docs.RULES_RULES, lambda it: it))
PINNED_RULE: Shape[PinnedRule] = Shape(
    docs.NAME_PINNED_RULE,
    RULE.part(lambda it: it.rule),
    Field("known", FLAG, docs.PINNED_RULE_KNOWN),
    Field("cleaned", FLAG, docs.PINNED_RULE_CLEANED),
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
        words.LIST_RULES,
        list_,
        (Answer(200, words.LIST_RULES_RETURNS, RULES),),
        where=(_ID,),
    ),
    Operation(
        "pinRule",
        "POST",
        "/v1/conversations/{id}/rules",
        words.PIN_RULE,
        pin,
        (Answer(201, words.PIN_RULE_RETURNS, PINNED_RULE),),
        where=(_ID,),
        body=(Text("text", words.PIN_RULE_TEXT, LONGEST),),
        errors=(409,),
    ),
    Operation(
        "dropRule",
        "POST",
        "/v1/conversations/{id}/rules/{rule}/drop",
        words.DROP_RULE,
        drop,
        (Answer(200, words.DROP_RULE_RETURNS, RULE),),
        where=(_ID, Text("rule", words.DROP_RULE_RULE, 20)),
        errors=(409,),
    ),
)
