"""What the chat in the terminal says: every label, notice and question, by the part of the screen that shows it."""

from __future__ import annotations

from baton.surfaces.words import work

# answer
REASONING = "Thinking…"
THOUGHT = "Thought for {seconds:.0f} s"

# app
LEAVE = "Press Ctrl+C again to leave. Nothing is lost: baton resume continues it."
COPIED_ANSWER = "copied the last answer ({length:,} characters)"
COPIED_CODE = "copied code block {number} ({length:,} characters)"
COPIED_MARKED = "copied the marked text ({length:,} characters)"
NOTHING_TO_COPY = "there is no answer to copy yet"
MODE_NOW = "mode: {mode}"
STATE_STOPPING = "stopping"
STATE_STARTING = "starting"

# approval
SAY_WHY = "no, and say why"
KEY_STOP = "Esc"
STOP = "stop"
TAB_FIRST = "Tab, then y or n; what you are typing stays"
BECAUSE = "Because {reason}."
WHY_NOT = "What should it do instead? Enter sends it, Esc goes back"

# controller
ONE_AT_A_TIME = "A command of yours is running. Wait for it, or stop it with Esc."

# earlier
EARLIER = "Earlier: the conversation before this packet · /transcript has everything"
NOTHING_EARLIER = "Nothing was said before."

# event_view
THINKING = "thinking"
WAITING_FOR_YOU = "waiting for your answer"
ANSWERED = "{asked}: {how}."
MODE = "Mode: {mode}. Shift+Tab changes it."
COMPRESSIONS = {
    **work.COMPRESSIONS,
    "compressed": (
        "Compressed: {before:,} → {after:,} tokens. Nothing left the transcript (/transcript).",
        "Compressed ({error}): {before:,} → {after:,} tokens. Nothing left the transcript (/transcript).",
    ),
    "lossy": (
        "Compressed without a summary: {before:,} → {after:,} tokens. Everything is still in /transcript.",
        "Compressed without a summary ({error}): {before:,} → {after:,} tokens. Everything is still in /transcript.",
    ),
}
"""By outcome: alone, and with what went wrong."""

RETRYING = "{reason} Trying again in {seconds:.0f} s."
STATE_RETRYING = "waiting to try again"
STATE_COMPRESSING = "compressing"
CALL_ASKED = "{tool}: {asked}"
SHOWN = "{caption}: {path}"
ADVANCED = "The conversation continues in a fresh session."
COMPRESSING = "Context is at {share:.0%}. Compressing… {kept}."

# first_start
CHOOSE_HELP = "↑↓ Enter, or a number · Esc later"
PROVIDERS = "Whose key do you have?"
MODELS = "Which model?"
KEY_HELP = "Enter continue · Esc back"

# handoff
CHECKPOINT = "Checkpoint kept under {ref} (your branch and index are untouched)."
WRITTEN = "Packet written: {path} · {tokens:,} tokens · score {share:.0%}"
WRITTEN_CLEANED = "Packet written: {path} · {tokens:,} tokens · score {share:.0%} · kinds of secrets removed: {secrets}"
NARRATIVE_COST = "the narrative cost {cost}"
COMPARED = "Compared with the last packet"
STATE_HANDOFF = "handing off"
STATE_HANDOFF_STEP = "handing off: {step}"
SCOPE_PINNED = "pinned, for good"
SCOPE_STANDING = "until you take it back"
SCOPE_TASK = "of this task"
FIRST_PACKET = "There is no earlier packet to compare with."
CREATING = "{because}; creating a fresh handoff…"
FRESH = "Continued in a fresh session from the packet {path} ({tokens:,} tokens)."
CANCELLED = "Cancelled. The session continues as it was."
NO_RULES = "There is no rule to drop: none is pinned, and none was found in what you said."
DROP_WHICH = "Drop which rule?"

# held_messages
NOT_TAKEN = "Not taken: {who} is at work on this conversation. Your message waits below until that has ended."
NOT_SENT = "Not sent, because you left the conversation it was for: {text}. ↑ brings it back."

# other_questions
ASKED = "{who} waits for your answer. Answer here or there; the first answer counts."
ASKED_IN = "{who} waits for your answer {place}. Answer here or there; the first answer counts."
ANSWER_KEPT = (
    "{asked}: {how}. The process that asked has ended: your answer counts if the work asks exactly this again."
)
PACKET_WAITS = "A packet waits for your answer: /handoff shows it."

# other_surfaces
FROM = "From {place}:"
ELSEWHERE = "another terminal or editor"
LIVES_THERE = (
    "This conversation was moved to {place}, and what is said there comes here too. Write here to continue here."
)

