"""Transfers as they happen: where a conversation can go, and the carrier that takes it there."""
