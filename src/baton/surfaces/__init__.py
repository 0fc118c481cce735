"""Where people meet Baton."""
