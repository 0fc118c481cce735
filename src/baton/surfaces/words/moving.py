"""What commands say of handoffs and other places: `baton handoff`, `transfers`, `gateway status`, `pair`, `people`."""

from __future__ import annotations

# handoff
NONE_HERE = (
    "Say something first: `baton` begins a conversation. `baton sessions list` shows those of other directories."
)
IN_THIS_DIRECTORY = "in this directory"
STEP = "◆ {step}…\n"
PACKET = "packet       {path}"
SCORE = "score        {score}"
HANDOFF_QUESTION = "Continue in a fresh session? [Y]es, [e]dit, [n]o: "
DROP_HINT = "d N drops rule N."
HANDOFF_LATER = "The draft waits for your answer: baton handoff {conversation} --confirm {draft}"
HANDOFF_STAYED = "Cancelled. The session continues as it was."
HANDOFF_STARTED = "The conversation continues in a fresh session: baton resume {conversation}"
EXCLUDE = "{one} and {other} exclude each other. Give one of them."

# handoff --to
NOT_TO_TERMINAL = "--to terminal is not allowed: `baton resume` brings a conversation back."
MOVE_STEP = "→ {step} ({seconds:.2f} s)"
MOVED = "This conversation now lives in {place}. Back here any time:\n  baton resume {conversation}"
MOVE_WAITS = "Still on its way to {place} after {seconds:.0f} s ({step}). It continues without you."
MOVE_SLOW = (
    "Still on its way to {place} after {seconds:.0f} s ({step}). It is slow, not failed, and continues without you."
)
MOVE_LATER = "  baton transfers show {id}      how far it is\n  baton transfers cancel {id}    stop it"
MOVE_CONTINUES = "The transfer continues without you."
KEEP_WAITING = "Keep waiting?"

# transfers
NO_TRANSFERS = (
    "No transfers yet. To move a conversation: baton handoff --to telegram, or /handoff telegram in the chat."
)
TRANSFER = "{state}, to {target}"
SHOW_ID = "transfer     {id}"
SHOW_CONVERSATION = "conversation {title} ({id})"
SHOW_WAY = "way          {origin} → {target}"
SHOW_STATE = "state        {state} · {step} · {attempts}"
SHOW_ERROR = "error        {error}"
SHOW_REQUESTED = "requested    {at}"
SHOW_CHANGED = "changed      {at}"
RETRY = "try again    baton transfers retry {id}"
LIST_TRANSFERS = "`baton transfers list` shows those there are."
STOP_ASKED = "Asked the gateway to stop it; `baton transfers show {id}` says what became of it."
MOVE_CANCELLED = "Cancelled. The conversation is where it was; nothing was lost."
ASKED_AGAIN = "Asked for again as {id}: baton transfers show {id}"
NOT_FAILED = "Transfer {id} is {state}. Only one that failed can be asked for again."

# gateway status
NO_GATEWAY_RUNS = "No gateway is running. Start one with: baton gateway"
GATEWAY = "On {host} (process {pid}), started {began}"
GATEWAY_SILENT = "On {host} (process {pid}), started {began}, silent for {seconds} s"
NO_PLATFORM = "  no messaging platform is configured: baton doctor"
CONNECTED_AS = "{state} as {name}"
HOME = "home {place}"
NO_HOME = "no home channel: baton pair {platform}"
SINCE_THEN = "  since then: {figures}"
NOTHING_YET = "  since then: no messages yet"
FIGURES = {
    "handled": "{count:,} answered",
    "dropped": "{count:,} not for us",
    "refused": "{count:,} not delivered",
    "transfers_completed": "{count:,} conversations moved",
    "transfers_failed": "{count:,} not moved",
}
FIGURE = "{count:,} {name}"

# pair
PAIR_FIRST = "first: baton pair {platform}"
CODE_SEND = "Send this code to {name} on {platform}, in a direct message, within {minutes} minutes:\n\n    {code}\n"
THE_BOT = "the bot"
CODE_WAITING = "Waiting for it. Ctrl-C leaves; the code stays valid."
PERSON = "{name} ({identity})"
PAIRED = "Paired: {who} is the owner."
PAIRED_HOME = (
    "Paired: {who} is the owner. Home channel: {place}.\n"
    "Move a conversation there with /handoff {platform}, or: baton handoff --to {platform}"
)
PAIRED_GUEST = "Paired: {who} is a guest, and may talk wherever a conversation of yours is."
CODE_ENDED = {
    "": "The code was not used in time. Run it again for a new one.",
    "guessed": "Too many people sent wrong codes, so this one is no longer valid. Run it again for a new one.",
    "shown": (
        "The code was sent where others could read it, so it is no longer valid. "
        "Run it again, and send the new one in a direct message, with nobody else in the room."
    ),
}
GUESS = "One stranger sent wrong codes and will not be listened to; yours stays valid."
GUESSES = "{count} strangers sent wrong codes and will not be listened to; yours stays valid."
NOT_SET = "{platform} is not set up here, and no running gateway is connected to it. First: {line}, then: baton gateway"
NO_GATEWAY = "No gateway is running; the code works once one is connected to {platform}: baton gateway"
NOT_HOSTED = (
    "The gateway that is running does not host {platform}; the code works once one does. `baton doctor` says what is "
    "missing."
)
NOT_CONNECTED = "The gateway is not connected to {platform} ({reason}); the code works once it is."

# people
NOBODY = "Nobody is paired yet. To pair yourself: baton pair telegram"
LIST_PEOPLE = "`baton people` lists those who were paired."
FORGOTTEN = "{who} is a stranger again."
