"""The redactor as one piece of writing uses it: it remembers what it met, and each text it has seen."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, cast

from baton.core.errors import PacketLeaks
from baton.ports.redactor import Redactor


class Cleaner:
    def __init__(self, redactor: Redactor) -> None:
        self._redactor = redactor
        self._seen: dict[str, str] = {}
        self._kinds: set[str] = set()

    def clean(self, text: str) -> str:
        if text not in self._seen:
            redacted = self._redactor.redact(text)
            self._kinds.update(found.kind for found in redacted.found)
            self._seen[text] = redacted.text
        return self._seen[text]

    def clean_all(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """The same data without secrets. Each text is looked at alone only if something is left in the whole."""
        plain: dict[str, Any] = json.loads(json.dumps(data))
        if not self.leaks(json.dumps(plain, ensure_ascii=False)):
            return plain
        cleaned = self._each(plain)
        self.check(json.dumps(cleaned, ensure_ascii=False))
        return cleaned

    def _each(self, data: Any) -> Any:
        if isinstance(data, str):
            return self.clean(data)
        if isinstance(data, dict):
            return {key: self._each(value) for key, value in cast("dict[str, Any]", data).items()}
        if isinstance(data, list):
            return [self._each(value) for value in cast("list[Any]", data)]
        return data

    def kinds(self) -> tuple[str, ...]:
        """What was taken out so far."""
        return tuple(sorted(self._kinds))

    def leaks(self, text: str) -> tuple[str, ...]:
        return self._redactor.leaks(text)

    def check(self, text: str) -> None:
        """`PacketLeaks` if a secret is in a text that is about to be written."""
        if found := self.leaks(text):
            raise PacketLeaks(kinds=", ".join(found))
