"""The published schema of the protocol, and frames judged by it.

It is taken from npm when it is first needed and kept with what else tests obtain; it is never part of this repository.
The judge is strict: a field that the schema does not name is an error, because the protocol forbids fields of one's own
outside `_meta`.
"""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

from tests.support import obtain

PACKAGE, VERSION = "@agentclientprotocol/sdk", "2.4.0"
STABLE, UNSTABLE = "schema.json", "schema.unstable.json"
FILES = (STABLE, UNSTABLE)
OUT, IN = "client", "agent"
"""Who sent a frame."""

Frame = tuple[str, dict[str, Any]]
_COMBINED = ("allOf", "anyOf", "oneOf")


def folder() -> Path:
    """Where the schema is; fetched if it is not there yet. Where npm or the network is missing the test is skipped and
    says why; with `BATON_CI=1` that is a failure.
    """
    return obtain.obtained(_folder)


def _folder() -> Path:
    held = Path(os.environ.get("BATON_TEST_ACP_SCHEMA") or obtain.CACHE / f"acp-schema-{VERSION}")
    if not all((held / name).exists() for name in FILES):
        _fetch(held)
    return held


def _fetch(held: Path) -> None:
    npm = shutil.which("npm")
    if npm is None:
        raise obtain.Unobtainable("npm is not installed, so the protocol's schema cannot be fetched")
    with tempfile.TemporaryDirectory() as scratch:
        command = [npm, "pack", f"{PACKAGE}@{VERSION}", "--silent"]
        done = subprocess.run(command, cwd=scratch, env=obtain.ENVIRON, capture_output=True, text=True, check=False)
        packed = list(Path(scratch).glob("*.tgz"))
        if not packed:
            raise obtain.Unobtainable(f"npm could not fetch {PACKAGE}@{VERSION}: {done.stderr[-300:]}")
        _unpack(packed[0].read_bytes(), held)


def _unpack(packed: bytes, held: Path) -> None:
    held.mkdir(parents=True, exist_ok=True)
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        for name in FILES:
            member = archive.extractfile(f"package/schema/v1/{name}")
            assert member is not None
            part = held / f"{name}.{os.getpid()}"
            part.write_bytes(member.read())
            part.rename(held / name)


def closed(schema: Any) -> Any:
    """A schema that stands on its own: what it does not name is an error."""
    found = opened(schema)
    if isinstance(found, dict) and any(key in found for key in ("$ref", "properties", *_COMBINED)):
        return {**found, "unevaluatedProperties": False}
    return found


def opened(schema: Any) -> Any:
    """A schema that is part of another; what stands on its own inside it is closed."""
    if not isinstance(schema, dict):
        return schema
    found = dict(schema)
    if "properties" in found:
        found["properties"] = {name: closed(each) for name, each in found["properties"].items()}
    if "items" in found:
        found["items"] = closed(found["items"])
    for key in _COMBINED:
        if key in found:
            found[key] = [opened(each) for each in found[key]]
    return found


class Judge:
    """One of the schemas. `errors` are those of a whole exchange."""

    def __init__(self, name: str) -> None:
        whole = json.loads((folder() / name).read_text())
        self._defs = {key: opened(each) for key, each in whole["$defs"].items()}
        self._kinds: dict[tuple[str, str], str] = {}
        for key, each in whole["$defs"].items():
            if method := each.get("x-method"):
                kind = "result" if key.endswith("Response") else "notice" if key.endswith("Notification") else "request"
                self._kinds[kind, method] = key
        self._validators: dict[str, Draft202012Validator] = {}

    def errors(self, frames: Iterable[Frame]) -> list[str]:
        """Of the agent's frames. What a test sends wrongly on purpose is not judged."""
        asked: dict[tuple[str, str], str] = {}
        found: list[str] = []
        for sender, message in frames:
            flaws = list(self._frame((sender, message), asked))
            found += flaws if sender == IN else []
        return found

    def _frame(self, frame: Frame, asked: dict[tuple[str, str], str]) -> Iterator[str]:
        sender, message = frame
        if message.get("jsonrpc") != "2.0":
            yield f"{sender}: no jsonrpc 2.0"
        if "method" in message:
            if "id" in message and isinstance(message["method"], str):
                asked[sender, repr(message["id"])] = message["method"]
            yield from self._call(message)
            return
        other = OUT if sender == IN else IN
        method = asked.pop((other, repr(message["id"])), None)
        if ("result" in message) == ("error" in message):
            yield f"{sender}: not one of result and error: {message}"
        if "error" in message:
            yield from self._check("Error", message["error"])
        elif method is None:
            yield f"{sender}: an answer that nobody asked for: {message['id']}"
        elif not method.startswith("_"):
            yield from self._known("result", method, message["result"])

    def _call(self, message: dict[str, Any]) -> Iterator[str]:
        if not message["method"].startswith("_"):
            kind = "request" if "id" in message else "notice"
            yield from self._known(kind, message["method"], message.get("params", {}))

    def _known(self, kind: str, method: str, value: Any) -> Iterator[str]:
        if (kind, method) in self._kinds:
            yield from self._check(self._kinds[kind, method], value)
        else:
            yield f"{method} is no {kind} of the protocol"

    def _check(self, name: str, value: Any) -> Iterator[str]:
        if name not in self._validators:
            schema = {"$ref": f"#/$defs/{name}", "unevaluatedProperties": False, "$defs": self._defs}
            self._validators[name] = Draft202012Validator(schema)
        for error in self._validators[name].iter_errors(value):
            yield f"{name} {list(error.path)}: {error.message[:300]}"


@cache
def judge(name: str = STABLE) -> Judge:
    return Judge(name)
