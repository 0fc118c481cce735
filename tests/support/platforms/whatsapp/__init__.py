"""A WhatsApp for tests: crabline's emulation of the Graph API, and in front of it media, buttons, webhook and rules."""
