"""A Bot API server for tests: strict, stateful, and able to misbehave."""
