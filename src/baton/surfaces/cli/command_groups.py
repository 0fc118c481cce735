"""The commands that stand in groups, such as `baton sessions list`: one entry each."""

from __future__ import annotations

from baton.surfaces.cli.entry import CHECKPOINT, DRY_RUN, JSON, TRANSFER, Argument, Entry, conversation

_SESSIONS = {
    "list": Entry(
        "List conversations, newest first",
        "sessions:list_",
        Argument("--limit", "-n", type=int, default=50, metavar="N", help="at most N (default 50)"),
        Argument("--all", "-a", action="store_true", help="all of them"),
        Argument("--here", action="store_true", help="only those of the current directory"),
        Argument("--workspace", "-w", metavar="DIR", help="only those of a directory"),
        JSON,
        examples=("baton sessions list --here", "baton sessions list --all --json | jq -r '.[].title'"),
    ),
    "show": Entry(
        "Show a conversation: its sessions and what was said last; or one entry in full",
        "show:show",
        conversation(),
        Argument(
            "at", nargs="?", metavar="POINTER", help="one entry: '#23' of the newest session, 'g4#23' of the fourth"
        ),
        Argument(
            "--around", type=int, default=0, metavar="N", help="with a pointer: N entries before and after it too"
        ),
        Argument("--entries", "-n", type=int, default=10, metavar="N", help="the last N entries (default 10)"),
        Argument("--all", "-a", action="store_true", help="every entry of every session"),
        JSON,
        examples=(
            'baton sessions show "fix the checkout race"',
            "baton sessions show c_7k3m --all | less",
            "baton sessions show c_7k3m 'g4#23' --around 2",
        ),
    ),
    "search": Entry(
        "Search everything ever said",
        "sessions:search",
        Argument("query", nargs="+", metavar="WORD", help='words, "phrases" or beginnings* that must all be found'),
        Argument("--limit", "-n", type=int, default=20, metavar="N", help="at most N (default 20)"),
        JSON,
        examples=("baton sessions search checkout race", "baton sessions search '\"dead lock\" retry*'"),
    ),
    "tree": Entry(
        "Draw the lineage of conversations",
        "show:tree",
        conversation(nargs="?"),
        JSON,
        examples=("baton sessions tree", 'baton sessions tree "fix the checkout race"'),
    ),
    "rename": Entry(
        "Give a conversation another title",
        "sessions:rename",
        conversation(),
        Argument("title", metavar="TITLE"),
        JSON,
        examples=('baton sessions rename c_7k3m "fix the checkout race"',),
    ),
    "export": Entry(
        "Write conversations as JSON lines",
        "archive:export",
        conversation(nargs="*"),
        Argument("--all", "-a", action="store_true", help="every conversation"),
        Argument("--to", "-t", metavar="FILE", help="a new file (0600) instead of standard output"),
        Argument("--force", action="store_true", help="replace FILE if it exists"),
        JSON,
        examples=(
            'baton sessions export "fix the checkout race" > race.jsonl',
            "baton sessions export --all --to all.jsonl",
        ),
    ),
    "import": Entry(
        "Read conversations from an export",
        "archive:import_",
        Argument("file", metavar="FILE", help="an export, or - for standard input"),
        JSON,
        examples=(
            "baton sessions import race.jsonl",
            "ssh desk baton sessions export --all | baton sessions import -",
        ),
    ),
    "prune": Entry(
        "Remove old conversations for good",
        "sessions:prune",
        Argument(
            "--older-than",
            metavar="AGE",
            help="not touched for this long, such as 90d, 12w, 36h (default: sessions.retention_days)",
        ),
        DRY_RUN,
        Argument("--yes", "-y", action="store_true", help="do not ask"),
        JSON,
        examples=("baton sessions prune --older-than 90d --dry-run", "baton sessions prune --older-than 1y --yes"),
    ),
    "backup": Entry(
        "Copy the whole store, while it is in use",
        "archive:backup",
        Argument("file", nargs="?", metavar="FILE", help="where to (default: below BATON_HOME/backups)"),
        JSON,
        examples=("baton sessions backup", "baton sessions backup /mnt/usb/baton.db"),
    ),
}
_CHECKPOINT = {
    "list": Entry(
        "List checkpoints, newest first",
        "checkpoint:list_",
        Argument("--limit", "-n", type=int, default=50, metavar="N", help="at most N (default 50)"),
        JSON,
        examples=("baton checkpoint list", "baton checkpoint list --json | jq -r '.[0].name'"),
    ),
    "show": Entry(
        "Show what a checkpoint holds, and what was left out",
        "checkpoint:show",
        CHECKPOINT,
        JSON,
        examples=("baton checkpoint show 20260527_123456_abcdef/1", "baton checkpoint show 4f2c91a"),
    ),
    "restore": Entry(
        "Bring files back; what is there now is kept first",
        "checkpoint:restore",
        CHECKPOINT,
        Argument("--force", action="store_true", help="also in the middle of a rebase or merge"),
        JSON,
        examples=(
            "baton checkpoint restore 20260527_123456_abcdef/1",
            "baton checkpoint restore 20260527_123456_abcdef",
        ),
    ),
    "prune": Entry(
        "Remove old checkpoints of this work tree",
        "checkpoint:prune",
        Argument(
            "--keep",
            type=int,
            metavar="N",
            help="keep the newest N of each conversation, 0 for no limit (default: checkpoint.keep)",
        ),
        DRY_RUN,
        JSON,
        examples=(
            "baton checkpoint prune --dry-run",
            "baton checkpoint prune --keep 10",
            "baton checkpoint prune --json | jq -r '.removed[]'",
        ),
    ),
}
_TRANSFERS = {
    "list": Entry(
        "List transfers, newest first",
        "transfers:list_",
        conversation(nargs="?"),
        Argument("--limit", type=int, default=50, metavar="N", help="at most so many (50)"),
        JSON,
        examples=("baton transfers list", 'baton transfers list "fix the checkout race" --json'),
    ),
    "show": Entry("Show one transfer and its journal", "transfers:show", TRANSFER, JSON),
    "retry": Entry("Ask for a failed transfer again", "transfers:retry", TRANSFER, JSON),
    "cancel": Entry("Stop a transfer that is on its way", "transfers:cancel", TRANSFER, JSON),
}
_MODEL = {
    "pull": Entry(
        "Pull a model now",
        "models:pull",
        Argument("name", nargs="?", default="qwen2.5-coder-1.5b", metavar="NAME"),
        JSON,
        examples=("baton model pull", "baton model pull smollm2-135m"),
    ),
    "list": Entry("List models and whether they are here", "models:list_", JSON),
    "remove": Entry("Remove a model", "models:remove", Argument("name", metavar="NAME"), JSON),
}
_KEY = Argument("key", metavar="KEY", help="as in `baton config show`")
_CONFIG = {
    "show": Entry(
        "Show every value and where it came from",
        "config:show",
        Argument("key", nargs="?", metavar="KEY", help="one key, or the beginning of several"),
        JSON,
        examples=("baton config show", "baton config show agent", "baton config show --json"),
    ),
    "get": Entry(
        "Print the value that holds for a key",
        "config:get",
        _KEY,
        JSON,
        examples=("baton config get model", "baton config get gateway --json"),
    ),
    "set": Entry(
        "Set a key in your own file; comments and order in it stay",
        "config:set_",
        _KEY,
        Argument("value", metavar="VALUE", help="as after --set: lists with commas between their parts"),
        examples=("baton config set model anthropic:claude-sonnet-5-5", "baton config set ui.color never"),
    ),
    "unset": Entry(
        "Take a key out of your own file, so that the default holds again",
        "config:unset",
        _KEY,
        examples=("baton config unset model",),
    ),
    "edit": Entry(
        "Open your own file in $EDITOR; it is checked before it is kept",
        "config:edit",
        examples=("baton config edit", "VISUAL=nano baton config edit"),
    ),
    "check": Entry("Check the configuration files", "config:check", JSON),
    "schema": Entry(
        "Print the JSON schema, for editors", "config:schema", examples=("baton config schema > baton.schema.json",)
    ),
}

GROUPS = {
    "sessions": ("List, read, search, move and clean up conversations", _SESSIONS),
    "checkpoint": ("List, read, restore and prune what was kept of this directory's files", _CHECKPOINT),
    "transfers": ("Follow conversations on their way to other places", _TRANSFERS),
    "model": ("Pull, list and remove the models that run inside Baton", _MODEL),
    "config": ("Show, change and check the configuration", _CONFIG),
}
