"""The gateway's own HTTP API, on this machine only: conversations, turns, handoffs and transfers for programs."""
