"""What a conversation's record says to the person who reads it: `/transcript`, `baton sessions show`."""

from __future__ import annotations

YOU = "You"
YOU_IN = "You, in {platform}"
GUEST = "Somebody else"
GUEST_IN = "Somebody else, in {platform}"
AGENT = "Agent"
BATON_TO_AGENT = "Baton, to the agent"
WAITING = "You, waiting for its turn"
TAKEN_BACK = "You, taken back before its turn"

CALL = "{title}"
CALL_ENDED = "{title} · {end}"
CALL_OPEN = "{title} · how it ended is not known"
CALLED = "The agent used {tools}."

COMPRESSED = "Context was compressed here."
COMPRESSED_COUNTED = "Context was compressed here: {before:,} → {after:,} tokens."
LOSSY = "Context was compressed here without a summary."
LOSSY_COUNTED = "Context was compressed here without a summary: {before:,} → {after:,} tokens."
COMPRESSION_FAILED = "Context could not be compressed: {error}. Nothing was changed."
COMPRESSION_FAILED_UNSAID = "Context could not be compressed. Nothing was changed."
COMPRESSION_SLOW = "Compressing the context took too long. Nothing was changed."
COMPRESSION_PUT_OFF = "Compressing the context was put off: it had just failed."
COMPRESSION_UNDONE = "The last compression was taken back."
CONTEXT_WARNED = "Context was filling up: {tokens:,} tokens."

FRESH = "A fresh session began here. Packet: {path}"
FRESH_BECAUSE = "{because}. A fresh session began here. Packet: {path}"
PATH_UNKNOWN = "kept in the store"
HANDOFF_ASKED = "Baton asked whether to continue in a fresh session."
HANDOFF_ASKED_BECAUSE = "Baton asked whether to continue in a fresh session: {doubt}"
HANDOFF_DECLINED = "You said no to a fresh session."
HANDOFF_FAILED = "A fresh session could not be started: {error}"
HANDOFF_UNDONE = "The last handoff was taken back."

PINNED = "You pinned rule {number}: {text}"
DROPPED = "You dropped a rule: {text}"
DROPPED_UNSAID = "You dropped a rule."
STOPPED = "Stopped."
WAITS = "Waiting for your answer."
SUSPENDED = "Interrupted in good order; the next start continues here."
FAILED = "The turn failed: {error}"
FAILED_UNSAID = "The turn failed."
ENDED = "The turn ended."
HANDED_OFF = "The turn continued in the fresh session."
WITHDRAWN = "A message was taken back before its turn."
NOTHING_SAID = "A note without words."
LINES_ABOVE = "… {hidden:,} lines above: `baton sessions show` with the pointer in the line above prints them all"

FOUND = {
    "user": "you",
    "queued": "you",
    "assistant": "agent",
    "tool_call": "tool",
    "tool_result": "tool",
    "packet": "packet",
    "compression": "summary",
}
FOUND_ELSEWHERE = "note"
"""Where a search found it."""

FIRST_SESSION = "first session"
BEGAN = {
    "root": FIRST_SESSION,
    "compression": "after a compression",
    "handoff": "after a handoff",
    "fork": "a fork",
    "import": "imported",
    "undo": "after an undo",
}
OVER = {
    "compression": "ended by a compression",
    "handoff": "ended by a handoff",
    "compression_handoff": "ended by a handoff",
    "undone": "taken back",
}
OVER_SOMEHOW = "ended"
LIVE = "live"
