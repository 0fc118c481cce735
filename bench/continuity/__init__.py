"""The continuity benchmark: what of a conversation is still known after n handoffs."""
