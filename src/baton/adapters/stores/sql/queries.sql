-- Every statement of the store, for both databases. Parameters are :named; /*lock*/ becomes FOR UPDATE where rows are
-- locked one by one (SQLite locks the whole database for each write, before it reads). A column list follows the
-- fields of the value it fills.

-- name: conversation_add
INSERT INTO conversation (id, title, title_key, workspace, head_id, version, created_at, updated_at, owner, epoch, lease_until)
VALUES (:id, :title, :title_key, :workspace, :head_id, :version, :created_at, :updated_at, NULL, :epoch, 0);

-- name: conversation_get
SELECT id, title, workspace, head_id, version, created_at, updated_at, owner, epoch, lease_until
FROM conversation WHERE id = :id /*lock*/;

-- name: conversation_count
SELECT count(*) FROM conversation;

-- name: conversation_ids
SELECT id FROM conversation ORDER BY created_at, id;

-- name: conversation_page
SELECT c.id, c.title, c.workspace, c.head_id, c.version, c.created_at, c.updated_at, c.owner, c.epoch, c.lease_until,
       (SELECT s.model FROM session s WHERE s.id = c.head_id),
       (SELECT count(*) FROM session s WHERE s.conversation_id = c.id),
       (SELECT sum(s.entries) FROM session s WHERE s.conversation_id = c.id),
       (SELECT sum(s.tokens) FROM session s WHERE s.conversation_id = c.id),
       COALESCE((SELECT t.platform FROM transfer t WHERE t.conversation_id = c.id AND t.state = 'completed'
                 ORDER BY t.requested_at DESC, t.id DESC LIMIT 1), '')
FROM conversation c
WHERE (c.updated_at, c.id) < (:updated_at, :id)
  AND (:every = 1 OR EXISTS (SELECT 1 FROM session s
                             WHERE s.conversation_id = c.id AND (s.entries > 0 OR s.parent_id IS NOT NULL)))
ORDER BY c.updated_at DESC, c.id DESC LIMIT :limit;

-- name: conversation_page_of_workspace
SELECT c.id, c.title, c.workspace, c.head_id, c.version, c.created_at, c.updated_at, c.owner, c.epoch, c.lease_until,
       (SELECT s.model FROM session s WHERE s.id = c.head_id),
       (SELECT count(*) FROM session s WHERE s.conversation_id = c.id),
       (SELECT sum(s.entries) FROM session s WHERE s.conversation_id = c.id),
       (SELECT sum(s.tokens) FROM session s WHERE s.conversation_id = c.id),
       COALESCE((SELECT t.platform FROM transfer t WHERE t.conversation_id = c.id AND t.state = 'completed'
                 ORDER BY t.requested_at DESC, t.id DESC LIMIT 1), '')
FROM conversation c
WHERE c.workspace = :workspace AND (c.updated_at, c.id) < (:updated_at, :id)
  AND (:every = 1 OR EXISTS (SELECT 1 FROM session s
                             WHERE s.conversation_id = c.id AND (s.entries > 0 OR s.parent_id IS NOT NULL)))
ORDER BY c.updated_at DESC, c.id DESC LIMIT :limit;

-- name: conversation_by_id_prefix
SELECT id, title FROM conversation WHERE id >= :low AND id < :high ORDER BY id LIMIT :limit;

-- name: conversation_by_session_prefix
SELECT DISTINCT c.id, c.title FROM session s JOIN conversation c ON c.id = s.conversation_id
WHERE s.id >= :low AND s.id < :high ORDER BY c.id LIMIT :limit;

-- name: conversation_by_title
SELECT id, title FROM conversation WHERE title_key = :key ORDER BY updated_at DESC, id LIMIT :limit;

-- name: conversation_by_title_prefix
SELECT id, title FROM conversation WHERE title_key >= :low AND title_key < :high ORDER BY title_key, id LIMIT :limit;

-- name: conversation_rename
UPDATE conversation SET title = :title, title_key = :title_key WHERE id = :id;

-- name: conversation_hold
UPDATE conversation SET owner = :owner, epoch = :epoch, lease_until = :until WHERE id = :id;

-- name: conversation_touch
UPDATE conversation SET updated_at = :now WHERE id = :id;

-- name: conversation_move_head
UPDATE conversation SET head_id = :child, version = version + 1, updated_at = :now WHERE id = :id AND head_id = :head;

