"""Handoffs: when a conversation continues in a fresh session, and the packet it continues from."""
