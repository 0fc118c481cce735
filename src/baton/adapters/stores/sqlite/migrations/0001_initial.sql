-- Times are microseconds since the epoch, UTC; leases are microseconds of the machine's monotonic clock.

CREATE TABLE meta (
  key   TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE conversation (
  id          TEXT PRIMARY KEY,
  title       TEXT NOT NULL,
  title_key   TEXT NOT NULL,
  workspace   TEXT NOT NULL,
  head_id     TEXT NOT NULL,
  version     INTEGER NOT NULL,
  created_at  INTEGER NOT NULL,
  updated_at  INTEGER NOT NULL,
  owner       TEXT,
  epoch       INTEGER NOT NULL,
  lease_until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX conversation_newest ON conversation (updated_at, id);
CREATE INDEX conversation_workspace ON conversation (workspace, updated_at, id);
CREATE INDEX conversation_title ON conversation (title_key);

CREATE TABLE session (
  n               INTEGER PRIMARY KEY AUTOINCREMENT,
  id              TEXT NOT NULL UNIQUE,
  conversation_id TEXT NOT NULL REFERENCES conversation (id) DEFERRABLE INITIALLY DEFERRED,
  parent_id       TEXT,
  parent_seq      INTEGER,
  root_id         TEXT NOT NULL,
  edge            TEXT NOT NULL,
  reason          TEXT NOT NULL,
  depth           INTEGER NOT NULL,
  model           TEXT NOT NULL,
  started_at      INTEGER NOT NULL,
  ended_at        INTEGER,
  end_reason      TEXT,
  entries         INTEGER NOT NULL DEFAULT 0,
  tokens          INTEGER NOT NULL DEFAULT 0,
  indexed         INTEGER NOT NULL DEFAULT 0,
  CHECK ((ended_at IS NULL) = (end_reason IS NULL))
) STRICT;
CREATE INDEX session_conversation ON session (conversation_id, n);
CREATE INDEX session_root ON session (root_id);
CREATE INDEX session_parent ON session (parent_id) WHERE parent_id IS NOT NULL;
CREATE INDEX session_unindexed ON session (n) WHERE indexed < entries;
-- A conversation has one live session, and a session one continuation.
CREATE UNIQUE INDEX session_live ON session (conversation_id) WHERE ended_at IS NULL;
CREATE UNIQUE INDEX session_continuation ON session (parent_id) WHERE edge IN ('compression', 'handoff');

-- id = session.n * 2^24 + seq: clustered by session, in order, without another index.
CREATE TABLE entry (
  id       INTEGER PRIMARY KEY,
  kind     TEXT NOT NULL,
  at       INTEGER NOT NULL,
  tokens   INTEGER NOT NULL,
  body     TEXT NOT NULL,
  checksum INTEGER NOT NULL
) STRICT;
CREATE INDEX entry_compression ON entry (id) WHERE kind = 'compression';
CREATE TRIGGER entry_is_append_only BEFORE UPDATE ON entry
BEGIN
  SELECT RAISE(ABORT, 'entries are append-only');
END;

CREATE TABLE packet (
  id         TEXT PRIMARY KEY,
  session_id TEXT NOT NULL REFERENCES session (id),
  sha256     TEXT NOT NULL,
  markdown   TEXT NOT NULL,
  ledger     TEXT NOT NULL,
  tokens     INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX packet_session ON packet (session_id);

CREATE TABLE draft (
  id              TEXT PRIMARY KEY,
  conversation_id TEXT NOT NULL REFERENCES conversation (id),
  version         INTEGER NOT NULL,
  packet_id       TEXT NOT NULL REFERENCES packet (id),
  state           TEXT NOT NULL,
  created_at      INTEGER NOT NULL,
  updated_at      INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX draft_conversation ON draft (conversation_id);
CREATE INDEX draft_waiting ON draft (created_at) WHERE state = 'open';

CREATE TABLE transfer (
  id              TEXT PRIMARY KEY,
  conversation_id TEXT NOT NULL REFERENCES conversation (id),
  origin          TEXT NOT NULL,
  target          TEXT NOT NULL,
  platform        TEXT NOT NULL,
  state           TEXT NOT NULL,
  step            TEXT NOT NULL,
  journal         TEXT NOT NULL,
  cancel_asked    INTEGER NOT NULL,
  owner           TEXT,
  epoch           INTEGER NOT NULL,
  lease_until     INTEGER NOT NULL,
  attempts        INTEGER NOT NULL,
  error           TEXT NOT NULL,
  requested_at    INTEGER NOT NULL,
  updated_at      INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX transfer_conversation ON transfer (conversation_id, requested_at);
CREATE UNIQUE INDEX transfer_active ON transfer (conversation_id) WHERE state IN ('pending', 'running');

CREATE TABLE binding (
  place           TEXT PRIMARY KEY,
  conversation_id TEXT NOT NULL REFERENCES conversation (id),
  bound_at        INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX binding_conversation ON binding (conversation_id);

CREATE TABLE mail (
  n               INTEGER PRIMARY KEY AUTOINCREMENT,
  box             TEXT NOT NULL,
  key             TEXT NOT NULL,
  place           TEXT NOT NULL,
  conversation_id TEXT NOT NULL,
  body            TEXT NOT NULL,
  state           TEXT NOT NULL,
  unsure          INTEGER NOT NULL,
  owner           TEXT,
  epoch           INTEGER NOT NULL,
  lease_until     INTEGER NOT NULL,
  attempts        INTEGER NOT NULL,
  not_before      INTEGER NOT NULL,
  error           TEXT NOT NULL,
  receipt         TEXT NOT NULL,
  created_at      INTEGER NOT NULL,
  updated_at      INTEGER NOT NULL,
  UNIQUE (box, key)
) STRICT;
CREATE INDEX mail_waiting ON mail (box, place, n) WHERE state NOT IN ('done', 'sent', 'refused');
CREATE INDEX mail_conversation ON mail (conversation_id) WHERE state NOT IN ('done', 'sent', 'refused');
