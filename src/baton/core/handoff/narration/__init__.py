"""The narrative: what the model writes into a packet, read, and checked against the record."""
