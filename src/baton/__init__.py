"""Baton: agent work that survives the end of any context window, process, device or tool."""

__version__ = "0.1.0"
