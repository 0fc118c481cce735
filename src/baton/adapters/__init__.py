"""Outside systems, each behind a port."""
