"""Readers of other agents' transcripts, and of Baton's own exports: one module each."""
