"""Codex CLI: a rollout of JSON lines per thread."""

from __future__ import annotations

from baton.adapters.importers.codex.reader import Codex

__all__ = ["Codex"]
