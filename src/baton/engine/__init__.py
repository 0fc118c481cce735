"""Use cases: they know ports and core, never an adapter."""
