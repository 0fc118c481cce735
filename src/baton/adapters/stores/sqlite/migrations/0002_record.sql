-- Small facts that all processes share.
CREATE TABLE record (
  key        TEXT PRIMARY KEY NOT NULL,
  body       TEXT NOT NULL,
  version    INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
