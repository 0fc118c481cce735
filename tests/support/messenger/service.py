"""The service: rooms, threads by key, messages, and updates for each consumer until it acknowledged them.

It answers one line of JSON per connection, over a unix socket, from threads of the process that looks at the outcome.
Whatever a gateway must never do is a violation.
"""

from __future__ import annotations

import json
import socketserver
import threading
import time
from collections import Counter, deque
from collections.abc import Callable
from pathlib import Path
from typing import Any

from baton.core.transfer.place import Place
from baton.core.value import value

POLL = 0.5
LIMIT = 2_000


@value
class Sent:
    """One send that was shown."""

    place: str
    text: str
    key: str
    receipt: str
    at: float


class Messenger:
    """Use as `with`. `once` says what it does about a message whose key it knows: `key` drops it, others show it again.

    Troubles are used up in order, one for each send with a key: `later` turns it away, `unsure` fails without showing
    it, `swallow` shows it and hangs up.
    """

    def __init__(self, path: Path) -> None:
        self.path = str(path)
        self.once: dict[str, str] = {}
        self.violations: list[str] = []
        self.threads: dict[str, str] = {}
        self.opened: Counter[str] = Counter()
        self.shown: list[Sent] = []
        self.delay = 0.0
        self._troubles: dict[str, deque[str]] = {}
        self._updates: dict[str, list[dict[str, Any]]] = {}
        self._positions: dict[str, int] = {}
        self._changed = threading.Condition()
        self._acts: dict[str, Callable[[dict[str, Any]], dict[str, Any] | None]] = {
            "send": self._send,
            "find": self._find,
            "edit": self._edit,
            "open": self._open,
            "poll": self._poll,
            "ack": self._ack,
        }
        self._server = _Server(self.path, self.answer)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)

    def __enter__(self) -> Messenger:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def room(self, platform: str, name: str, once: str) -> Place:
        place = Place(platform, name)
        self.once[place.key] = once
        return place

    def trouble(self, key: str, *kinds: str) -> None:
        with self._changed:
            self._troubles[key] = deque(kinds)

    def says(self, place: Place, message_id: str, text: str) -> None:
        """The owner writes. The same id again is the same message, delivered again."""
        update = {"id": message_id, "place": place.key, "text": text, "sender": f"{place.platform}:owner"}
        with self._changed:
            self._updates.setdefault(place.platform, []).append(update)
            self._changed.notify_all()

    def texts(self, place: Place) -> list[str]:
        with self._changed:
            return [each.text for each in self.shown if each.place == place.key]

    def sent(self, place: Place) -> list[Sent]:
        with self._changed:
            return [each for each in self.shown if each.place == place.key]

    def read(self, consumer: str) -> int:
        """How many updates a consumer has acknowledged."""
        with self._changed:
            return self._positions.get(consumer, 0)

    def count(self, platform: str) -> int:
        with self._changed:
            return len(self._updates.get(platform, ()))

    def answer(self, request: dict[str, Any]) -> dict[str, Any] | None:
        """None hangs up without a word."""
        with self._changed:
            return self._acts[request["do"]](request)

    def _send(self, request: dict[str, Any]) -> dict[str, Any] | None:
        room, text, key = _room(request["place"]), request["text"], request["key"]
        if room not in self.once or (request["place"] != room and request["place"] not in self.threads.values()):
            self.violations.append(f"a message to {request['place']}, which is no place here")
            return {"error": "refused"}
        if not text.strip() or len(text) > LIMIT or not key:
            self.violations.append(f"a message of {len(text)} characters with the key {key!r}")
            return {"error": "refused"}
        troubles = self._troubles.get(key)
        trouble = troubles.popleft() if troubles else ""
        if trouble in ("later", "unsure"):
            return {"error": trouble, "after": 0.05}
        receipt = self._known(request["place"], key) if self.once[room] == "key" else None
        if receipt is None:
            receipt = f"r{len(self.shown) + 1}"
            self.shown.append(Sent(request["place"], text, key, receipt, time.monotonic()))
            self._changed.notify_all()
        return None if trouble == "swallow" else {"receipt": receipt}

    def _known(self, place: str, key: str) -> str | None:
        return next((each.receipt for each in self.shown if (each.place, each.key) == (place, key)), None)

    def _find(self, request: dict[str, Any]) -> dict[str, Any]:
        if self.once[_room(request["place"])] != "probe":
            self.violations.append("it was asked for a message by its key, which it cannot do")
        return {"receipt": self._known(request["place"], request["key"])}

    def _edit(self, request: dict[str, Any]) -> dict[str, Any]:
        for index, each in enumerate(self.shown):
            if (each.place, each.receipt) == (request["place"], request["receipt"]):
                self.shown[index] = Sent(each.place, request["text"], each.key, each.receipt, each.at)
                return {}
        self.violations.append(f"an edit of {request['receipt']}, which is not there")
        return {"error": "refused"}

    def _open(self, request: dict[str, Any]) -> dict[str, Any]:
        self.opened[request["key"]] += 1
        place = Place(*request["room"].split(":")[:2], f"t{len(self.threads) + 1}").key
        return {"thread": self.threads.setdefault(request["key"], place).split(":")[2]}

    def _poll(self, request: dict[str, Any]) -> dict[str, Any]:
        consumer, updates = request["consumer"], self._updates.setdefault(request["platform"], [])
        position = self._positions.setdefault(consumer, 0)
        self._changed.wait_for(lambda: len(updates) > position, POLL)
        return {"updates": updates[position : position + 50], "position": position}

    def _ack(self, request: dict[str, Any]) -> dict[str, Any]:
        consumer, upto = request["consumer"], request["position"]
        if upto > len(self._updates[request["platform"]]):
            self.violations.append("an update was acknowledged that was never delivered")
        self._positions[consumer] = max(self._positions[consumer], upto)
        return {}


class _Server(socketserver.ThreadingUnixStreamServer):
    daemon_threads = True
    block_on_close = True
    request_queue_size = 128

    def __init__(self, path: str, answer: Callable[[dict[str, Any]], dict[str, Any] | None]) -> None:
        self.answer = answer
        super().__init__(path, _Handler)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Who asked was killed."""


class _Handler(socketserver.StreamRequestHandler):
    server: _Server

    def handle(self) -> None:
        if line := self.rfile.readline():
            found = self.server.answer(json.loads(line))
            if found is not None:
                self.wfile.write(json.dumps(found).encode() + b"\n")


def _room(place: str) -> str:
    return ":".join(place.split(":")[:2])