-- name: conversation_idle
SELECT c.id, c.title, c.workspace, c.head_id, c.version, c.created_at, c.updated_at, c.owner, c.epoch, c.lease_until
FROM conversation c
WHERE c.updated_at < :before
  AND NOT EXISTS (SELECT 1 FROM transfer t WHERE t.conversation_id = c.id AND t.state IN ('pending', 'running'))
  AND NOT EXISTS (SELECT 1 FROM draft d WHERE d.conversation_id = c.id AND d.state = 'open')
  AND NOT EXISTS (SELECT 1 FROM mail m WHERE m.conversation_id = c.id AND m.state NOT IN ('done', 'sent', 'refused'))
  AND NOT EXISTS (SELECT 1 FROM session own JOIN session fork ON fork.parent_id = own.id
                  WHERE own.conversation_id = c.id AND fork.conversation_id <> c.id)
  AND (:id = '' OR c.id = :id)
ORDER BY c.updated_at, c.id;

-- name: conversation_remove
DELETE FROM conversation WHERE id = :id;

-- name: session_add
INSERT INTO session (id, conversation_id, parent_id, parent_seq, root_id, edge, reason, depth, model, started_at,
                     ended_at, end_reason, entries, tokens)
VALUES (:id, :conversation_id, :parent_id, :parent_seq, :root_id, :edge, :reason, :depth, :model, :started_at,
        :ended_at, :end_reason, :entries, :tokens)
RETURNING n;

-- name: session_get
SELECT id, conversation_id, parent_id, parent_seq, root_id, edge, reason, depth, model, started_at, ended_at,
       end_reason, entries, tokens
FROM session WHERE id = :id;

-- name: session_number
SELECT n FROM session WHERE id = :id;

-- name: session_of_conversation
SELECT id, conversation_id, parent_id, parent_seq, root_id, edge, reason, depth, model, started_at, ended_at,
       end_reason, entries, tokens
FROM session WHERE conversation_id = :id ORDER BY depth, n;

-- name: session_of_root
SELECT id, conversation_id, parent_id, parent_seq, root_id, edge, reason, depth, model, started_at, ended_at,
       end_reason, entries, tokens
FROM session WHERE root_id = :id;

-- name: session_chain
WITH RECURSIVE up (id) AS (
  SELECT id FROM session WHERE id = :id
  UNION
  SELECT s.parent_id FROM up JOIN session s ON s.id = up.id WHERE s.parent_id IS NOT NULL
)
SELECT s.id, s.conversation_id, s.parent_id, s.parent_seq, s.root_id, s.edge, s.reason, s.depth, s.model, s.started_at,
       s.ended_at, s.end_reason, s.entries, s.tokens
FROM up JOIN session s ON s.id = up.id;

-- name: session_past
-- A session and those it descends from, each with how many of its entries are in the past: all, or those before a fork.
WITH RECURSIVE up (id, upto) AS (
  SELECT id, entries FROM session WHERE id = :id
  UNION
  SELECT p.id, COALESCE(s.parent_seq, p.entries)
  FROM up JOIN session s ON s.id = up.id JOIN session p ON p.id = s.parent_id
)
SELECT s.n, s.id, up.upto FROM up JOIN session s ON s.id = up.id;

-- name: session_end
UPDATE session SET ended_at = :now, end_reason = :end_reason WHERE id = :id AND ended_at IS NULL;

-- name: session_grow
UPDATE session SET entries = :entries, tokens = tokens + :tokens WHERE n = :n;

-- name: session_remove_all
DELETE FROM session WHERE conversation_id = :id;

-- name: head_for_append
SELECT c.owner, c.epoch, c.head_id, s.n, s.entries
FROM conversation c JOIN session s ON s.id = c.head_id
WHERE c.id = :id /*lock*/;

-- name: entry_add
INSERT INTO entry (id, kind, at, tokens, body, checksum) VALUES (:id, :kind, :at, :tokens, :body, :checksum);

-- name: entry_range
SELECT id, kind, at, tokens, body, checksum FROM entry WHERE id > :low AND id < :high ORDER BY id LIMIT :limit;

-- name: entry_last
SELECT id, kind, at, tokens, body, checksum FROM entry WHERE id > :low AND id < :high ORDER BY id DESC LIMIT :limit;

-- name: entry_compressions
SELECT body FROM entry WHERE kind = 'compression' AND id > :low AND id < :high ORDER BY id;

-- name: entry_remove_range
DELETE FROM entry WHERE id > :low AND id < :high;

-- name: packet_add
INSERT INTO packet (id, session_id, sha256, markdown, ledger, tokens, created_at)
VALUES (:id, :session_id, :sha256, :markdown, :ledger, :tokens, :created_at);

-- name: packet_get
SELECT id, session_id, sha256, markdown, ledger, tokens, created_at FROM packet WHERE id = :id;

