"""A Signal for tests: crabline's emulation of the signal-cli daemon, and in front of it what that lacks."""
