"""What people in an editor read of Baton: questions, its own work, and how a thread continues."""

from __future__ import annotations

# logging in
KEY_NAME = "Key in the environment"
KEY_ABOUT = "A provider's key from the environment, such as ANTHROPIC_API_KEY; without one the embedded model answers"
SETUP_NAME = "Check the set-up in a terminal"
SETUP_ABOUT = "Shows what a client would see and what is missing"

# modes and other options
MODES = {
    "ask": ("Ask", "Reading is free; changes, commands and the network are asked for"),
    "accept_edits": ("Accept edits", "Files of the workspace are changed without asking; commands are asked for"),
    "unattended": ("Unattended", "Everything inside the workspace runs without asking"),
    "read_only": ("Read only", "Nothing is changed and no command runs"),
}
"""By mode: its name, and what it means."""

EFFORTS = {"default": "As the model does", "low": "Low", "medium": "Medium", "high": "High"}
MODE, MODE_ABOUT = "Mode", "What tools may do without asking"
MODEL, MODEL_ABOUT = "Model", "From the next message on"
EFFORT, EFFORT_ABOUT = "Effort", "How much the model thinks first"

# questions
ALLOW_ONCE = "Allow once"
ALLOW_ALWAYS = "Always allow exactly this in this workspace"
ALLOW_BEGINS = "Always allow commands that begin `{begins}`"
ALLOW_EDITS = "Accept edits from now on"
REJECT = "Reject"
QUESTION_CLOSED = "the question was closed"
CANNOT_ASK = "the editor could not ask: {reason}"
ANSWERED = "Answered: {how}."
ASKED = "{who} waits for your answer: {title}. Answer here or there; the first answer counts."
ASKED_IN = "{who} waits for your answer {place}: {title}. Answer here or there; the first answer counts."
ENDED = "{title}: {how}."
ENDED_KEPT = "{title}: {how}. The process that asked has ended; your answer counts if the work asks exactly this again."
DRAFT_WAITS = "A packet waits for your answer: `/handoff` shows it."

# what an editor does for Baton
GONE = "the editor is gone"
REFUSED = "the editor refused: {reason}"
REFUSED_TO_OPEN = "the editor refused to open it: {reason}"
NOT_ANSWERED = "the editor did not answer"
NOT_OPENED = "the editor did not open it in time"
NO_ID = "the editor gave it no id"
UNEXPLAINED = "it does not say why"

# Baton's own work
COMPRESS = "Compress the context"
COMPRESSING = "{tokens:,} of {window:,} tokens. {kept}."
HAND_OFF = "Hand off to a fresh session"
HAND_OFF_BECAUSE = "{because}."
HAND_OFF_STEP = "{because}\n{step}"
HANDED_OFF = "{because}\nPacket: {path} ({tokens:,} tokens)"
PULL = "Pull the model"
RETRYING = "{reason} Trying again in {seconds:.0f} s."
OWNED = "{who} is at work on this conversation, or died a moment ago. Waiting for it."
PATH_UNKNOWN = "kept in the store"
CONTINUED = "The conversation continued in a fresh session. Packet: {path}"
CUT = "[… {left:,} more characters]"

# moving
MOVING = "Moving to {place}: {step}…"
MOVED = "This conversation now lives in {place}. Write here any time to continue in the editor."
TRANSCRIPT = "`baton sessions show {id} --all` prints everything ever said here; loading this thread shows it too."

# the review of a packet
QUESTION = "Continue in a fresh session that begins with this packet?"
WHAT_NEXT = "What next"
START = "Start the fresh session"
CANCEL = "Cancel"
CANCEL_STAYS = "Cancel: the session continues as it was"
PACKET, PACKET_ABOUT = "Packet", "Edit it before it is used"
DROP, DROP_ABOUT = "Drop rules", "Numbers, such as 2, 5. {rules}"
DROP_FIRST = "Drop a rule first"
DROP_WHICH = "Drop which rule?"
KEEP_ALL = "Keep them all"
KEPT = "Cancelled. The session continues as it was. The packet is {path}."
WAITS = (
    "The draft waits for an answer; the session continues as it was. The packet is {path}.\n\n"
    "`baton handoff --confirm {draft}` starts the fresh session, `/handoff` writes a new packet."
)
CLOSED = "Nobody chose, so the session continues as it was. `/handoff` asks again. The packet is {path}."
ELSEWHERE = {
    "confirmed": "Answered elsewhere: the work continues there in a fresh session. The packet is {path}.",
    "cancelled": "Answered elsewhere: the session continues as it was. The packet is {path}.",
    "stale": "The conversation has continued elsewhere since. `/handoff` writes a new packet.",
}
STARTED = (
    "A fresh session began from the packet {path}.\n\n"
    "{next}\n\n"
    "In a client that cannot continue here, open a new thread and paste:\n\n"
    "```text\nRead {path} and continue the work described there. "
    "Look at the live state of the workspace before you change anything.\n```\n\n"
    "In a terminal: `baton resume {conversation}`"
)
GOES_ON = "The work continues in it now, in this thread."
YOUR_TURN = "This thread continues in it: say what is next, or just “{prompt}”"
CONTINUE = "Continue in the fresh session"

# content of a prompt
BY_EDITOR = "by the editor"
NOT_SHOWN = "\n\n[{name}: {size:,} bytes that are not text; not shown]"
THE_IMAGE = "the image"
IMAGE = "image {number}"

# baton acp --check
SILENT = "The agent ended without an answer to {method}; its last words are above."
NO_REASON = "no reason given"
END_OF_INPUT = "end of input"
EXIT_CODE = "exit code {code}"
ABOUT = "{title} {version} · protocol {protocol}"
SESSIONS = "sessions: {names}"
OPENED = "id {id} · head {head}"
CHOSEN = "{option} {value}"
LISTED = "conversations of this directory on the first page: {count}"
