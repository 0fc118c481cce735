"""A real Synapse on loopback, started from a database that already has its tables."""

from __future__ import annotations

import base64
import fcntl
import hashlib
import hmac
import json
import secrets
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

from tests.support.obtain import CACHE, ENVIRON, Unobtainable, venv_install
from tests.support.patience import PATIENCE

VERSION = "1.163.2"
SERVER_NAME = "matrix.test"
LOCK = Path(__file__).with_name("requirements.lock")
_PROGRAM = """
import os, runpy, sys, threading
threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
runpy.run_module("synapse.app.homeserver", run_name="__main__", alter_sys=True)
"""
"""Synapse, which ends when whoever started it is gone, however that ended."""

_FREE = {"per_second": 1000, "burst_count": 1000}


class Synapse:
    """`messages` limits how fast one person may write: per second, and at once."""

    def __init__(self, folder: Path, *, messages: tuple[float, int] = (1000, 1000)) -> None:
        self._folder = folder
        self._messages = messages
        self._secret = secrets.token_hex(16)
        self._process: subprocess.Popen[bytes] | None = None
        self.port = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Returns when it answers. `Unobtainable` if it cannot be installed."""
        python = venv_install("synapse", LOCK)
        self._folder.mkdir(parents=True, exist_ok=True)
        if not (self._folder / "homeserver.db").exists():
            shutil.copy(_template(python), self._folder / "homeserver.db")
        self._launch(python)

    def stop(self) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.communicate()
            self._process = None

    def register(self, name: str, password: str) -> dict[str, Any]:
        """A new account, and a login of it: `user_id`, `access_token`, `device_id`."""
        path = "/_synapse/admin/v1/register"
        nonce = _request(f"{self.url}{path}")["nonce"]
        text = "\0".join((nonce, name, password, "notadmin"))
        mac = hmac.new(self._secret.encode(), text.encode(), hashlib.sha1).hexdigest()
        return _request(
            f"{self.url}{path}",
            {"nonce": nonce, "username": name, "password": password, "admin": False, "mac": mac},
        )

    def _launch(self, python: str) -> None:
        if not self.port:
            self.port = _free_port()
        config = self._folder / "homeserver.json"
        config.write_text(json.dumps(self._config()))
        (self._folder / "signing.key").write_text(f"ed25519 a_test {_seed()}")
        with (self._folder / "output").open("ab") as output:
            self._process = subprocess.Popen(
                [python, "-c", _PROGRAM, "-c", str(config)],
                cwd=self._folder,
                env=ENVIRON,
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=output,
            )
        self._await()

    def _await(self) -> None:
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            if self._process is None or self._process.poll() is not None:
                break
            try:
                _request(f"{self.url}/_matrix/client/versions")
            except OSError:
                time.sleep(0.05)
            else:
                return
        said = (self._folder / "output").read_text(errors="replace")[-600:]
        raise RuntimeError(f"Synapse did not start: {said}")

    def _config(self) -> dict[str, Any]:
        """YAML is wider than JSON."""
        per_second, burst = self._messages
        return {
            "server_name": SERVER_NAME,
            "public_baseurl": f"{self.url}/",
            "pid_file": str(self._folder / "pid"),
            "log_config": str(_log_config(self._folder)),
            "listeners": [
                {
                    "port": self.port,
                    "type": "http",
                    "tls": False,
                    "bind_addresses": ["127.0.0.1"],
                    "resources": [{"names": ["client"]}],
                }
            ],
            "database": {"name": "sqlite3", "args": {"database": str(self._folder / "homeserver.db")}},
            "media_store_path": str(self._folder / "media"),
            "signing_key_path": str(self._folder / "signing.key"),
            "registration_shared_secret": self._secret,
            "macaroon_secret_key": self._secret,
            "form_secret": self._secret,
            "report_stats": False,
            "trusted_key_servers": [],
            "suppress_key_server_warning": True,
            "federation_domain_whitelist": [],
            "url_preview_enabled": False,
            "presence": {"enabled": False},
            "max_upload_size": "50M",
            "bcrypt_rounds": 4,
            "caches": {"sync_response_cache_duration": 0},
            "rc_message": {"per_second": per_second, "burst_count": burst},
            "rc_registration": _FREE,
            "rc_login": {"address": _FREE, "account": _FREE, "failed_attempts": _FREE},
            "rc_joins": {"local": _FREE, "remote": _FREE},
            "rc_joins_per_room": _FREE,
            "rc_invites": {"per_room": _FREE, "per_user": _FREE, "per_issuer": _FREE},
            "rc_room_creation": _FREE,
        }


def _template(python: str) -> Path:
    """A database with all tables and no account, made once for this lock."""
    folder = Path(python).parent.parent
    path = folder / "template.db"
    with (CACHE / "synapse-template.lock").open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        if not path.exists():
            making = folder / "making"
            shutil.rmtree(making, ignore_errors=True)
            making.mkdir()
            (making / "homeserver.db").touch()
            server = Synapse(making)
            try:
                server.start()
            except (OSError, RuntimeError) as reason:
                raise Unobtainable(f"Synapse: {reason}") from None
            finally:
                server.stop()
            _settle(making / "homeserver.db")
            (making / "homeserver.db").rename(path)
            shutil.rmtree(making)
    return path


def _settle(path: Path) -> None:
    """Everything into the one file."""
    import sqlite3

    database = sqlite3.connect(path)
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.execute("PRAGMA journal_mode=DELETE")
    database.close()


def _log_config(folder: Path) -> Path:
    path = folder / "log.json"
    root = {"level": "WARNING", "handlers": ["console"]}
    handlers = {"console": {"class": "logging.StreamHandler"}}
    path.write_text(json.dumps({"version": 1, "handlers": handlers, "root": root, "disable_existing_loggers": False}))
    return path


def _seed() -> str:
    return base64.b64encode(secrets.token_bytes(32)).decode().rstrip("=")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _request(url: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
        return json.load(answer)
