"""What people on a platform read that no model wrote. Markdown, short: most of it is read on a phone."""

from __future__ import annotations

# answers
ANSWERED = {"yes": "✓ Allowed.", "always": "✓ Allowed, now and whenever it is exactly this.", "no": "✗ Refused."}
LAPSED = "◆ No longer open."
NO_QUESTION = "That question is no longer open."
ONLY_OWNER = "Only the owner can do that."
KEPT = "{how} The process that asked has ended; your answer counts if the work asks exactly this again."

# compressions and handoffs
COMPRESSING = "◆ The context is nearly full. Compressing it…"
LOSSY = "◆ Compressed without a summary. Everything is still in the transcript."
HANDED_OFF = "◆ {because}. The conversation continues in a fresh session. Packet: `{path}` ({tokens:,} tokens)."
HANDED_OFF_UNEXPLAINED = "◆ The conversation continues in a fresh session. Packet: `{path}` ({tokens:,} tokens)."
ASKED_FOR = "You asked for it"
WAITS = "Baton waits for your answer"
OFFERED = "◆ {because}. A packet for a fresh session is ready: `{path}` ({tokens:,} tokens).\n\nContinue there?"
OFFERED_IN_DOUBT = (
    "◆ {because}. A packet for a fresh session is ready: `{path}` ({tokens:,} tokens).\n{doubt}\n\nContinue there?"
)
START, CANCEL = "Start the fresh session", "Stay here"
STARTED = "◆ Continued in a fresh session."
STAYED = "◆ Cancelled. The session continues as it was."
CLOSED = {
    "confirmed": "That packet is no longer open: it was used, and the conversation continues from it.",
    "cancelled": "That packet is no longer open: it was cancelled.",
    "stale": "That packet is no longer open: the conversation has continued since. `/handoff` makes a new one.",
}
OF_ANOTHER = "That packet belongs to another conversation. `/resume {id}` brings it here."
PACKET = "The packet is `{path}`."

# commands
NO_COMMAND_HERE = "/{name} works in the terminal. Here: {names}."
NOBODY_HERE = (
    "There is no conversation here yet: write something to begin one, or `/resume` an earlier one.\n"
    "Model: {model}. Workspace: `{workspace}`."
)
NO_CONVERSATION = "There is no conversation here yet: write something first, or /resume an earlier one."
CHOOSE = "`/resume` with a title or an id brings one here."
SPEAKS_HERE = " ← here"
LISTED = "`/sessions` lists what there is."
NEW = "A new conversation begins with your next message."
RESUMED = "◆ Resumed: {title}."
RESUMED_SAID = "◆ Resumed: {title}. Last said: {text}"
HOME_SET = "This is now the home channel of {platform}."
HOME_FIXED = "The configuration sets the home channel of {platform}; change it there (gateway.home)."
MOVING = "→ Moving to {target}…"
TO_TERMINAL = "→ Back to the terminal: `baton resume {conversation}`"
EDITED_COMMAND = "◆ That was edited, and commands are not run again for it. Send it as a new message."

# messages
BROKEN = "⚠ Something went wrong here ({kind}). The gateway's log says more."
QUEUED = "◆ Kept for later: a question above waits for its answer first."
HELD = "⚠ {where} is at work on this conversation. Say it again when that has ended."
HELD_WAITS = "◆ {where} is at work on this conversation. Your message waits until that has ended."
REPEATED = "I was interrupted while doing `{text}` and cannot tell whether it was done. Say it again if it was not."
TOO_LONG = "That message is too long ({size:,} characters; at most {limit:,}). Send it as a file."
UNREADABLE = "◆ I cannot read {what}. Say it in words, or send a file."
ODD = {"sticker": "stickers", "contact": "contacts", "poll": "polls", "order": "orders"}
ODD_OTHERS = "messages of this kind"
CORRECTION = "I corrected my message “{before}”. It now says:\n{text}"
SAID_BY = "{name} ({sender}) says:\n{text}"
NOT_SENT = "◆ {count} replies grew too old to send while Baton was away. They are kept: `baton sessions show {id}`."
NOT_SENT_ONE = "◆ 1 reply grew too old to send while Baton was away. It is kept: `baton sessions show {id}`."

# files
NOT_SHOWN = "⚠ `{name}` is not shown: it has changed since, or is gone."
FILE_KEPT = "[file: {path}]"
FILE_LOST = "[file {name} could not be fetched: {reason}]"
FILE_TOO_LARGE = "it is larger than {limit:,} bytes"
FILE_UNKEPT = "it cannot be kept"
FOLDER_IS_LINK = "the folder for files is a link"
FILES_LEFT = "[{count} more files were left out; at most {limit} are taken at once]"
FILE_LEFT = "[1 more file was left out; at most {limit} are taken at once]"

# people
PAIRED = {
    "owner": "Paired: you are the owner here. Write anything to begin, or /help.",
    "guest": "Paired: you are a guest here. You can talk in the threads you are invited to.",
}
UNHEARD = (
    "Somebody wrote in the home channel of {name} and was not heard: nobody is known as you there. Run `baton pair "
    "{platform}`, or name yourself in gateway.owners."
)
NOT_STORED = "A message from {platform} cannot be stored and was left out: {code}"

# restarts
CUT_OFF = "◆ Baton was restarted in the middle of this answer; it continues below."
INTERRUPTED = "◆ Baton was restarted. {text} Say `continue` when you want me to go on."
TOO_OFTEN = "◆ This was interrupted {count} times in a row. Say `continue` when you want me to try again."
STATE_FAILED = "failed: {kind}"
