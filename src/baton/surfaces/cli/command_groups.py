"""The commands that stand in groups, such as `baton sessions list`: one entry each."""

from __future__ import annotations

from baton.surfaces.cli.entry import CHECKPOINT, DRY_RUN, JSON, TRANSFER, Argument, Entry, conversation
from baton.surfaces.words import help_groups as words

_SESSIONS = {
    "list": Entry(
        words.SESSIONS_LIST,
        "sessions:list_",
        Argument("--limit", "-n", type=int, default=50, metavar="N", help=words.SESSIONS_LIST_LIMIT),
        Argument("--all", "-a", action="store_true", help=words.SESSIONS_LIST_ALL),
        Argument("--here", action="store_true", help=words.SESSIONS_LIST_HERE),
        Argument("--workspace", "-w", metavar="DIR", help=words.SESSIONS_LIST_WORKSPACE),
        JSON,
        examples=words.SESSIONS_LIST_EXAMPLES,
    ),
    "show": Entry(
        words.SESSIONS_SHOW,
        "show:show",
        conversation(),
        Argument("at", nargs="?", metavar="POINTER", help=words.SESSIONS_SHOW_AT),
        Argument("--around", type=int, default=0, metavar="N", help=words.SESSIONS_SHOW_AROUND),
        Argument("--entries", "-n", type=int, default=10, metavar="N", help=words.SESSIONS_SHOW_ENTRIES),
        Argument("--all", "-a", action="store_true", help=words.SESSIONS_SHOW_ALL),
        JSON,
        examples=words.SESSIONS_SHOW_EXAMPLES,
    ),
    "search": Entry(
        words.SESSIONS_SEARCH,
        "sessions:search",
        Argument("query", nargs="+", metavar="WORD", help=words.SESSIONS_SEARCH_QUERY),
        Argument("--limit", "-n", type=int, default=20, metavar="N", help=words.SESSIONS_SEARCH_LIMIT),
        JSON,
        examples=words.SESSIONS_SEARCH_EXAMPLES,
    ),
    "tree": Entry(
        words.SESSIONS_TREE,
        "show:tree",
        conversation(nargs="?"),
        JSON,
        examples=words.SESSIONS_TREE_EXAMPLES,
    ),
    "rename": Entry(
        words.SESSIONS_RENAME,
        "sessions:rename",
        conversation(),
        Argument("title", metavar="TITLE"),
        JSON,
        examples=words.SESSIONS_RENAME_EXAMPLES,
    ),
    "export": Entry(
        words.SESSIONS_EXPORT,
        "archive:export",
        conversation(nargs="*"),
        Argument("--all", "-a", action="store_true", help=words.SESSIONS_EXPORT_ALL),
        Argument("--to", "-t", metavar="FILE", help=words.SESSIONS_EXPORT_TO),
        Argument("--force", action="store_true", help=words.SESSIONS_EXPORT_FORCE),
        JSON,
        examples=words.SESSIONS_EXPORT_EXAMPLES,
    ),
    "import": Entry(
        words.SESSIONS_IMPORT,
        "archive:import_",
        Argument("file", metavar="FILE", help=words.SESSIONS_IMPORT_FILE),
        JSON,
        examples=words.SESSIONS_IMPORT_EXAMPLES,
    ),
    "prune": Entry(
        words.SESSIONS_PRUNE,
        "sessions:prune",
        Argument(
            "--older-than",
            metavar="AGE",
            help=words.SESSIONS_PRUNE_OLDER_THAN,
        ),
        DRY_RUN,
        Argument("--yes", "-y", action="store_true", help=words.SESSIONS_PRUNE_YES),
        JSON,
        examples=words.SESSIONS_PRUNE_EXAMPLES,
    ),
    "backup": Entry(
        words.SESSIONS_BACKUP,
        "archive:backup",
        Argument("file", nargs="?", metavar="FILE", help=words.SESSIONS_BACKUP_FILE),
        JSON,
        examples=words.SESSIONS_BACKUP_EXAMPLES,
    ),
}
_CHECKPOINT = {
    "list": Entry(
        words.CHECKPOINT_LIST,
        "checkpoint:list_",
        Argument("--limit", "-n", type=int, default=50, metavar="N", help=words.CHECKPOINT_LIST_LIMIT),
        JSON,
        examples=words.CHECKPOINT_LIST_EXAMPLES,
    ),
    "show": Entry(
        words.CHECKPOINT_SHOW,
        "checkpoint:show",
        CHECKPOINT,
        JSON,
        examples=words.CHECKPOINT_SHOW_EXAMPLES,
    ),
    "restore": Entry(
        words.CHECKPOINT_RESTORE,
        "checkpoint:restore",
        CHECKPOINT,
        Argument("--force", action="store_true", help=words.CHECKPOINT_RESTORE_FORCE),
        JSON,
        examples=words.CHECKPOINT_RESTORE_EXAMPLES,
    ),
    "prune": Entry(
        words.CHECKPOINT_PRUNE,
        "checkpoint:prune",
        Argument(
            "--keep",
            type=int,
            metavar="N",
            help=words.CHECKPOINT_PRUNE_KEEP,
        ),
        DRY_RUN,
        JSON,
        examples=words.CHECKPOINT_PRUNE_EXAMPLES,
    ),
}
_TRANSFERS = {
    "list": Entry(
        words.TRANSFERS_LIST,
        "transfers:list_",
        conversation(nargs="?"),
        Argument("--limit", type=int, default=50, metavar="N", help=words.TRANSFERS_LIST_LIMIT),
        JSON,
        examples=words.TRANSFERS_LIST_EXAMPLES,
    ),
    "show": Entry(words.TRANSFERS_SHOW, "transfers:show", TRANSFER, JSON),
    "retry": Entry(words.TRANSFERS_RETRY, "transfers:retry", TRANSFER, JSON),
    "cancel": Entry(words.TRANSFERS_CANCEL, "transfers:cancel", TRANSFER, JSON),
}
_MODEL = {
    "pull": Entry(
        words.MODEL_PULL,
        "models:pull",
        Argument("name", nargs="?", default="qwen2.5-coder-1.5b", metavar="NAME"),
        JSON,
        examples=words.MODEL_PULL_EXAMPLES,
    ),
    "list": Entry(words.MODEL_LIST, "models:list_", JSON),
    "remove": Entry(words.MODEL_REMOVE, "models:remove", Argument("name", metavar="NAME"), JSON),
}
_KEY = Argument("key", metavar="KEY", help=words.CONFIG_KEY)
_CONFIG = {
    "show": Entry(
        words.CONFIG_SHOW,
        "config:show",
        Argument("key", nargs="?", metavar="KEY", help=words.CONFIG_SHOW_KEY),
        JSON,
        examples=words.CONFIG_SHOW_EXAMPLES,
    ),
    "get": Entry(
        words.CONFIG_GET,
        "config:get",
        _KEY,
        JSON,
        examples=words.CONFIG_GET_EXAMPLES,
    ),
    "set": Entry(
        words.CONFIG_SET,
        "config:set_",
        _KEY,
        Argument("value", metavar="VALUE", help=words.CONFIG_SET_VALUE),
        examples=words.CONFIG_SET_EXAMPLES,
    ),
    "unset": Entry(
        words.CONFIG_UNSET,
        "config:unset",
        _KEY,
        examples=words.CONFIG_UNSET_EXAMPLES,
    ),
    "edit": Entry(
        words.CONFIG_EDIT,
        "config:edit",
        examples=words.CONFIG_EDIT_EXAMPLES,
    ),
    "check": Entry(words.CONFIG_CHECK, "config:check", JSON),
    "schema": Entry(words.CONFIG_SCHEMA, "config:schema", examples=words.CONFIG_SCHEMA_EXAMPLES),
}

GROUPS = {
    "sessions": (words.SESSIONS, _SESSIONS),
    "checkpoint": (words.CHECKPOINT, _CHECKPOINT),
    "transfers": (words.TRANSFERS, _TRANSFERS),
    "model": (words.MODEL, _MODEL),
    "config": (words.CONFIG, _CONFIG),
}
