"""The agent's own vocabulary: messages, tokens, approvals and the events of a turn."""
