"""Handoffs as they happen: a packet is written, checked and confirmed, and the workspace is compared with it."""
