"""People on messaging platforms: what they write becomes turns and commands, what happens becomes messages."""
