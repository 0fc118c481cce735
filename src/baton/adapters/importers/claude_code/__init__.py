"""Claude Code: one file of JSON lines per session."""

from __future__ import annotations

from baton.adapters.importers.claude_code.reader import ClaudeCode

__all__ = ["ClaudeCode"]
