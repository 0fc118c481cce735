"""The ledger: facts of a conversation, taken by program and merged by id from packet to packet."""
