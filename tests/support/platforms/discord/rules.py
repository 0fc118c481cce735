"""Discord's published OpenAPI document as a judge over requests and answers."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

from jsonschema import Draft202012Validator
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

_ROOT = Path(__file__).resolve().parents[4]
_FILE = _ROOT.parent / "shared" / "schemas" / "discord-openapi-2026-07.json"
_URN = "urn:discord"


class Rules:
    """Collects what broke the published rules. Without the document there is nothing to compare with."""

    def __init__(self) -> None:
        self.violations: list[str] = []

    @cached_property
    def document(self) -> Mapping[str, Any] | None:
        return json.loads(_FILE.read_text()) if _FILE.is_file() else None

    def request(self, method: str, path: str, body: object, query: Mapping[str, str]) -> None:
        """`path` is the template, such as `/channels/{channel_id}`."""
        operation = self._operation(method, path)
        if operation is None:
            return
        known = {each["name"] for each in operation.get("parameters", ()) if each["in"] == "query"}
        for name in query.keys() - known:
            self.note(f"{method} {path}: there is no query parameter {name!r}")
        wanted = "requestBody" in operation
        if not wanted and body is not None:
            self.note(f"{method} {path}: takes no body")
        if wanted and body is not None:
            where = _pointer("paths", path, method.lower(), "requestBody", "content", "application/json", "schema")
            self._check(f"{method} {path}", where, body)
            self._check_names(f"{method} {path}", operation, body)

    def answer(self, method: str, path: str, status: int, body: object) -> None:
        operation = self._operation(method, path)
        if operation is None or status >= 500:
            return
        responses = operation["responses"]
        code = str(status) if str(status) in responses else f"{status // 100}XX"
        if code not in responses:
            self.note(f"{method} {path}: {status} is no answer of this operation")
            return
        if status == 204:
            return
        if "$ref" in responses[code]:
            name = responses[code]["$ref"].rsplit("/", 1)[1]
            where = _pointer("components", "responses", name, "content", "application/json", "schema")
        else:
            where = _pointer("paths", path, method.lower(), "responses", code, "content", "application/json", "schema")
        self._check(f"answer to {method} {path}", where, body)

    def schema(self, what: str, name: str, body: object) -> None:
        """Something that is no answer must still look like this component."""
        if self.document is not None:
            self._check(what, _pointer("components", "schemas", name), body)

    def note(self, violation: str) -> None:
        self.violations.append(violation)

    def _operation(self, method: str, path: str) -> Mapping[str, Any] | None:
        return self.document["paths"][path][method.lower()] if self.document is not None else None

    def _check(self, what: str, where: str, body: object) -> None:
        for error in _validator(where).iter_errors(body):
            place = "/".join(str(each) for each in error.absolute_path) or "body"
            self.note(f"{what}: {place}: {error.message[:300]}")

    def _check_names(self, what: str, operation: Mapping[str, Any], body: object) -> None:
        """The document allows unknown names everywhere; a client that sends one has misspelt something."""
        schema = operation["requestBody"]["content"]["application/json"]["schema"]
        if "$ref" in schema and isinstance(body, dict):
            known = self.document["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]]["properties"]  # type: ignore[index]
            for name in body.keys() - known.keys():
                self.note(f"{what}: there is no field {name!r}")


def _pointer(*parts: str) -> str:
    escaped = (quote(each.replace("~", "~0").replace("/", "~1"), safe="~") for each in parts)
    return f"{_URN}#/{'/'.join(escaped)}"


@lru_cache
def _registry() -> Registry[Any]:
    contents = json.loads(_FILE.read_text())
    return Registry().with_resource(_URN, Resource(contents=contents, specification=DRAFT202012))


@lru_cache
def _validator(where: str) -> Draft202012Validator:
    return Draft202012Validator({"$ref": where}, registry=_registry())
