"""Matrix, by a client of its own account: `/sync` in, transactions out, encrypted where the room is."""
