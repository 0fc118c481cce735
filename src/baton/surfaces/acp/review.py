"""A packet reviewed in an editor: a form where the editor has forms, else a question with two answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from baton.core.value import value
from baton.surfaces.acp import updates
from baton.surfaces.acp.frames import Json, RpcError, table
from baton.surfaces.acp.peer import Gone
from baton.surfaces.acp.permission import choose

if TYPE_CHECKING:
    from baton.surfaces.acp.client import Line
    from baton.surfaces.acp.following import Following
    from baton.surfaces.shared.handoffs import Review

START, CANCEL, LATER = "start", "cancel", "later"
QUESTION = "Go on in a fresh session that begins with this packet?"
CHOICES = [(START, "Start the fresh session"), (CANCEL, "Cancel: the session goes on as it was")]
OPTIONS: list[Json] = [
    {"optionId": START, "name": "Start the fresh session", "kind": "allow_once"},
    {"optionId": CANCEL, "name": "Cancel", "kind": "reject_once"},
]


@value
class Decision:
    """`what` is start, cancel or later (nobody answered; the draft waits). `packet` is another text for it, if any."""

    what: str
    packet: str = ""


async def decide(line: Line, following: Following, review: Review) -> Decision:
    """A person's answer. Never raises: where nobody can be asked the draft waits."""
    following.answer("\n\n".join([review.markdown.strip(), *review.lines]))
    try:
        if line.can.forms:
            return await _form(line, following, review)
        return await _question(line, following, review)
    except (RpcError, Gone):
        return Decision(LATER)


async def _form(line: Line, following: Following, review: Review) -> Decision:
    following.asking += 1
    try:
        answer = await line.ask("elicitation/create", {"mode": "form", **form(review)})
    finally:
        following.asking -= 1
    if answer.get("action") != "accept":
        return Decision(CANCEL if answer.get("action") == "decline" else LATER)
    given = table(answer.get("content"))
    packet = given.get("packet")
    changed = isinstance(packet, str) and packet.strip() and packet.strip() != review.markdown.strip()
    return Decision(START if given.get("decision", START) == START else CANCEL, str(packet) if changed else "")


def form(review: Review) -> Json:
    decision = {
        "type": "string",
        "title": "What next",
        "oneOf": [{"const": each, "title": title} for each, title in CHOICES],
        "default": START,
    }
    packet = {
        "type": "string",
        "title": "Packet",
        "description": "Edit it before it is used",
        "default": review.markdown,
    }
    schema = {"type": "object", "properties": {"decision": decision, "packet": packet}, "required": ["decision"]}
    return {"message": f"{QUESTION}\n{' '.join(review.lines)}", "requestedSchema": schema}


async def _question(line: Line, following: Following, review: Review) -> Decision:
    card = f"review-{review.draft_id}"
    line.send(updates.card(card, QUESTION, "pending", "\n".join(review.lines)))
    about = {"toolCallId": card, "title": QUESTION, "kind": "think", "status": "pending"}
    chosen = ""
    try:
        chosen = await choose(line, following, about, OPTIONS)
    finally:
        line.send(updates.card_update(card, "completed" if chosen else "failed"))
    return Decision(chosen or LATER)
