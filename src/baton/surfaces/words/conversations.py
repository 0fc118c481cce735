"""What commands say of conversations: `baton sessions`, `baton watch`, `baton pin`, and `baton` without a terminal."""

from __future__ import annotations

# without a terminal
HOME_PROGRAM = "Baton {version}"
HOME = "{program} · {directory} · {conversations} in {store}"
HOME_NONE_YET = "No conversations yet. `baton --help` shows what Baton can do."
HOME_NEXT = "baton sessions show TITLE · baton sessions search WORD · baton --help"
NO_TERMINAL = 'There is no terminal to chat in. `baton run "…"` is for scripts.'
DUMB_TERMINAL = 'TERM={term} cannot show the chat. Set TERM to what your terminal is, or use `baton run "…"`.'
UNSET = "(unset)"

# list and search
NONE_YET = "No conversations yet."
NONE_HERE = "No conversations in {workspace}."
NOTHING_FOUND = "Nothing found."
INDEXING = "Indexing"
LIMIT = "--limit {limit} is not allowed. Allowed: 1 or more."
LIMIT_OR_ALL = "--limit {limit} is not allowed. Allowed: 1 or more, or --all."
ENTRIES = "{count:>6} entries"

# prune
NO_AGE = "Say how old: --older-than 90d. Allowed: a number with h, d, w or y. (Or set sessions.retention_days.)"
NOTHING_OLD = "Nothing is that old."
WOULD_BE_REMOVED = "{conversations} would be removed. Nothing was changed."
PRUNE_SURE = "Remove {conversations} for good?"
PRUNING = "Pruning"
NOTHING_REMOVED = "Nothing was removed."
REMOVED = "{conversations} removed."
STILL_USED = "{count:,} conversations kept, because they were used again in the meantime."
STILL_USED_ONE = "1 conversation kept, because it was used again in the meantime."

# show
WORKSPACE = "workspace"
LAST_USED = "last used"
AT_WORK = "at work"
HEARD_IN = "heard in"
PACKET = "packet waits"
PACKET_WAITS = "for your answer: baton handoff {id} --confirm {draft}"
WENT = "moved"
MOVED = "to {place}: {state}"
MOVED_FAILED = "to {place}: {state} ({error})"
ALTOGETHER = "since the beginning: {counts}"
EARLIER = "… {hidden} earlier: --all shows them"
TOKENS = "{count} tokens"
LOSSY = "{compressions}, {lossy:,} without a summary"
FAILED = "{count:,} failed"
TIMED_OUT = "{count:,} timed out"
AROUND_WHAT = "--around needs a pointer to an entry, such as '#23'."
AROUND = "--around {around} is not allowed. Allowed: 0 to {most}."

# export, import, backup
EXPORT_NOTHING = "Name the conversations to export, or give --all."
EXPORTED = "{conversations} written to {path} ({size})."
STANDARD_INPUT = "standard input"
UNREADABLE = "{path} cannot be read: {reason}."
IMPORT_NO_FILE = "{path} is no regular file. What a command writes is imported with: COMMAND | baton sessions import -"
IMPORTED = "{added} imported, {known} known before."
IMPORTED_RULE = (
    "1 pinned rule came with {title}, and will hold there as if you had pinned it. Look at it and drop it: "
    "baton pins {id}"
)
IMPORTED_RULES = (
    "{count:,} pinned rules came with {title}, and will hold there as if you had pinned them. Look at them and drop "
    "them: baton pins {id}"
)
BACKED_UP = "Backup written to {path} ({size})."

# watch
WATCH_LIVES = "“{title}” lives in {place}. To bring it here: baton resume {id}"
THE_TERMINAL = "the terminal"
WATCHING = "Watching what is said there. Ctrl-C leaves, and changes nothing."
WATCH_STOPPED = "◆ Stopped."
WATCH_WAITS = "◆ It waits for an answer."

# rules and undo
NO_RULES = "No rules yet: `baton pin TEXT` pins one for good."
RULES_HINT = "`baton unpin N` drops one."
PIN_NOTHING = "There is nothing to pin. Give the rule: baton pin TEXT"
PIN_NO_TEXT = "{name} is a conversation. Give the rule too: baton pin {name} TEXT"
NO_TURNS = "`baton undo` runs no turn"
