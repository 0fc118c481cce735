"""The redactor as one packet uses it: it remembers what it removed, the kinds of it, and each text it has cleaned."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, cast

from baton.core.display import one_line
from baton.core.errors import PacketLeaks
from baton.core.handoff.ledger import fact as facts
from baton.core.handoff.ledger.fact import Ledger
from baton.core.handoff.workspace import Snapshot
from baton.core.value import replace
from baton.ports.redactor import Leak, Redactor

_HEADING, _PLACES = 60, 3
_ROUNDS = 2
_PLACEHOLDER = re.compile(r"\[redacted: [a-z0-9-]{1,48}\]")
_NAMES = ("staged", "unstaged", "untracked", "conflicted", "setup")


def _without_absent(taken: Snapshot) -> Snapshot:
    """If a name is also there under its placeholder, only the mark of what is there stays."""
    there = {mark.path for mark in taken.marks if mark.is_there}
    marks = tuple(mark for mark in taken.marks if mark.is_there or mark.path not in there)
    return replace(taken, marks=marks)


def name_as_claimed(live: Snapshot, claimed: Snapshot) -> Snapshot:
    """The live workspace under the names that a packet gave it: where a packet has a placeholder, what stands there now
    may be the secret itself, or another placeholder, because more or less is known of it today.
    """
    here, there = {*_texts(live.as_dict())}, {*_texts(claimed.as_dict())}
    named: dict[str, str] = {}
    for name in sorted(each for each in there - here if "[redacted: " in each):
        pattern = re.compile(".+".join(map(re.escape, _PLACEHOLDER.split(name))), re.DOTALL)
        fits = [each for each in sorted(here - there) if pattern.fullmatch(each)]
        named |= dict.fromkeys(fits[:1], name)
    return _without_absent(Snapshot.from_dict(_renamed(live.as_dict(), named))) if named else live


def _renamed(data: Any, named: Mapping[str, str]) -> Any:
    if isinstance(data, str):
        return named.get(data, data)
    if isinstance(data, dict):
        return {key: _renamed(value, named) for key, value in cast("dict[str, Any]", data).items()}
    return [_renamed(value, named) for value in cast("list[Any]", data)] if isinstance(data, list) else data


class Cleaner:
    """What is recognised in one text is taken out of all that are cleaned after it. What was cleaned before it is
    seen by `leaks`, and cleaned again.
    """

    def __init__(self, redactor: Redactor) -> None:
        self._redactor = redactor
        self._seen: dict[str, str] = {}
        self._kinds: set[str] = set()

    def learn(self, text: str) -> None:
        """Looks at a text ahead of those that are cleaned."""
        if secrets := self._redactor.recognise(text):
            self._redactor = self._redactor.remember(secrets)
            self._seen.clear()

    def clean(self, text: str) -> str:
        if text not in self._seen:
            redacted = self._redactor.redact(text)
            if redacted.found:
                self._kinds.update(found.kind for found in redacted.found)
                self.learn(text)
            self._seen[text] = redacted.text
        return self._seen[text]

    def clean_all(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """The same data without secrets. Texts are cleaned one by one only if one of them holds a secret; `PacketLeaks`
        if one still does then.
        """
        cleaned: dict[str, Any] = json.loads(json.dumps(data))
        for _ in range(_ROUNDS):
            if not self._leaking(cleaned):
                return cleaned
            cleaned = self._each(cleaned)
        if found := self._leaking(cleaned):
            raise PacketLeaks(kinds=_kinds(found), where="in the data beside it")
        return cleaned

    def _leaking(self, data: Mapping[str, Any]) -> list[Leak]:
        """What stands in a text or a name of the data. Each is looked at alone: what neighbours say is chance."""
        texts = [*_texts(data)]
        if not self.leaks("\n\n".join(texts)):
            return []
        return [found for text in dict.fromkeys(texts) for found in self.leaks(text)]

    def clean_ledger(self, ledger: Ledger) -> Ledger:
        """The same without what was recognised since it was taken: a packet is measured against what it may say."""
        return facts.from_json(self.clean_all(facts.to_json(ledger)))

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
            return {self.clean(key): self._each(value) for key, value in cast("dict[str, Any]", data).items()}
        if isinstance(data, list):
            return [self._each(value) for value in cast("list[Any]", data)]
        return data

    def kinds(self) -> tuple[str, ...]:
        """The kinds of secrets removed so far."""
        return tuple(sorted(self._kinds))

    def leaks(self, text: str) -> tuple[Leak, ...]:
        return self._redactor.leaks(text)

    def check(self, text: str) -> None:
        """Raises `PacketLeaks`, which says what and where, if a text that is about to be written holds a secret."""
        if found := self.leaks(text):
            raise PacketLeaks(kinds=_kinds(found), where=_where(text, found))


def _texts(data: Any) -> Iterator[str]:
    if isinstance(data, str):
        yield data
    elif isinstance(data, dict):
        for key, value in cast("dict[str, Any]", data).items():
            yield key
            yield from _texts(value)
    elif isinstance(data, list):
        for value in cast("list[Any]", data):
            yield from _texts(value)


def _kinds(found: Iterable[Leak]) -> str:
    return ", ".join(dict.fromkeys(each.kind for each in found))


def _where(text: str, found: Sequence[Leak]) -> str:
    """`line 12, under "Rules"`; several of them as far as they help."""
    lines = text.splitlines()
    told: list[str] = []
    for number in dict.fromkeys(each.line for each in found):
        heads = (line.lstrip("# ") for line in reversed(lines[:number]) if line.startswith("#"))
        under = next(heads, "")
        told.append(f"line {number}" + (f', under "{one_line(under, _HEADING)}"' if under else ""))
    shown = "; ".join(told[:_PLACES])
    return f"{shown}; and {len(told) - _PLACES} more" if len(told) > _PLACES else shown
