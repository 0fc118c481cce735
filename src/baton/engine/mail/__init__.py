"""Mail between places and conversations: the outbox, its delivery, and the wake-up of whoever waits for work."""
