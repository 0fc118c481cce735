"""JSON-RPC in both directions over lines: every request is answered exactly once, and no message waits for a handler.

Handlers start as tasks in the order their messages came: what a handler does before its first `await` is done before
the next message is routed.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any, cast

from baton.surfaces.acp import frames
from baton.surfaces.acp.errors import to_rpc
from baton.surfaces.acp.frames import Json, RpcError
from baton.surfaces.words import protocol

Handler = Callable[[str, Json], Awaitable[Any]]
"""Called with the method and its parameters; raises `RpcError` or an error of Baton's own tree."""

CANCEL_REQUEST = "$/cancel_request"
_log = logging.getLogger("baton.acp")


class PeerGone(Exception):
    """The other side has gone."""


class Peer:
    """`write` takes a whole line and never blocks."""

    def __init__(self, write: Callable[[bytes], None]) -> None:
        self._write = write
        self._on_request: Handler = _refuse_unserved
        self._on_notification: Handler = _refuse_unserved
        self._running: dict[str, asyncio.Task[None]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._asked: dict[str, asyncio.Future[Any]] = {}
        self._count = 0
        self._gone = False
        self._knows_cancel = False

    def serve(self, on_request: Handler, on_notification: Handler) -> None:
        self._on_request = on_request
        self._on_notification = on_notification

    def receive(self, line: bytes) -> None:
        """One line from the other side. Never raises."""
        if not line.strip():
            return
        try:
            self._route(frames.decode(line))
        except RpcError as error:
            self._send(frames.failure(error.request_id, error))

    def refuse(self, error: RpcError) -> None:
        """Answers a line that could not be read."""
        self._send(frames.failure(None, error))

    def notify(self, method: str, params: Json) -> None:
        self._send(frames.notification(method, params))

    async def request(self, method: str, params: Json) -> Any:
        """The other side's result. Raises `RpcError` if it refuses and `PeerGone` if it goes away. A cancelled caller
        sends `$/cancel_request`, if the other side is known to understand it.
        """
        if self._gone:
            raise PeerGone
        self._count += 1
        request_id = f"baton-{self._count}"
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._asked[request_id] = future
        self._send(frames.request(request_id, method, params))
        try:
            return await future
        except asyncio.CancelledError:
            if self._knows_cancel:
                self.notify(CANCEL_REQUEST, {"requestId": request_id})
            raise
        finally:
            self._asked.pop(request_id, None)

    async def close(self, within: float) -> None:
        """Ends what is under way. Every request that can be answered in time still is."""
        self._gone = True
        for future in self._asked.values():
            if not future.done():
                future.set_exception(PeerGone())
        for task in tuple(self._tasks):
            task.cancel()
        if self._tasks:
            await asyncio.wait(tuple(self._tasks), timeout=within)

    def _route(self, message: Json) -> None:
        if "method" not in message:
            self._settle(message)
        elif "id" in message:
            self._begin(message)
        elif message["method"] == CANCEL_REQUEST:
            self._cancel(message.get("params"))
        else:
            self._keep(self._heed(message["method"], message.get("params")))

    def _begin(self, message: Json) -> None:
        key = _key(message["id"])
        if key in self._running:
            raise RpcError(frames.INVALID_REQUEST, protocol.ID_IN_USE)
        params: Any = message.get("params", {})
        if not isinstance(params, dict):
            text = protocol.BAD_PARAMS.format(method=message["method"][:80])
            raise RpcError(frames.INVALID_PARAMS, text, request_id=message["id"])
        task = self._keep(self._answer(message["id"], message["method"], cast("Json", params)))
        self._running[key] = task
        task.add_done_callback(lambda _: self._running.pop(key, None))

    def _keep(self, work: Any) -> asyncio.Task[None]:
        task: asyncio.Task[None] = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _answer(self, request_id: Any, method: str, params: Json) -> None:
        try:
            reply = frames.result(request_id, await self._on_request(method, params))
        except asyncio.CancelledError:
            reply = frames.failure(request_id, RpcError(frames.REQUEST_CANCELLED, protocol.CANCELLED))
        except Exception as error:  # noqa: BLE001, the edge to the other side: no request stays unanswered
            reply = frames.failure(request_id, to_rpc(error))
        self._send(reply)

    async def _heed(self, method: str, params: Any) -> None:
        """A notification has no answer, even if it is wrong."""
        try:
            await self._on_notification(method, frames.table(params))
        except Exception as error:  # noqa: BLE001, the edge to the other side
            _log.warning("%s: %s", method[:80], error)

    def _cancel(self, params: Any) -> None:
        self._knows_cancel = True
        if task := self._running.get(_key(frames.table(params).get("requestId"))):
            task.cancel()

    def _settle(self, message: Json) -> None:
        """Takes an answer from the other side; one that nobody waits for any more is dropped."""
        given: Any = message["id"]
        future = self._asked.pop(given, None) if isinstance(given, str) else None
        if future is None or future.done():
            return
        error: Any = message.get("error")
        if "result" in message:
            future.set_result(message["result"])
        else:
            found = frames.table(error)
            code: Any = found.get("code")
            number = code if isinstance(code, int) else frames.INTERNAL_ERROR
            future.set_exception(RpcError(number, str(found.get("message", ""))[:500], found.get("data")))

    def _send(self, message: Json) -> None:
        try:
            line = frames.encode(message)
        except RpcError as error:
            _log.error("%s", error.message)
            if "method" in message:
                return
            line = frames.encode(frames.failure(message["id"], error))
        self._write(line)


def _key(request_id: Any) -> str:
    """1 and "1" are different ids."""
    return repr(request_id)


async def _refuse_unserved(method: str, _: Json) -> Any:
    raise RpcError(frames.METHOD_NOT_FOUND, protocol.NO_METHOD.format(method=method[:80]))
