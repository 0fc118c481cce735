"""`baton doctor --repair`: keep what was found, bring back what can be read, say what is lost.

1. `baton.db` is copied to `baton.db.damaged-…`, which is never touched again.
2. Everything readable goes into a new database, `baton.db.repairing`, through the code that every import goes through.
3. Whole and on disk, that becomes `baton.db.repaired`. From here on Baton opens the store only to continue with 4.
4. The write-ahead log and the search index of the old database go, the last acknowledged entry is noted again, and the
   new database takes the old one's name.

Killed at any moment, a repair is finished or started over by the next one. While another process has the database open
nothing is replaced (`StoreBusy`): it would keep writing to a file that nobody reads any more.
"""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
from contextlib import closing, suppress
from typing import Any
from urllib.parse import quote

from baton.adapters.stores.clock import SystemClock
from baton.adapters.stores.sql.store import SqlStore
from baton.adapters.stores.sqlite.database import SqliteDatabase, connect, sync
from baton.adapters.stores.sqlite.errors import translate, translate_os_error
from baton.adapters.stores.sqlite.exclusive import exclusive_turn, turn
from baton.adapters.stores.sqlite.files import Files
from baton.adapters.stores.sqlite.index import FtsIndex
from baton.adapters.stores.sqlite.migrate import APPLICATION_ID
from baton.adapters.stores.sqlite.open import open_database, open_sqlite
from baton.adapters.stores.sqlite.quarantine import keep
from baton.adapters.stores.sqlite.queue import WriterQueue
from baton.adapters.stores.sqlite.recovery.pages import Pages
from baton.adapters.stores.sqlite.recovery.rebuild import Rebuild, Return
from baton.adapters.stores.sqlite.recovery.report import Repair, many, report
from baton.adapters.stores.sqlite.recovery.salvage import Found
from baton.core.errors import BadInput, LogMissing, StoreDamaged, StoreError
from baton.core.log.entry import SEQ_BITS, SEQ_LIMIT
from baton.core.value import asdict, replace
from baton.ports.clock import Clock

__all__ = ["Repair", "repair"]

_REPORT = "repair"


def repair(path: str, *, busy_timeout: float = 10.0, clock: Clock | None = None) -> Repair:
    """The store opens and checks clean afterwards. No store of this process may be open on `path`.

    `BadInput` for a file that never was Baton's; `StoreBusy`, `StoreFull`, `StoreReadOnly` and `StoreTooNew` leave
    everything as it is.
    """
    mender = _Mender(Files(path), busy_timeout, clock or SystemClock())
    try:
        return mender.run()
    except sqlite3.Error as error:
        raise translate(error, path) from error
    except OSError as error:
        raise translate_os_error(error, path) from error


