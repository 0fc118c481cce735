"""A seeded synthetic corpus: long working sessions with planted facts and secrets, in several formats."""
