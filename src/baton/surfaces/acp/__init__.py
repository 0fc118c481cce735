"""Baton in editors: an agent of the Agent Client Protocol on standard input and output."""
