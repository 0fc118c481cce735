"""What surfaces share in words: who is at work, how a transfer, a compression and a handoff go, how a call ended."""

from __future__ import annotations

# who is at work on a conversation
SURFACES = {"gateway": "A gateway", "terminal": "A terminal", "editor": "An editor", "run": "A script"}
OTHERS = {"gateway": "Another gateway", "terminal": "Another terminal"}
SOMEBODY = "Somebody else"

# transfers
TRANSFER_FAILED = "The transfer failed: {error}. The conversation is where it was; nothing was lost."
TRANSFER_CANCELLED = "The transfer was cancelled. The conversation is where it was; nothing was lost."
STEPS = {
    "requested": "asking the gateway",
    "claimed": "the gateway has it",
    "opened": "thread opened",
    "bound": "waiting for its first words there",
    "greeted": "greeting delivered",
}
NO_THREAD = "channel found"
IN_PLACE = "in {place}"

# cost
COST = "{input:,} tokens in, {output:,} out"
COST_CACHED = "{input:,} tokens in ({cached:,} cached), {output:,} out"
PRICED = "{tokens}, ${price:.4f}"
SUMMARY_COST = "The summary cost {cost}."
NARRATIVE_COST = "The narrative cost {cost}."

# compressions and handoffs
COMPRESSIONS = {
    "compressed": (
        "Compressed: {before:,} → {after:,} tokens. Nothing left the transcript.",
        "Compressed ({error}): {before:,} → {after:,} tokens. Nothing left the transcript.",
    ),
    "lossy": (
        "Compressed without a summary: {before:,} → {after:,} tokens. The transcript is whole.",
        "Compressed without a summary ({error}): {before:,} → {after:,} tokens. The transcript is whole.",
    ),
    "failed": (
        "Compression failed. The context is as it was.",
        "Compression failed ({error}). The context is as it was.",
    ),
    "timed_out": (
        "Compression timed out. The context is as it was.",
        "Compression timed out ({error}). The context is as it was.",
    ),
    "cancelled": (
        "Compression cancelled. The context is as it was.",
        "Compression cancelled ({error}). The context is as it was.",
    ),
}
"""By outcome: alone, and with what went wrong."""

CONTEXT = "Context: {before:,} → {after:,} tokens."
KEPT = "Kept verbatim: {kept}"
KEPT_LAST = "Kept verbatim: the last exchanges"
HANDED_OFF = "◆ {because}. The conversation continues in a fresh session. Packet: {path}"
HANDED_OFF_UNEXPLAINED = "◆ The conversation continues in a fresh session. Packet: {path}"
TURNED = "◆ {what}"
PATH_UNKNOWN = "kept in the store"
CONTINUE = "Go on with the work."
STRUCK = "Struck: “{sentence}” ({reason})"
STRUCK_MORE = "… and {count} more."
PACKET = "{path} · {score}"
SCORE_CLASS = "{name} {kept}/{total}"
SCORE_STRUCK = "{count:,} unsupported claims struck"
SCORE_STRUCK_ONE = "1 unsupported claim struck"
SCORE_STALE = "{count:,} stale"
SCORE_TOKENS = "{tokens:,} of {budget:,} tokens"
LAST_PACKET = "last packet"
THIS_PACKET = "this packet"

# how a call ended
REFUSED = "refused"
REFUSED_SAYING = "refused: {said}"
TIMED_OUT = "timed out"
EXIT = "exit {code}"
ENDED_WITH = "{tool} ended with {code}"

# questions
ASKED = "**{asks}**\n\n```\n{preview}\n```"
ASKED_BECAUSE = "**{asks}** Because {reason}.\n\n```\n{preview}\n```"
PREVIEW_MORE = "[… {count:,} more characters]"
ALLOW, ALWAYS, REFUSE = "Allow", "Always exactly this", "Refuse"
NOBODY_TO_ASK = "nobody can approve {tool} here (--yes allows it)"

# times
JUST_NOW = "just now"
AGO = {"min": "{amount} min ago", "h": "{amount} h ago", "d": "{amount} d ago", "w": "{amount} w ago"}

# a model that is fetched
PULL = "{title} is not on this machine yet. {size} would be fetched from {source}."
PULL_KEPT = "{title} is not on this machine yet. {size} would be fetched from {source}; {kept} are here already."
PULL_ELSE = "If that fails, from {source}."
PULL_TO = (
    "It goes to {directory}. Wherever it comes from, Baton removes it unless its sha256 is the one Baton knows "
    "({sha256}…). Licence: {licence}."
)
