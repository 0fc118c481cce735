"""A turn of Hermes: its own agent loop, with its own store, on a model server that answers at once.

The server runs in a process of its own. What a bare request of the same size to it takes is measured in the same minute
and taken off, because Baton's turns are measured without any server: what is left is Hermes's own.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import multiprocessing
import statistics
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

TURNS = 25
UNCOUNTED = 3
SAID = "Milk."
ASKED = "What is in the notes?"
_BASE = {"id": "scripted", "created": 1, "model": "scripted"}
_USAGE = {"prompt_tokens": 10, "completion_tokens": 2, "total_tokens": 12}


def measure(home: Path) -> tuple[list[float], float]:
    """Milliseconds of each turn, a request's taken off, and the CPU milliseconds of one."""
    from hermes_state import SessionDB
    from run_agent import AIAgent

    with serving() as port:
        store = SessionDB(db_path=home / "turns.db")
        agent = AIAgent(
            base_url=f"http://127.0.0.1:{port}/v1",
            api_key="none",
            model="scripted",
            quiet_mode=True,
            session_db=store,
            stream_delta_callback=lambda *_: None,
        )
        history: list[Any] = []
        walls, cpus = [], []
        for _ in range(TURNS):
            cpu, wall = time.process_time(), time.perf_counter()
            answer = agent.run_conversation(ASKED, conversation_history=history)
            walls.append((time.perf_counter() - wall) * 1000)
            cpus.append((time.process_time() - cpu) * 1000)
            if answer["final_response"].strip() != SAID:
                raise SystemExit(f"a turn ended with {answer['final_response']!r}")
            history = answer["messages"]
        bare = statistics.median(_request(port, history) for _ in range(TURNS))
        store.close()
    return [max(0.0, wall - bare) for wall in walls[UNCOUNTED:]], statistics.median(cpus[UNCOUNTED:])


def _request(port: int, history: list[Any]) -> float:
    """Milliseconds of a request as large as a turn's: the history, and about as much again as its prompt and tools."""
    body = json.dumps({"stream": True, "messages": history, "rest": "x" * 43_000}, default=str)
    started = time.perf_counter()
    connection = http.client.HTTPConnection("127.0.0.1", port)
    connection.request("POST", "/v1/chat/completions", body, {"content-type": "application/json"})
    connection.getresponse().read()
    connection.close()
    return (time.perf_counter() - started) * 1000


@contextlib.contextmanager
def serving(serve: Callable[[Connection], None] | None = None) -> Iterator[Any]:
    """What `serve` says first, which runs in a process of its own: the port of a model server on the loopback that
    answers at once, unless it is given.
    """
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    process = context.Process(target=serve or _serve, args=(there,), daemon=True)
    process.start()
    there.close()
    try:
        yield here.recv()
    finally:
        process.terminate()
        process.join()


def _serve(ready: Connection) -> None:
    server = HTTPServer(("127.0.0.1", 0), Scripted)
    ready.send(server.server_port)
    server.serve_forever()


class Scripted(BaseHTTPRequestHandler):
    """Chat Completions, streamed or whole, with one answer."""

    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        listed = {"object": "list", "data": [{"id": "scripted", "context_length": 1_000_000}]}
        self._send(json.dumps(listed).encode(), "application/json")

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        if asked.get("stream"):
            self._send(_streamed(), "text/event-stream")
        else:
            choice = {"index": 0, "message": {"role": "assistant", "content": SAID}, "finish_reason": "stop"}
            whole = {**_BASE, "object": "chat.completion", "choices": [choice], "usage": _USAGE}
            self._send(json.dumps(whole).encode(), "application/json")

    def _send(self, body: bytes, kind: str) -> None:
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def _streamed() -> bytes:
    said = {"index": 0, "delta": {"role": "assistant", "content": SAID}, "finish_reason": None}
    ended = {"index": 0, "delta": {}, "finish_reason": "stop"}
    chunks = [{"choices": [said]}, {"choices": [ended]}, {"choices": [], "usage": _USAGE}]
    lines = [f"data: {json.dumps({**_BASE, 'object': 'chat.completion.chunk', **chunk})}\n\n" for chunk in chunks]
    return "".join([*lines, "data: [DONE]\n\n"]).encode()
