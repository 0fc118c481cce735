"""Asking the person in the editor whether a call may run: about exactly that call, and no is the answer of silence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from baton.ports.approver import Answer
from baton.surfaces.acp.frames import Json, RpcError, table
from baton.surfaces.acp.peer import Gone

if TYPE_CHECKING:
    from baton.core.agent.event import ApprovalAsked
    from baton.surfaces.acp.client import Line
    from baton.surfaces.acp.following import Following

ONCE, ALWAYS, NO = "allow_once", "allow_always", "reject_once"
OPTIONS: list[Json] = [
    {"optionId": ONCE, "name": "Allow once", "kind": ONCE},
    {"optionId": ALWAYS, "name": "Always allow exactly this in this workspace", "kind": ALWAYS},
    {"optionId": NO, "name": "Reject", "kind": NO},
]
CLOSED = "the question was closed"
CANNOT_ASK = "the editor could not ask: {reason}"


class EditorApprover:
    def __init__(self, line: Line, following: Following) -> None:
        self._line = line
        self._following = following

    async def ask(self, asked: ApprovalAsked) -> Answer:
        """The call is told before the question, and while the question is open nothing else claims to be working."""
        await self._following.caught_up()
        about = self._following.calls.about(asked.call_id)
        try:
            chosen = await choose(self._line, self._following, about, OPTIONS)
        except RpcError as error:
            return Answer(False, comment=CANNOT_ASK.format(reason=error.message))
        except Gone:
            return Answer(False, comment="the editor is gone")
        if chosen in (ONCE, ALWAYS):
            return Answer(True, remember=chosen == ALWAYS)
        return Answer(False, comment="" if chosen == NO else CLOSED)


async def choose(line: Line, following: Following, about: Json, options: list[Json]) -> str:
    """The id of the option a person chose; empty if the question was closed. Raises `RpcError` or `Gone`."""
    following.asking += 1
    try:
        answer = await line.ask("session/request_permission", {"toolCall": about, "options": options})
    finally:
        following.asking -= 1
    outcome = table(answer.get("outcome"))
    chosen = outcome.get("optionId") if outcome.get("outcome") == "selected" else ""
    return next((str(each["optionId"]) for each in options if each["optionId"] == chosen), "")
