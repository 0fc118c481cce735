"""The self-test behind `baton acp --check`: starts the agent as an editor would and says hello over a pipe."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import IO, Any

from baton.core.display import one_line
from baton.core.errors import BatonError
from baton.core.value import value
from baton.surfaces.acp.frames import Json, notification, request, table
from baton.surfaces.words import editor as texts

SECONDS = 20.0


@value
class Exchange:
    """What was asked, what came back, how long it took."""

    method: str
    answer: Json
    seconds: float

    @property
    def error(self) -> str:
        """Why it failed, on one line; an empty string if it did not."""
        if "error" not in self.answer:
            return ""
        return one_line(str(table(self.answer["error"]).get("message") or texts.NO_REASON), 200)

    @property
    def facts(self) -> list[str]:
        """What an editor learns from the answer, a line each."""
        return _facts(self.method, table(self.answer.get("result")))

    def as_dict(self) -> Json:
        return {"method": self.method, "ms": round(self.seconds * 1000), **self.answer}


def check(words: Sequence[str]) -> list[Exchange]:
    """Every step up to the last one that was answered; the agent runs with these options. `BatonError` if it ends
    without an answer.
    """
    process = subprocess.Popen(
        [sys.executable, "-m", "baton", "acp", *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    try:
        return _talk(process)
    finally:
        with suppress(subprocess.TimeoutExpired):
            process.wait(SECONDS)
        process.kill()


def _talk(process: subprocess.Popen[bytes]) -> list[Exchange]:
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
    answer: Json = (
        {"result": {"exitCode": code}} if code == 0 else {"error": {"message": texts.EXIT_CODE.format(code=code)}}
    )
    return [*seen, Exchange(texts.END_OF_INPUT, answer, time.monotonic() - start)]


def _ask(given: IO[bytes], taken: IO[bytes], method: str, params: Json) -> Exchange:
    start = time.monotonic()
    given.write(json.dumps(request(method, method, params)).encode() + b"\n")
    given.flush()
    for line in taken:
        message: Json = json.loads(line)
        if message.get("id") == method and "method" not in message:
            return Exchange(
                method, {k: v for k, v in message.items() if k in ("result", "error")}, time.monotonic() - start
            )
    raise BatonError(reason=texts.SILENT.format(method=method))


def _facts(method: str, found: Json) -> list[str]:
    if method == "initialize":
        about, can = table(found.get("agentInfo")), table(found.get("agentCapabilities"))
        session = ", ".join(["new", "load", *table(can.get("sessionCapabilities"))])
        version = found.get("protocolVersion")
        told = texts.ABOUT.format(title=about.get("title"), version=about.get("version"), protocol=version)
        return [told, texts.SESSIONS.format(names=session)]
    if method == "session/new":
        head = table(found.get("_meta")).get("agentSessionId")
        options: list[Any] = found.get("configOptions") or []
        chosen = " · ".join(texts.CHOSEN.format(option=each["id"], value=each["currentValue"]) for each in options)
        return [texts.OPENED.format(id=found.get("sessionId"), head=head), chosen]
    if method == "session/list":
        return [texts.LISTED.format(count=len(found.get("sessions") or []))]
    return []
