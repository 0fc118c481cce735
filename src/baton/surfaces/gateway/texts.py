"""What people on a platform read that no model wrote. Markdown, short: most of it is read on a phone."""

from __future__ import annotations

ANSWERED = {"yes": "✓ Allowed.", "always": "✓ Allowed, and always for exactly this here.", "no": "✗ Refused."}
LAPSED = "◆ No longer open."
NO_QUESTION = "That question is no longer open."
ONLY_OWNER = "Only the owner can do that."

COMPRESSING = "◆ The context is full; compressing it…"
LOSSY = "◆ Compressed with losses: the middle could not be summarised. The whole transcript is kept."
HANDED_OFF = "◆ {because}. Continues in a fresh session. Packet: `{path}` ({tokens:,} tokens)."
WAITS = "Your answer is waited for"
KEPT = "{how} The process that asked has ended; your answer counts if the work asks exactly this again."
OFFERED = "◆ {because}. A packet for a fresh session is ready: `{path}` ({tokens:,} tokens).{doubt}\n\nContinue there?"
START, CANCEL = "Start the fresh session", "Stay here"
STARTED = "◆ Continued in a fresh session."
STAYED = "◆ Cancelled. The session continues as it was."
CLOSED = {
    "confirmed": "That packet is no longer open: it was used, and the conversation continues from it.",
    "cancelled": "That packet is no longer open: it was cancelled.",
    "stale": "That packet is no longer open: the conversation has continued since. `/handoff` makes a new one.",
}
OF_ANOTHER = "That packet is of another conversation. `/resume {id}` brings it here."

NO_COMMAND_HERE = "/{name} works in the terminal. Here: {names}."
BROKEN = "⚠ Something went wrong here ({kind}). The gateway's log says more."
QUEUED = "◆ Kept for later: a question above waits for its answer first."
HELD = "⚠ {where} is at work on this conversation. Say it again when that has ended."
HELD_WAITS = "◆ {where} is at work on this conversation. Your message waits until that has ended."
NOBODY_HERE = (
    "No conversation speaks here yet: write something to begin one, or `/resume` one.\n"
    "Model: {model}. Workspace: `{workspace}`."
)
CHOOSE = "`/resume` with a title or an id brings one here."
SPEAKS_HERE = " ← here"
LISTED = "`/sessions` lists what there is."
NEW = "A new conversation begins with your next message."
RESUMED = "◆ Resumed: {title}. {said}"
LAST_SAID = "Last said: {text}"
HOME_SET = "This is now the home channel of {platform}."
HOME_FIXED = "The configuration sets the home channel of {platform}; change it there (gateway.home)."
REPEATED = "I was interrupted while doing `{text}` and cannot tell whether it was done. Say it again if it was not."
UNHEARD = (
    "Somebody wrote in the home channel of {name} and was not heard: nobody is known as you there. Run `baton pair "
    "{platform}`, or name yourself in gateway.owners."
)
PAIRED = "Paired: you are the {role} here. {more}"
PAIRED_OWNER = "Write anything to begin, or /help."
PAIRED_GUEST = "You can talk in the threads you are invited to."
MOVING = "→ Moving to {target}…"
TO_TERMINAL = "→ Back to the terminal: `baton resume {conversation}`"
NOT_SENT = "◆ {count} replies grew too old to send while Baton was away. They are kept: `baton sessions show {id}`."
TOO_LONG = "That message is too long ({size:,} characters; at most {limit:,}). Send it as a file."
UNREADABLE = "◆ I cannot read {what}. Say it in words, or send a file."
ODD = {"sticker": "stickers", "contact": "contacts", "poll": "polls", "order": "orders"}
ODD_OTHERS = "messages of this kind"
EDITED_COMMAND = "◆ That was edited, and commands are not run again for it. Send it as a new message."
CORRECTION = "I corrected my message “{before}”. It now says:\n{text}"
NOT_SHOWN = "⚠ `{name}` is not shown: it has changed since, or is gone."
FILE_KEPT = "[file: {path}]"
FILE_LOST = "[file {name} could not be fetched: {reason}]"
FILE_TOO_LARGE = "it is larger than {limit:,} bytes"
FILES_LEFT = "[{count} more files were left out; at most {limit} are taken at once]"
SAID_BY = "{name} ({sender}) says:\n{text}"
CUT_OFF = "◆ Baton was restarted in the middle of this answer; it continues below."
INTERRUPTED = "◆ Baton was restarted. {text}"
SAY_GO_ON = "Say `continue` when I should."
TOO_OFTEN = "◆ This was interrupted {count} times in a row; I wait for your word."