class _Mender:
    def __init__(self, files: Files, timeout: float, clock: Clock) -> None:
        self._files = files
        self._timeout = timeout
        self._clock = clock

    def run(self) -> Repair:
        before, reason = self._files.identity(), ""
        if not os.path.exists(self._files.repaired):
            problem = self._problem()
            if problem is None:
                return self._nothing_wrong()
            if isinstance(problem, LogMissing):
                return self._accept()
            self._require_ours()
            reason = str(problem.facts["reason"])
        with exclusive_turn(self._files, self._timeout) as queue:
            if not os.path.exists(self._files.repaired) and before == self._files.identity():
                self._build(reason)
            if os.path.exists(self._files.repaired):
                return self._put_in_place(queue)
        return self.run()  # another repair was first

    def _problem(self) -> StoreError | None:
        """What is wrong with the database itself; what prevents looking is raised."""
        try:
            self._files.examine()
            if self._files.identity() is None:
                return None
            with closing(self._open()) as store:
                findings = [finding for finding in store.upkeep.check() if finding.level == "error"]
        except LogMissing as error:
            return self._torn() or error
        except StoreError as error:
            if type(error) in (StoreError, StoreDamaged):
                return error
            raise
        return StoreDamaged(path=self._files.database, reason=_first_line(findings[0].text)) if findings else None

    def _torn(self) -> StoreError | None:
        """An entry may also be missing because the way to it is damaged."""
        try:
            with closing(connect(self._files.database, self._timeout)) as connection:
                (found,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
        except sqlite3.DatabaseError as error:
            found = str(error)
        return None if found == "ok" else StoreDamaged(path=self._files.database, reason=_first_line(found))

    def _open(self) -> SqlStore:
        return open_sqlite(self._files.database, busy_timeout=self._timeout, clock=self._clock)

    def _nothing_wrong(self, quarantine: str | None = None) -> Repair:
        if self._files.identity() is None:
            return Repair(sentences=(f"There is no database at {self._files.database}: nothing to repair.",))
        with closing(self._open()) as store:
            ids = list(store.upkeep.ids())
            entries = sum(session.entries for each in ids for session in store.sessions.of(each))
        read = f"{many(len(ids), 'conversation')} with {many(entries, 'entry', 'entries')} read"
        sentences = (f"{read}, and every checksum matches.", *(() if quarantine else ("Nothing had to be changed.",)))
        return Repair(quarantine, conversations_whole=len(ids), entries_kept=entries, sentences=sentences)

    def _accept(self) -> Repair:
        """The log is gone for good: what the database holds is all there is from now on."""
        with turn(self._files, self._timeout) as queue:
            quarantine = keep(self._files, self._clock.now())
            with closing(connect(self._files.database, self._timeout)) as connection:
                lost, count = _beyond(connection, queue.read_mark()[0])
                newest = _newest(connection)
            self._forget_index()
            queue.mark(*newest)
        gone = f"The write-ahead log was gone, and with it {lost}; perhaps more that was written just before."
        kept = f"The database as it was found is kept at {quarantine}."
        after = self._nothing_wrong(quarantine) if self._problem() is None else self.run()
        return replace(after, entries_lost=after.entries_lost + count, sentences=(gone, kept, *after.sentences))

    def _require_ours(self) -> None:
        """`BadInput` before anything is touched, if nothing of it can be Baton's."""
        with Pages(self._files.database) as pages:
            if int.from_bytes(pages.header[68:72], "big") == APPLICATION_ID:
                return
            found = Found(pages)
            found.read()
            if not found.empty() or (not pages.header and self._was_here()):
                return
        reason = f"{self._files.database} is not a database of Baton, and nothing in it looks like one."
        raise BadInput(reason=f"{reason} It was left as it is; move it away, or set BATON_HOME to another directory.")

    def _was_here(self) -> bool:
        with suppress(OSError):
            return os.path.getsize(self._files.queue) > 0
        return False

    def _build(self, reason: str) -> None:
        fresh = Files(self._files.repairing)
        _sweep(fresh)
        quarantine = keep(self._files, self._clock.now())
        with Pages(quarantine) as pages:
            found = Found(pages)
            found.read()
            db = open_database(fresh, self._timeout, self._clock)
            with closing(SqlStore(db, FtsIndex(fresh.search, self._timeout))) as store:
                db.writer.execute("PRAGMA synchronous = OFF")  # synced as a whole, before it gets its name
                self._fill(store, db, Rebuild(found, self._clock.now()), quarantine, reason)
                db.writer.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # raises what closing would not tell
        sync(fresh.database)
        os.rename(fresh.database, self._files.repaired)
        sync(os.path.dirname(self._files.database))

    def _fill(self, store: SqlStore, db: SqliteDatabase, rebuild: Rebuild, quarantine: str, reason: str) -> None:
        returned: list[Return] = []
        refusals: list[str] = []
        for each in rebuild.conversations():
            try:
                returned.append(_insert(store, rebuild, each))
            except (BadInput, StoreError) as error:
                refusals.append(_refusal(each, error))
        with db.write() as tx:
            for transfer in (transfer for each in returned for transfer in each.active):
                tx.run("transfer_add", asdict(transfer))
            for letter in rebuild.mail:
                tx.run("mail_add", asdict(letter))
            for record in rebuild.records:
                tx.run("record_add", asdict(record))
            done = report(quarantine, reason, returned, refusals, rebuild.unplaced)
            settings = {**rebuild.settings(), "boot": "", _REPORT: json.dumps(done.as_dict())}
            for key, value in settings.items():
                tx.run("meta_set", {"key": key, "value": value})

    def _put_in_place(self, queue: WriterQueue) -> Repair:
        """Each step may be repeated; the last one ends the repair."""
        done, newest = _read_report(self._files.repaired)
        _sweep(Files(self._files.repairing))
        with suppress(FileNotFoundError):
            os.unlink(self._files.log)
        self._forget_index()
        queue.mark(*newest)
        sync(self._files.queue)
        sync(os.path.dirname(self._files.database))
        os.rename(self._files.repaired, self._files.database)
        os.unlink(self._files.shared)
        sync(os.path.dirname(self._files.database))
        return done

    def _forget_index(self) -> None:
        with closing(FtsIndex(self._files.search, self._timeout)) as index:
            index.drop()


def _first_line(text: str) -> str:
    return text.replace("*** in database main ***\n", "").partition("\n")[0]


def _insert(store: SqlStore, rebuild: Rebuild, each: Return) -> Return:
    """The conversation as it was, or simpler if it does not fit together that way."""
    try:
        store.upkeep.insert(each.bundle)
    except (BadInput, StoreError) as error:
        _refusal(each, error)
        each = rebuild.simpler(each)
        store.upkeep.insert(each.bundle)
    return each


def _refusal(each: Return, error: BadInput | StoreError) -> str:
    """Why a conversation cannot be stored. Problems of the whole store, such as a full disk, are raised instead."""
    if isinstance(error, StoreError) and type(error) is not StoreError:
        raise error
    conversation = each.bundle.conversation
    return f"Conversation {conversation.id} ({conversation.title}) could not be brought back: {error.parts()[0]}"


def _newest(connection: sqlite3.Connection) -> tuple[int, int]:
    return connection.execute("SELECT id, checksum FROM entry ORDER BY id DESC LIMIT 1").fetchone() or (0, 0)


def _beyond(connection: sqlite3.Connection, entry_id: int) -> tuple[str, int]:
    """What is known to be missing if this entry is, in words, and at least how many entries that is."""
    number, seq = entry_id >> SEQ_BITS, entry_id & (SEQ_LIMIT - 1)
    sql = "SELECT s.id, s.entries, c.title FROM session s JOIN conversation c ON c.id = s.conversation_id WHERE s.n = ?"
    session_id, entries, title = connection.execute(sql, (number,)).fetchone() or ("", 0, "")
    if not session_id:
        return f"a session with at least {seq} entries", seq
    first = min(entries + 1, seq)
    which = f"entry {seq}" if first == seq else f"entries {first} to {seq}"
    return f"{which} of session {session_id} ({title})", seq - first + 1


def _read_report(path: str) -> tuple[Repair, tuple[int, int]]:
    with closing(sqlite3.connect(f"file:{quote(path)}?mode=ro&immutable=1", uri=True)) as connection:
        row = connection.execute("SELECT value FROM meta WHERE key = ?", (_REPORT,)).fetchone()
        done: dict[str, Any] = json.loads(row[0])
        done["sentences"] = tuple(done["sentences"])
        return Repair(**done), _newest(connection)


def _sweep(fresh: Files) -> None:
    """What is left of an unfinished new database."""
    for path in (fresh.database, fresh.log, fresh.shared):
        with suppress(FileNotFoundError):
            os.unlink(path)
    shutil.rmtree(fresh.side, ignore_errors=True)