-- name: packet_of_conversation
SELECT p.id, p.session_id, p.sha256, p.markdown, p.ledger, p.tokens, p.created_at
FROM session s JOIN packet p ON p.session_id = s.id
WHERE s.conversation_id = :id ORDER BY p.created_at, p.id;

-- name: packet_remove_all
DELETE FROM packet WHERE session_id IN (SELECT id FROM session WHERE conversation_id = :id);

-- name: draft_add
INSERT INTO draft (id, conversation_id, version, packet_id, state, created_at, updated_at)
VALUES (:id, :conversation_id, :version, :packet_id, :state, :created_at, :updated_at);

-- name: draft_get
SELECT id, conversation_id, version, packet_id, state, created_at, updated_at FROM draft WHERE id = :id /*lock*/;

-- name: draft_conversation
SELECT conversation_id FROM draft WHERE id = :id;

-- name: draft_of_conversation
SELECT id, conversation_id, version, packet_id, state, created_at, updated_at
FROM draft WHERE conversation_id = :id ORDER BY created_at, id;

-- name: draft_waiting
SELECT id, conversation_id, version, packet_id, state, created_at, updated_at
FROM draft WHERE state = 'open' ORDER BY created_at, id;

-- name: draft_set
UPDATE draft SET packet_id = :packet_id, state = :state, updated_at = :updated_at WHERE id = :id;

-- name: draft_make_stale
UPDATE draft SET state = 'stale', updated_at = :now WHERE conversation_id = :id AND state = 'open';

-- name: draft_remove_all
DELETE FROM draft WHERE conversation_id = :id;

-- name: transfer_add
INSERT INTO transfer (id, conversation_id, origin, target, platform, state, step, journal, cancel_asked, owner, epoch,
                      lease_until, attempts, error, requested_at, updated_at)
VALUES (:id, :conversation_id, :origin, :target, :platform, :state, :step, :journal, :cancel_asked, :owner, :epoch,
        :lease_until, :attempts, :error, :requested_at, :updated_at);

-- name: transfer_get
SELECT id, conversation_id, origin, target, platform, state, step, journal, cancel_asked, owner, epoch, lease_until,
       attempts, error, requested_at, updated_at
FROM transfer WHERE id = :id /*lock*/;

-- name: transfer_of_conversation
SELECT id, conversation_id, origin, target, platform, state, step, journal, cancel_asked, owner, epoch, lease_until,
       attempts, error, requested_at, updated_at
FROM transfer WHERE conversation_id = :id ORDER BY requested_at, id;

-- name: transfer_active
SELECT id, conversation_id, origin, target, platform, state, step, journal, cancel_asked, owner, epoch, lease_until,
       attempts, error, requested_at, updated_at
FROM transfer WHERE state IN ('pending', 'running') ORDER BY requested_at, id;

-- name: transfer_recent
SELECT id, conversation_id, origin, target, platform, state, step, journal, cancel_asked, owner, epoch, lease_until,
       attempts, error, requested_at, updated_at
FROM transfer ORDER BY requested_at DESC, id DESC LIMIT :limit;

-- name: transfer_set
UPDATE transfer SET state = :state, step = :step, journal = :journal, cancel_asked = :cancel_asked, owner = :owner,
       epoch = :epoch, lease_until = :lease_until, attempts = :attempts, error = :error, updated_at = :updated_at
WHERE id = :id;

-- name: transfer_remove_all
DELETE FROM transfer WHERE conversation_id = :id;

-- name: binding_add
INSERT INTO binding (place, conversation_id, bound_at) VALUES (:place, :conversation_id, :bound_at);

-- name: binding_move
UPDATE binding SET conversation_id = :conversation_id, bound_at = :bound_at WHERE place = :place;

-- name: binding_get
SELECT place, conversation_id, bound_at FROM binding WHERE place = :place /*lock*/;

-- name: binding_of_conversation
SELECT place, conversation_id, bound_at FROM binding WHERE conversation_id = :id ORDER BY bound_at, place;

-- name: binding_conversations
SELECT c.id, c.title, c.workspace, c.head_id, c.version, c.created_at, c.updated_at, c.owner, c.epoch, c.lease_until
FROM conversation c
WHERE c.updated_at >= :since AND (c.updated_at, c.id) < (:updated_at, :id) AND (:every = 1 OR c.owner IS NOT NULL)
  AND EXISTS (SELECT 1 FROM binding b WHERE b.conversation_id = c.id AND b.place >= :low AND b.place < :high)
ORDER BY c.updated_at DESC, c.id DESC LIMIT :limit;

-- name: binding_remove
DELETE FROM binding WHERE place = :place AND conversation_id = :id;

-- name: binding_remove_all
DELETE FROM binding WHERE conversation_id = :id;

