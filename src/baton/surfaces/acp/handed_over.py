"""The visible end of a handoff: the packet, what happens next, and text for a client that cannot switch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from baton.surfaces.shared import handoffs

if TYPE_CHECKING:
    from baton.surfaces.acp.frames import Json

STARTED = (
    "Fresh session {session}. It began from the packet {path}.\n\n"
    "{next}\n\n"
    "In a client that cannot go on here, open a new thread and paste:\n\n"
    "```text\nRead {path} and go on with the work described there. "
    "Look at the live state of the workspace before you change anything.\n```\n\n"
    "In a terminal: `baton resume {conversation}`"
)
GOES_ON = "The work goes on in it now, in this thread."
YOUR_TURN = "This thread goes on in it: say what is next, or just “{prompt}”"
CONTINUE = "Continue in the fresh session"


def action(session_id: str) -> Json:
    """What a client may offer as a button: a prompt to this very session."""
    return {"label": CONTINUE, "sessionId": session_id, "prompt": handoffs.CONTINUE}


def message(session_id: str, conversation_id: str, path: str, *, goes_on: bool) -> str:
    """`goes_on` if nobody needs to say anything for the work to go on."""
    following = GOES_ON if goes_on else YOUR_TURN.format(prompt=handoffs.CONTINUE)
    return STARTED.format(session=session_id, path=path, next=following, conversation=conversation_id)


def meta(public_id: str, path: str) -> Json:
    return {"baton": {"packetPath": path, "continue": action(public_id)}}
