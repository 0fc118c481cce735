"""Transfers: places where a conversation can be spoken to, the mail to and from them, and who is heard there."""
