"""Every frame of an ACP connection, held strictly against the published schema.

    frames = Frames()
    frames.sent(message)            # what the client wrote
    frames.received(message)        # what the agent wrote
    frames.finish()
    assert not frames.faults

The schemas in `acp_schema/` are those of `@agentclientprotocol/sdk` 2.4.0. Read as they are they allow unknown fields
beside the known ones, which the specification forbids: here an object is closed wherever it stands, and only `_meta`
and what the schema leaves open is free. Requests and answers are paired in both directions: an answer comes once, to
something that was asked.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError, best_match

SCHEMAS = Path(__file__).with_name("acp_schema")
CLIENT, AGENT = "client", "agent"
Message = dict[str, Any]
_REF = "#/$defs/"
_CHILDREN = ("properties", "patternProperties")
_ALONE = ("items", "additionalProperties")
_COMBINED = ("allOf", "anyOf", "oneOf")


class Frames:
    """`unstable` reads the draft parts of the schema too. `faults` are sentences, one for each thing that is wrong."""

    def __init__(self, *, unstable: bool = False) -> None:
        self._schema = _schema(unstable)
        self._open: dict[str, dict[Any, str]] = {CLIENT: {}, AGENT: {}}
        self.faults: list[str] = []
        self.messages: list[tuple[str, Message]] = []

    def sent(self, message: Any) -> None:
        self.saw(CLIENT, message)

    def received(self, message: Any) -> None:
        self.saw(AGENT, message)

    def saw(self, side: str, message: Any) -> None:
        """`side` is who wrote it."""
        if not isinstance(message, dict):
            self._fault(side, message, "not an object")
            return
        self.messages.append((side, message))
        if message.get("jsonrpc") != "2.0":
            self._fault(side, message, "jsonrpc is not 2.0")
        if "method" in message:
            self._call(side, message)
        else:
            self._answer(side, message)

    def overheard(self, message: Message) -> None:
        """Of an unknown side: told by who may call the method, or who was asked."""
        if "method" in message:
            self.saw(self._schema.caller(message["method"]) or CLIENT, message)
        else:
            self.saw(self._answerer(message), message)

    def finish(self) -> None:
        """Whatever was asked has been answered."""
        for side, waiting in self._open.items():
            self.faults += [f"the {side}'s {method} {made!r} got no answer" for made, method in waiting.items()]
            waiting.clear()

    def _call(self, side: str, message: Message) -> None:
        method, params = message["method"], message.get("params")
        if unknown := message.keys() - {"jsonrpc", "id", "method", "params"}:
            self._fault(side, message, f"unknown fields {sorted(unknown)}")
        if "id" in message:
            if message["id"] in self._open[side]:
                self._fault(side, message, "the id of a request that is still open")
            self._open[side][message["id"]] = method
        kind = "request" if "id" in message else "notification"
        if not method.startswith("_"):
            self._check(side, message, kind, method, params)

    def _answer(self, side: str, message: Message) -> None:
        if unknown := message.keys() - {"jsonrpc", "id", "result", "error"}:
            self._fault(side, message, f"unknown fields {sorted(unknown)}")
        if ("result" in message) == ("error" in message):
            self._fault(side, message, "not exactly one of result and error")
        asked = self._open[_other(side)].pop(message.get("id"), None)
        if "error" in message:
            if asked is None and message.get("id") is not None:
                self._fault(side, message, "an answer to nothing")
            self._check(side, message, "error", "Error", message["error"])
        elif asked is None:
            self._fault(side, message, "an answer to nothing")
        elif not asked.startswith("_"):
            self._check(side, message, "response", asked, message.get("result"))

    def _answerer(self, message: Message) -> str:
        made = message.get("id")
        return CLIENT if made in self._open[AGENT] and made not in self._open[CLIENT] else AGENT

    def _check(self, side: str, message: Message, kind: str, method: str, given: Any) -> None:
        checker = self._schema.checkers.get((kind, method))
        if checker is None:
            self._fault(side, message, f"no {kind} {method} in the schema")
        elif error := best_match(checker.iter_errors(given)):
            self._fault(side, message, _words(error))

    def _fault(self, side: str, message: Any, what: str) -> None:
        self.faults.append(f"{side}: {what}: {json.dumps(message)[:500]}")


class _Schema:
    """One checker for each request, notification and response, by method."""

    def __init__(self, text: str) -> None:
        whole = json.loads(text)
        named: dict[str, Any] = whole["$defs"]
        closed = {name: _closed_inside(each, named) for name, each in named.items()}
        self.checkers: dict[tuple[str, str], Draft202012Validator] = {}
        self._callers: dict[str, str] = {}
        for name, each in named.items():
            if method := each.get("x-method"):
                kind = _kind(name)
                self.checkers[kind, method] = _checker(name, closed)
                if kind != "response":
                    self._callers[method] = {"client": AGENT, "agent": CLIENT}.get(each["x-side"], CLIENT)
        self.checkers["error", "Error"] = _checker("Error", closed)

    def caller(self, method: str) -> str | None:
        return self._callers.get(method)


@cache
def _schema(unstable: bool) -> _Schema:
    return _Schema((SCHEMAS / ("schema.unstable.json" if unstable else "schema.json")).read_text())


def _kind(name: str) -> str:
    if name.endswith("Response"):
        return "response"
    return "notification" if name.endswith("Notification") else "request"


def _checker(name: str, closed: dict[str, Any]) -> Draft202012Validator:
    return Draft202012Validator({"$ref": _REF + name, "unevaluatedProperties": False, "$defs": closed})


def _closed_inside(schema: Any, named: dict[str, Any]) -> Any:
    """The schema itself stays open, since others may add to it; what stands alone within it is closed."""
    if not isinstance(schema, dict):
        return schema
    made = dict(schema)
    for key in _CHILDREN:
        if key in made:
            made[key] = {name: _closed(each, named) for name, each in made[key].items()}
    for key in _ALONE:
        if key in made:
            made[key] = _closed(made[key], named)
    for key in _COMBINED:
        if key in made:
            made[key] = [_closed_inside(each, named) for each in made[key]]
    return made


def _closed(schema: Any, named: dict[str, Any]) -> Any:
    inside = _closed_inside(schema, named)
    return {**inside, "unevaluatedProperties": False} if _has_fields(schema, named, set()) else inside


def _has_fields(schema: Any, named: dict[str, Any], seen: set[str]) -> bool:
    """Whether it says which fields an object has; one that does not is free to hold anything."""
    if not isinstance(schema, dict):
        return False
    if "properties" in schema:
        return True
    if (name := schema.get("$ref", "").removeprefix(_REF)) and name not in seen:
        return _has_fields(named[name], named, seen | {name})
    return any(_has_fields(each, named, seen) for key in _COMBINED for each in schema.get(key, ()))


def _words(error: ValidationError) -> str:
    where = "/".join(str(step) for step in error.absolute_path)
    return f"at {where or 'the top'}: {error.message[:300]}"


def _other(side: str) -> str:
    return AGENT if side == CLIENT else CLIENT
