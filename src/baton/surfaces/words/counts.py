"""Numbers of things: the text for one of them, and that for any other number."""

from __future__ import annotations

ATTEMPTS = ("1 attempt", "{count:,} attempts")
CHECKPOINTS = ("1 checkpoint", "{count:,} checkpoints")
COMPRESSIONS = ("1 compression", "{count:,} compressions")
CONVERSATIONS = ("1 conversation", "{count:,} conversations")
ENTRIES = ("1 entry", "{count:,} entries")
ERRORS = ("1 error", "{count:,} errors")
FILES = ("1 file", "{count:,} files")
HANDOFFS = ("1 handoff", "{count:,} handoffs")
LINES = ("1 line", "{count:,} lines")
SESSIONS = ("1 session", "{count:,} sessions")
WARNINGS = ("1 warning", "{count:,} warnings")