# overlays
LOOKING = "looking which models can be used…"
ONLY_LAST = "[the last {count:,} entries; `baton sessions show {id} --all` prints everything]"
KEYS = (
    ("Enter", "send; Shift+Enter or Ctrl+J break the line"),
    ("Esc", "stop the turn; close what is open"),
    ("Ctrl+C", "twice: leave, nothing is lost; once: copy what the mouse marked, or clear"),
    ("↑ ↓", "history; ↑ takes back a message that waits"),
    ("Ctrl+R", "search what you said"),
    ("Ctrl+G", "write the message in your editor"),
    ("Tab", "complete a /command or an @file; go to a question"),
    ("@file", "puts the file into the message; @file:10-40 some lines of it"),
    ("!command", "runs it; the agent sees the output with your next message"),
    ("# rule", "pins a rule: it holds through every compression and handoff"),
    ("Shift+Tab", "what tools may do without asking"),
    ("Ctrl+O", "fold or unfold tool calls"),
    ("Ctrl+Y", "copy the last answer; again: its code"),
    ("PgUp PgDn", "scroll"),
    ("Ctrl+T", "dark or light"),
    ("? F1", "this help"),
)
USED = "used now"
TYPE_NAME = "type its name"
AS_TYPED = "as typed"
HELP_TITLE = "Keys and commands"
PICK_CONVERSATION = "Conversations"
PICK_MODEL = "Models"
PICK_SAID = "What you said"

# own_command
RUNNING = "running {command}"
OWN_COMMAND = "! {command} · {verdict} · the agent sees it with your next message"
NOT_STARTED = "{command} could not be started: {reason}"
ENDED_WELL = "ended well"
ENDED_WITH = "ended with {code}"
ENDED_STOPPED = "ended when you stopped it"
OWN_OUTPUT = "the output of `{command}`, which {verdict}"
LINES_BEFORE = "… {count:,} lines before these"
LEFT_OUT = "[… {count:,} bytes before this are left out]\n"

# prompt
HINT = "Ask, or: / commands · @ files · ! run · # pin a rule · ? help"
PASTED = "[pasted text {number}: {lines:,} lines]"
PASTED_LINE = "[pasted text {number}: 1 line]"

# replay
STOPPED = "Stopped."
PATH_UNKNOWN = "kept in the store"
PACKET = "The session began from a packet: {path}"
PINNED = "Pinned as rule {number}: {text}"
DROPPED = "Dropped the rule: {text}"
COMPRESSED_HERE = "Context was compressed here. Everything is still in the transcript (/transcript)."

# resume
HELD = (
    "{where} is at work on this conversation, or died a moment ago. "
    "Waiting for it to be free; /new or /sessions leaves it."
)
HELD_STATE = "held elsewhere, waiting"
UNENDED = "“{title}” has a turn that did not end: interrupted, or running elsewhere. /resume {id} tells what was done."
PACKET_WAITS_THERE = "“{title}” has a packet that waits for your answer. /resume {id}, then /handoff shows it."
LAST = "Last here, {ago}: “{title}”. /resume continues it, or another."
OTHER_MODEL = "So far {before} answered here; now it is {now}. /model {before} goes back to it."
BACK = "Back from {place}. What was said there is above."

# screens
READ_HELP = "↑↓ PgUp PgDn scroll · Esc close"
ASK_HELP = "Enter yes · n no · Esc no"
REVIEW_TITLE = "Continue in a fresh session with this packet?"
REVIEW_HELP = "Enter start · e edit · r drop a rule · d compare with the last packet · Esc cancel"
STRUCK = "struck {struck} · stale {stale}"
PACKET_SIZE = "{tokens:,} of {budget:,} tokens"
OF = "{used:,} of {most:,}"
REMOVED = "removed: {kinds}"
ROW_STRUCK = "claims struck"
ROW_STALE = "stale"
ROW_TOKENS = "tokens"
ROW_REMOVED = "removed"
NARROW = "type to narrow"
PICK_HELP = "type to narrow · ↑↓ · Enter choose · Esc cancel"
NOTHING_FITS = "Nothing fits."

# status
HERE = "terminal"
AWAY = "lives in {place}"
STOPS = "Esc stops"
WAITS = "waits its turn"
WAITS_LAST = "waits its turn · ↑ takes it back"
PROGRAM = "Baton {version}"
PRESSURE = "{percent} % of {window}"
COMPRESSION_ONCE = "1 compression"
COMPRESSION_COUNT = "{count} compressions"
COMPRESSION_SHORT = "{count}×"

# transcript
OLDER = "… older messages are not drawn: /transcript shows everything"
LINES_MORE = "… {count:,} more lines"
LINES_HIDDEN = "… {count:,} lines"
PLAN = "Plan"

# transfer
MOVING = "moving to {place}: {step}"
MOVED_AWAY = "This conversation now lives in {place}. Back here any time:  baton resume {conversation}"
SLOW = "{place} is slow: still on its way after {seconds:.0f} s. Esc asks to stop it; /quit leaves, and it continues."
STOPPING = "Asked to stop the transfer…"
