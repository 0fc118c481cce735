"""The help of commands that stand in groups: `baton sessions list --help`."""

from __future__ import annotations

# the groups
SESSIONS = "List, read, search, move and clean up conversations"
CHECKPOINT = "List, read, restore and prune what was kept of this directory's files"
TRANSFERS = "Follow conversations on their way to other places"
MODEL = "Pull, list and remove the models that run inside Baton"
CONFIG = "Show, change and check the configuration"
CONFIG_KEY = "as in `baton config show`"

# sessions list
SESSIONS_LIST = "List conversations, newest first"
SESSIONS_LIST_LIMIT = "at most N (default 50)"
SESSIONS_LIST_ALL = "all of them"
SESSIONS_LIST_HERE = "only those of the current directory"
SESSIONS_LIST_WORKSPACE = "only those of a directory"
SESSIONS_LIST_EXAMPLES = ("baton sessions list --here", "baton sessions list --all --json | jq -r '.[].title'")

# sessions show
SESSIONS_SHOW = "Show a conversation: its sessions and what was said last; or one entry in full"
SESSIONS_SHOW_AT = "one entry: '#23' of the newest session, 'g4#23' of the fourth"
SESSIONS_SHOW_AROUND = "with a pointer: also N entries before and after it"
SESSIONS_SHOW_ENTRIES = "the last N entries (default 10)"
SESSIONS_SHOW_ALL = "every entry of every session"
SESSIONS_SHOW_EXAMPLES = (
    'baton sessions show "fix the checkout race"',
    "baton sessions show c_7k3m --all | less",
    "baton sessions show c_7k3m 'g4#23' --around 2",
)

# sessions search
SESSIONS_SEARCH = "Search everything ever said"
SESSIONS_SEARCH_QUERY = 'words, "phrases" or beginnings* that must all be found'
SESSIONS_SEARCH_LIMIT = "at most N (default 20)"
SESSIONS_SEARCH_EXAMPLES = ("baton sessions search checkout race", "baton sessions search '\"dead lock\" retry*'")

# sessions tree
SESSIONS_TREE = "Draw the lineage of conversations"
SESSIONS_TREE_EXAMPLES = ("baton sessions tree", 'baton sessions tree "fix the checkout race"')

# sessions rename
SESSIONS_RENAME = "Give a conversation another title"
SESSIONS_RENAME_EXAMPLES = ('baton sessions rename c_7k3m "fix the checkout race"',)

# sessions export
SESSIONS_EXPORT = "Write conversations as JSON lines"
SESSIONS_EXPORT_ALL = "every conversation"
SESSIONS_EXPORT_TO = "a new file (0600) instead of standard output"
SESSIONS_EXPORT_FORCE = "replace FILE if it exists"
SESSIONS_EXPORT_EXAMPLES = (
    'baton sessions export "fix the checkout race" > race.jsonl',
    "baton sessions export --all --to all.jsonl",
)

# sessions import
SESSIONS_IMPORT = "Read conversations from an export"
SESSIONS_IMPORT_FILE = "an export, or - for standard input"
SESSIONS_IMPORT_EXAMPLES = (
    "baton sessions import race.jsonl",
    "ssh desk baton sessions export --all | baton sessions import -",
)

# sessions prune
SESSIONS_PRUNE = "Remove old conversations for good"
SESSIONS_PRUNE_OLDER_THAN = "not touched for this long, such as 90d, 12w, 36h (default: sessions.retention_days)"
SESSIONS_PRUNE_YES = "do not ask"
SESSIONS_PRUNE_EXAMPLES = (
    "baton sessions prune --older-than 90d --dry-run",
    "baton sessions prune --older-than 1y --yes",
)

# sessions backup
SESSIONS_BACKUP = "Copy the whole store, while it is in use"
SESSIONS_BACKUP_FILE = "where to (default: below BATON_HOME/backups)"
SESSIONS_BACKUP_EXAMPLES = ("baton sessions backup", "baton sessions backup /mnt/usb/baton.db")

# checkpoint list
CHECKPOINT_LIST = "List checkpoints, newest first"
CHECKPOINT_LIST_LIMIT = "at most N (default 50)"
CHECKPOINT_LIST_EXAMPLES = ("baton checkpoint list", "baton checkpoint list --json | jq -r '.[0].name'")

# checkpoint show
CHECKPOINT_SHOW = "Show what a checkpoint holds, and what was left out"
CHECKPOINT_SHOW_EXAMPLES = ("baton checkpoint show 20260527_123456_abcdef/1", "baton checkpoint show 4f2c91a")

# checkpoint restore
CHECKPOINT_RESTORE = "Bring files back; what is there now is kept first"
CHECKPOINT_RESTORE_FORCE = "even in the middle of a rebase or merge"
CHECKPOINT_RESTORE_EXAMPLES = (
    "baton checkpoint restore 20260527_123456_abcdef/1",
    "baton checkpoint restore 20260527_123456_abcdef",
)

# checkpoint prune
CHECKPOINT_PRUNE = "Remove old checkpoints of this work tree"
CHECKPOINT_PRUNE_KEEP = "keep the newest N of each conversation, 0 for no limit (default: checkpoint.keep)"
CHECKPOINT_PRUNE_EXAMPLES = (
    "baton checkpoint prune --dry-run",
    "baton checkpoint prune --keep 10",
    "baton checkpoint prune --json | jq -r '.removed[]'",
)

# transfers list
TRANSFERS_LIST = "List transfers, newest first"
TRANSFERS_LIST_LIMIT = "at most N (default 50)"
TRANSFERS_LIST_EXAMPLES = ("baton transfers list", 'baton transfers list "fix the checkout race" --json')

# transfers show
TRANSFERS_SHOW = "Show one transfer and its journal"

# transfers retry
TRANSFERS_RETRY = "Ask for a failed transfer again"

# transfers cancel
TRANSFERS_CANCEL = "Stop a transfer that is on its way"

# model pull
MODEL_PULL = "Pull a model now"
MODEL_PULL_EXAMPLES = ("baton model pull", "baton model pull smollm2-135m")

# model list
MODEL_LIST = "List the models that run inside Baton, and whether they are here"

# model remove
MODEL_REMOVE = "Remove a model"

# config show
CONFIG_SHOW = "Show every value and where it came from"
CONFIG_SHOW_KEY = "one key, or the beginning of several"
CONFIG_SHOW_EXAMPLES = ("baton config show", "baton config show agent", "baton config show --json")

# config get
CONFIG_GET = "Print the value that holds for a key"
CONFIG_GET_EXAMPLES = ("baton config get model", "baton config get gateway --json")

# config set
CONFIG_SET = "Set a key in your own file; comments and order in it stay"
CONFIG_SET_VALUE = "as after --set: lists with commas between their parts"
CONFIG_SET_EXAMPLES = ("baton config set model anthropic:claude-sonnet-5-5", "baton config set ui.color never")

# config unset
CONFIG_UNSET = "Take a key out of your own file, so that the default holds again"
CONFIG_UNSET_EXAMPLES = ("baton config unset model",)

# config edit
CONFIG_EDIT = "Open your own file in $EDITOR; it is checked before it is kept"
CONFIG_EDIT_EXAMPLES = ("baton config edit", "VISUAL=nano baton config edit")

# config check
CONFIG_CHECK = "Check the configuration files"

# config schema
CONFIG_SCHEMA = "Print the JSON schema, for editors"
CONFIG_SCHEMA_EXAMPLES = ("baton config schema > baton.schema.json",)
