"""The store port over any database that speaks the shared queries."""