-- name: mail_add
INSERT INTO mail (box, key, place, conversation_id, body, state, unsure, owner, epoch, lease_until, attempts,
                  not_before, error, receipt, created_at, updated_at)
VALUES (:box, :key, :place, :conversation_id, :body, :state, :unsure, :owner, :epoch, :lease_until, :attempts,
        :not_before, :error, :receipt, :created_at, :updated_at)
ON CONFLICT (box, key) DO NOTHING;

-- name: mail_get
SELECT box, key, place, conversation_id, body, state, unsure, owner, epoch, lease_until, attempts, not_before, error,
       receipt, created_at, updated_at
FROM mail WHERE box = :box AND key = :key /*lock*/;

-- name: mail_takeable
-- The oldest message of each place, unless it is not due yet; if it is in hand, with its holder, who may be gone.
-- `core.mail.takeable` decides, once it is locked.
SELECT m.key, m.place,
       CASE WHEN m.state IN ('taken', 'sending') AND m.lease_until > :ticks AND m.lease_until <= :latest THEN m.owner END
FROM (SELECT min(n) AS n FROM mail
      WHERE box = :box AND state NOT IN ('done', 'sent', 'refused') GROUP BY place) AS first
JOIN mail m ON m.n = first.n
WHERE m.state IN ('taken', 'sending') OR m.not_before <= :now
ORDER BY m.n;

-- name: mail_waits
SELECT 1 FROM mail WHERE box = :box AND place = :place AND state NOT IN ('done', 'sent', 'refused') LIMIT 1;

-- name: mail_waiting
SELECT box, key, place, conversation_id, body, state, unsure, owner, epoch, lease_until, attempts, not_before, error,
       receipt, created_at, updated_at
FROM mail WHERE box = :box AND state NOT IN ('done', 'sent', 'refused') ORDER BY n;

-- name: mail_set
UPDATE mail SET state = :state, unsure = :unsure, owner = :owner, epoch = :epoch, lease_until = :lease_until,
       attempts = :attempts, not_before = :not_before, error = :error, receipt = :receipt, updated_at = :updated_at
WHERE box = :box AND key = :key;

-- name: mail_prune
DELETE FROM mail
WHERE n IN (SELECT n FROM mail WHERE state IN ('done', 'sent', 'refused') AND updated_at < :before ORDER BY n /*lock*/);

-- name: mail_remove_all
DELETE FROM mail WHERE conversation_id = :id AND box = 'outbox';

-- name: mail_empty_all
UPDATE mail SET body = '{}', error = '' WHERE conversation_id = :id;

-- name: record_add
INSERT INTO record (key, body, version, updated_at) VALUES (:key, :body, :version, :updated_at);

-- name: record_get
SELECT key, body, version, updated_at FROM record WHERE key = :key /*lock*/;

-- name: record_range
SELECT key, body, version, updated_at FROM record WHERE key >= :low AND key <= :high ORDER BY key;

-- name: record_set
UPDATE record SET body = :body, version = :version, updated_at = :updated_at WHERE key = :key;

-- name: record_remove
DELETE FROM record WHERE key = :key;

-- name: meta_get
SELECT value FROM meta WHERE key = :key;

-- name: meta_set
INSERT INTO meta (key, value) VALUES (:key, :value) ON CONFLICT (key) DO UPDATE SET value = excluded.value;

-- name: leases_void
UPDATE conversation SET lease_until = 0 WHERE lease_until <> 0;

-- name: transfer_leases_void
UPDATE transfer SET lease_until = 0 WHERE lease_until <> 0;

-- name: mail_leases_void
UPDATE mail SET lease_until = 0 WHERE lease_until <> 0;

-- name: unindexed_sessions
SELECT n, id, entries, indexed FROM session WHERE indexed < entries ORDER BY n LIMIT :limit;

-- name: unindexed_count
SELECT coalesce(sum(entries - indexed), 0) FROM session WHERE indexed < entries;

-- name: indexed_set
UPDATE session SET indexed = :indexed WHERE n = :n AND indexed <> :indexed;

-- name: indexed_forget_conversation
UPDATE session SET indexed = 0
WHERE n IN (SELECT n FROM session WHERE conversation_id = :id AND indexed <> 0 ORDER BY n /*lock*/);

-- name: indexed_forget
UPDATE session SET indexed = 0 WHERE n IN (SELECT n FROM session WHERE indexed <> 0 ORDER BY n /*lock*/);

-- name: hit
SELECT s.conversation_id, c.title, s.id, e.kind, e.at, e.body
FROM entry e JOIN session s ON s.n = :n JOIN conversation c ON c.id = s.conversation_id
WHERE e.id = :id;
