"""The redactor as one packet uses it: it remembers the kinds it removed, and each text it has cleaned."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, cast

from baton.core.errors import PacketLeaks
from baton.core.handoff.workspace import Snapshot
from baton.core.value import replace
from baton.ports.redactor import Redactor

_NAMES = ("staged", "unstaged", "untracked", "conflicted")


def _without_absent(taken: Snapshot) -> Snapshot:
    """If a name is also there under its placeholder, only the mark of what is there stays."""
    there = {mark.path for mark in taken.marks if mark.is_there}
    marks = tuple(mark for mark in taken.marks if mark.is_there or mark.path not in there)
    return replace(taken, marks=marks)


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
        """The same data without secrets. Texts are cleaned one by one only if the whole holds a secret."""
        plain: dict[str, Any] = json.loads(json.dumps(data))
        if not self.leaks(json.dumps(plain, ensure_ascii=False)):
            return plain
        cleaned = self._each(plain)
        self.check(json.dumps(cleaned, ensure_ascii=False))
        return cleaned

    def clean_snapshot(self, taken: Snapshot) -> Snapshot:
        """The same without secrets. Facts about the repository are cleaned one by one; names of files, which may be
        many, only if all of them together hold a secret. Equal names stay equal.
        """
        data = self.clean_all(taken.as_dict())
        told = data["repository"]
        data["repository"] = {name: self._each(each) if name not in _NAMES else each for name, each in told.items()}
        return _without_absent(Snapshot.from_dict(data))

    def _each(self, data: Any) -> Any:
        if isinstance(data, str):
            return self.clean(data)
        if isinstance(data, dict):
            return {key: self._each(value) for key, value in cast("dict[str, Any]", data).items()}
        if isinstance(data, list):
            return [self._each(value) for value in cast("list[Any]", data)]
        return data

    def kinds(self) -> tuple[str, ...]:
        """The kinds of secrets removed so far."""
        return tuple(sorted(self._kinds))

    def leaks(self, text: str) -> tuple[str, ...]:
        return self._redactor.leaks(text)

    def check(self, text: str) -> None:
        """Raises `PacketLeaks` if a text that is about to be written holds a secret."""
        if found := self.leaks(text):
            raise PacketLeaks(kinds=", ".join(found))
