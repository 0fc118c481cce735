"""SQLite: one file, write-ahead log, one writer at a time in fair order."""
