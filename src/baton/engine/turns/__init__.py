"""Turns: one conversation's queue, the writer of its log, and every step from an input to the last word."""
