"""Our login, kept between runs: transactions and keys belong to a device, so the device must stay the same."""

from __future__ import annotations

import json
import os
import secrets
from pathlib import Path

from baton.adapters.platforms.json_fields import parse_json, table, text
from baton.adapters.platforms.matrix.api import Api, explain_login, path
from baton.core.errors import BadCredentials, PlatformError, SendLater, SendUnsure
from baton.core.value import replace, value

_NAME = "login.json"
_LONGEST = 100_000


@value
class Login:
    """`token` is empty until the server accepts the login, so a login that broke off uses the same device again.
    `account` is the id as the server writes it.
    """

    homeserver: str
    user: str
    device: str
    token: str = ""
    account: str = ""

    @property
    def keys(self) -> str:
        """The name of the file with the device's keys."""
        return f"keys-{self.device}.db"


async def log_in(api: Api, homeserver: str, user: str, password: str, home: Path) -> Login:
    """The previous login if the server still knows it, else a new one. A device that was logged out, or whose keys are
    gone, is not used again. `BadCredentials` or `SendLater` if neither works.
    """
    login = _read(home)
    if login is None or (login.homeserver, login.user) != (homeserver, user):
        login = _fresh(homeserver, user)
    elif login.token:
        if (home / login.keys).exists() and await _is_known(api, login):
            return login
        login = _fresh(homeserver, user)
    _write(home, login)
    login = await _enter(api, login, password)
    _write(home, login)
    return login


async def _is_known(api: Api, login: Login) -> bool:
    api.token = login.token
    try:
        await api.ask(path("account", "whoami"))
    except BadCredentials:
        api.token = ""
        return False
    return True


async def _enter(api: Api, login: Login, password: str) -> Login:
    body = {
        "type": "m.login.password",
        "identifier": {"type": "m.id.user", "user": login.user},
        "password": password,
        "device_id": login.device,
        "initial_device_display_name": "Baton",
    }
    try:
        answer = await api.tell("POST", path("login"), body)
    except SendUnsure as unsure:
        raise SendLater(**unsure.facts) from None
    except PlatformError as error:
        raise explain_login(error) from None
    api.token = text(answer.get("access_token"))
    return replace(login, token=api.token, account=text(answer.get("user_id")) or login.user)


def _fresh(homeserver: str, user: str) -> Login:
    return Login(homeserver, user, f"BATON{secrets.token_hex(5).upper()}")


def _read(home: Path) -> Login | None:
    """None if there is no usable one."""
    try:
        handle = os.open(home / _NAME, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return None
    with os.fdopen(handle, "rb") as file:
        found = table(parse_json(file.read(_LONGEST)))
    parts = [text(found.get(name)) for name in ("homeserver", "user", "device", "token", "account")]
    return Login(*parts) if all(parts[:3]) else None


def _write(home: Path, login: Login) -> None:
    """Atomically, readable only by us."""
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    part = home / f".{_NAME}.{secrets.token_hex(4)}"
    kept = {name: getattr(login, name) for name in ("homeserver", "user", "device", "token", "account")}
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    with os.fdopen(os.open(part, flags, 0o600), "w", encoding="utf-8") as file:
        file.write(json.dumps(kept))
        file.flush()
        os.fsync(file.fileno())
    part.replace(home / _NAME)
