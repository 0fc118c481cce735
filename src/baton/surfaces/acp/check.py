"""`baton acp --check`: starts the agent as an editor would, says hello over a pipe, and prints what came back."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import IO, TYPE_CHECKING, Any

from baton.core.display import one_line
from baton.core.errors import BatonError
from baton.core.value import value
from baton.surfaces.acp.frames import Json, notification, request, table

if TYPE_CHECKING:
    from baton.surfaces.cli.terminal import Terminal

SECONDS = 20.0
SILENT = "The agent ended without an answer to {method}; its last words are above."


@value
class Seen:
    """One exchange: what was asked, what came back, how long it took."""

    method: str
    answer: Json
    seconds: float


def check(terminal: Terminal, words: Sequence[str], *, as_json: bool) -> int:
    """0 if every step was answered as an editor needs it."""
    process = subprocess.Popen(
        [sys.executable, "-m", "baton", "acp", *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    try:
        seen = _talk(process)
    finally:
        with suppress(subprocess.TimeoutExpired):
            process.wait(SECONDS)
        process.kill()
    if as_json:
        terminal.json([{"method": each.method, "ms": round(each.seconds * 1000), **each.answer} for each in seen])
    else:
        for each in seen:
            terminal.line(_line(terminal, each))
            for fact in _facts(each):
                terminal.line(terminal.style(f"    {fact}", "dim"))
    return 1 if any("error" in each.answer for each in seen) else 0


def _talk(process: subprocess.Popen[bytes]) -> list[Seen]:
    """Says hello, opens a session here, looks at the list, deletes the session again, and leaves."""
    assert process.stdin is not None
    assert process.stdout is not None
    given, taken, cwd = process.stdin, process.stdout, os.getcwd()
    seen = [_ask(given, taken, "initialize", {"protocolVersion": 1, "clientCapabilities": {}})]
    opened = _ask(given, taken, "session/new", {"cwd": cwd, "mcpServers": []})
    seen.append(opened)
    session_id = table(opened.answer.get("result")).get("sessionId")
    if isinstance(session_id, str):
        seen.append(_ask(given, taken, "session/list", {"cwd": cwd}))
        given.write(json.dumps(notification("session/cancel", {"sessionId": session_id})).encode() + b"\n")
        seen.append(_ask(given, taken, "session/delete", {"sessionId": session_id}))
    start = time.monotonic()
    given.close()
    code = process.wait(SECONDS)
    answer: Json = {"result": {"exitCode": code}} if code == 0 else {"error": {"message": f"exit code {code}"}}
    return [*seen, Seen("end of input", answer, time.monotonic() - start)]


def _ask(given: IO[bytes], taken: IO[bytes], method: str, params: Json) -> Seen:
    start = time.monotonic()
    given.write(json.dumps(request(method, method, params)).encode() + b"\n")
    given.flush()
    for line in taken:
        message: Json = json.loads(line)
        if message.get("id") == method and "method" not in message:
            return Seen(
                method, {k: v for k, v in message.items() if k in ("result", "error")}, time.monotonic() - start
            )
    raise BatonError(reason=SILENT.format(method=method))


def _line(terminal: Terminal, seen: Seen) -> str:
    failed = table(seen.answer.get("error"))
    mark = terminal.style("✗", "red") if failed else terminal.style("✓", "green")
    said = f"  {one_line(str(failed.get('message')), 200)}" if failed else ""
    return f"{mark} {seen.method:<16} {seen.seconds * 1000:6.0f} ms{said}"


def _facts(seen: Seen) -> list[str]:
    found = table(seen.answer.get("result"))
    if seen.method == "initialize":
        about, can = table(found.get("agentInfo")), table(found.get("agentCapabilities"))
        session = ", ".join(["new", "load", *table(can.get("sessionCapabilities"))])
        version = found.get("protocolVersion")
        return [f"{about.get('title')} {about.get('version')} · protocol {version}", f"sessions: {session}"]
    if seen.method == "session/new":
        head = table(found.get("_meta")).get("agentSessionId")
        options: list[Any] = found.get("configOptions") or []
        chosen = " · ".join(f"{each['id']} {each['currentValue']}" for each in options)
        return [f"id {found.get('sessionId')} · head {head}", chosen]
    if seen.method == "session/list":
        return [f"{len(found.get('sessions') or [])} conversations of this directory on the first page"]
    return []
