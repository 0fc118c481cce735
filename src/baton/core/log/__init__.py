"""The log: what entries, sessions and conversations are, and everything that is read off them."""
