"""The sentences that teach Baton what rules sound like, and the program that learns from them."""
