"""Protocols that the engine speaks and the adapters implement."""
