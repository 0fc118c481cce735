"""Where a conversation can go: home channels, named places, and whether a living gateway reaches them."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Mapping, Sequence

from baton.core.errors import BadPlace, NoGateway, NoHome, NotConnected, UnknownTarget
from baton.core.ids import quote
from baton.core.log.lease import micros
from baton.core.transfer.place import TERMINAL, parse_place
from baton.core.value import value
from baton.ports.store import Register

HERE = "terminal:local"
CONNECTING = "connecting"
CONNECTED = "connected"
STANDBY = "standing by"
BEAT = 5.0
_SILENCE = 4 * BEAT
_GATEWAY = "gateway/"


@value
class GatewayRow:
    """A gateway that lives. `platforms` are states by name, such as `connected` or why not."""

    id: str
    platforms: Mapping[str, str]
    names: Mapping[str, str]
    api: str
    host: str
    pid: int
    started: int
    beat: int
    figures: Mapping[str, int]


class Targets:
    """Blocks for a moment: call it from a thread."""

    def __init__(
        self,
        register: Register,
        now: Callable[[], int],
        homes: Callable[[], Mapping[str, str]],
        named: Mapping[str, str],
        platforms: Sequence[str],
    ) -> None:
        self._register = register
        self._now = now
        self._homes = homes
        self._named = named
        self._platforms = platforms

    def gateways(self) -> list[GatewayRow]:
        """Those that announced themselves within the last seconds."""
        found: list[GatewayRow] = []
        for record in self._register.list(_GATEWAY):
            data = record.data
            if self._now() - int(data["beat"]) < micros(_SILENCE):
                found.append(GatewayRow(record.key.removeprefix(_GATEWAY), **data))
        return found

    def receiver(self, platform: str, but: str) -> str | None:
        """The gateway, other than this one, that is connected to a platform, as far as anybody here can know."""
        connected = [row for row in self.gateways() if row.platforms.get(platform) == CONNECTED]
        return next((row.id for row in connected if row.id != but and not _was_here(row)), None)

    def announce(self, row: GatewayRow) -> None:
        body = {name: getattr(row, name) for name in ("platforms", "names", "api", "host", "pid", "started", "beat")}
        self._register.put(_GATEWAY + row.id, {**body, "figures": dict(row.figures)})

    def leave(self, gateway_id: str) -> None:
        self._register.remove(_GATEWAY + gateway_id)

    def sweep(self) -> None:
        """Forgets gateways that have been silent for an hour."""
        for record in self._register.list(_GATEWAY):
            if self._now() - int(record.data["beat"]) > micros(3600):
                self._register.remove(record.key)

    def resolve(self, text: str) -> str:
        """The target of a transfer, checked against the living gateways before anything is changed."""
        target = self._find_target(text.strip())
        if target == TERMINAL:
            return target
        platform = target.partition(":")[0]
        living = self.gateways()
        if not living:
            raise NoGateway()
        states = [row.platforms[platform] for row in living if platform in row.platforms]
        if CONNECTED not in states:
            connected = sorted({name for row in living for name, state in row.platforms.items() if state == CONNECTED})
            reason = f" ({states[0]})" if states else ""
            raise NotConnected(platform=platform, reason=reason, platforms=", ".join(connected) or "none")
        if target == platform and platform not in self._homes():
            raise NoHome(platform=platform)
        return target

    def room(self, target: str) -> str:
        """The key of the place a target means."""
        homes = self._homes()
        if ":" in target:
            return target
        if target not in homes:
            raise NoHome(platform=target)
        return homes[target]

    def _find_target(self, text: str) -> str:
        name = text.lower()
        if name == TERMINAL or name in self._platforms:
            return name
        if name in self._named:
            return self._named[name]
        try:
            place = parse_place(text)
        except BadPlace:
            place = None
        if place is None or place.platform not in self._platforms:
            names = [TERMINAL, *self._platforms, *self._named]
            raise UnknownTarget(target=quote(text), allowed=", ".join(names))
        return place.key


def _was_here(row: GatewayRow) -> bool:
    """It ran on this machine, and its process is gone; in a container the next one has the same number."""
    if row.host != socket.gethostname():
        return False
    try:
        os.kill(row.pid, 0)
    except ProcessLookupError:
        return True
    except OSError:  # it lives, and is somebody else's
        return False
    return row.pid == os.getpid()
