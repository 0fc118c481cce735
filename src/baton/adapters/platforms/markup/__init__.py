"""Markdown as each platform wants it: one parse, several outputs."""
