"""Builds entries from a source: joins messages that come in pieces, pairs calls with results, remembers cuts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from baton.adapters.importers import clean
from baton.core.agent.tokens import estimate
from baton.core.display import one_line, plain
from baton.core.handoff.rules.find import find_rules
from baton.core.log import entry as kinds
from baton.core.log.entry import NewEntry
from baton.core.value import field, value

FOREIGN_SUMMARY = "{agent} compressed its context here and wrote this summary. The conversation itself follows in full."
_MOST_NOTES = 2_000


@value
class ToolUse:
    """A call in Baton's words; `foreign` is what the source calls the tool, `given` what it was given there."""

    id: str
    name: str
    args: Mapping[str, Any]
    foreign: str
    title: str = ""
    given: Mapping[str, Any] = field(default_factory=dict)


@value
class Result:
    text: str
    ok: bool = True
    details: Mapping[str, Any] = field(default_factory=dict)


@value
class Origin:
    """Where in the source something stands, and when it was said."""

    line: int
    at: int | None = None


class _Draft:
    """An entry that may still grow."""

    __slots__ = ("at", "data", "kind")

    def __init__(self, kind: str, data: dict[str, Any], at: int | None) -> None:
        self.kind = kind
        self.data = data
        self.at = at


class Transcript:
    """Takes what a source says in order; `finish` gives the entries. Ids are unique, whatever the source does."""

    def __init__(self, file: str, agent: str) -> None:
        self._file = file
        self._agent = agent
        self._drafts: list[_Draft] = []
        self._messages: dict[str, _Draft] = {}
        self._open: dict[str, tuple[str, ToolUse]] = {}
        self._late: dict[str, tuple[str, ToolUse]] = {}
        self._used: set[str] = set()
        self._said: list[str] = []
        self._notes = 0
        self._at: int | None = None
        self.cuts: list[int] = []

    def user(self, text: str, origin: Origin, *, meanwhile: bool = False) -> None:
        """`meanwhile` was said while the agent worked, and stopped nothing."""
        self._close()
        said = clean.text(text, clean.SAID)
        self._said.append(said)
        told: dict[str, Any] = {"text": said, "source": self._source(origin)}
        self._add(kinds.USER, {**told, "meanwhile": True} if meanwhile else told, origin)

    def assistant(
        self, message_id: str, text: str, uses: Sequence[ToolUse], facts: Mapping[str, Any], origin: Origin
    ) -> None:
        """One message, or one more piece of it; `facts` (model, stop, usage) count once for a message."""
        draft = self._messages.get(message_id) if message_id else None
        if draft is None:
            data: dict[str, Any] = {"text": "", "calls": [], "source": self._source(origin)}
            draft = self._add(kinds.ASSISTANT, data, origin)
            if message_id:
                self._messages[message_id] = draft
        draft.data["text"] = "\n".join(part for part in (draft.data["text"], clean.text(text, clean.SAID)) if part)
        draft.data.update({name: held for name, held in facts.items() if held})
        for use in uses:
            given = self._unique(use.id, origin)
            draft.data["calls"].append({"id": given, "name": use.name, "args": dict(use.args)})
            self._open[given] = (use.id, use)

    def waiting_call(self, call_id: str) -> ToolUse | None:
        """The call that a result with this id belongs to: by id, or by order if the source garbled its ids."""
        key = self._key(call_id)
        return (self._open.get(key) or self._late[key])[1] if key else None

    def result(self, call_id: str, result: Result, origin: Origin) -> bool:
        """False if no call matches; the result is then kept as a note."""
        key = self._key(call_id)
        if key is None:
            self.note({"foreign": "orphan result", "text": result.text}, origin)
            return False
        late = key in self._late
        _, use = self._late.pop(key) if late else self._open.pop(key)
        if not late:
            self._add_call(key, use, origin)
        details = {**result.details, "foreign": use.foreign}
        data = {"id": key, "name": use.name, "text": plain(result.text), "ok": result.ok, "details": details}
        self._add(kinds.TOOL_RESULT, {**data, "source": self._source(origin)}, origin)
        return True

    def summary(self, text: str, facts: Mapping[str, Any], origin: Origin) -> None:
        """A summary that the source made. It is in force like one of ours, but removes nothing."""
        self._close()
        shown = clean.text(text, clean.ARGUMENT * 5)
        demands = dict.fromkeys(found.text for said in self._said for found in find_rules(said))
        data: dict[str, Any] = {"outcome": "compressed", "foreign": True, "summary": shown, "keep_from": 0}
        data |= {"first": clean.text(self._said[0] if self._said else "", 4_000), "constraints": list(demands)[:200]}
        data |= {"text": f"{FOREIGN_SUMMARY.format(agent=self._agent)}\n\n{shown}", **facts}
        self._add(kinds.COMPRESSION, {**data, "source": self._source(origin)}, origin)

    def cut(self) -> None:
        """A new context began here in the source."""
        self._close()
        if not self.cuts or self.cuts[-1] != len(self._drafts):
            self.cuts.append(len(self._drafts))

    def note(self, data: Mapping[str, Any], origin: Origin) -> None:
        self._notes += 1
        if self._notes <= _MOST_NOTES:
            self._add(kinds.NOTE, {**data, "source": self._source(origin)}, origin)

    def finish(self) -> tuple[NewEntry, ...]:
        self._close()
        return tuple(NewEntry(each.kind, each.data, _tokens(each.data), each.at) for each in self._drafts)

    def title(self) -> str:
        """The first request, for a conversation that has no name."""
        return one_line(self._said[0], 80) if self._said else ""

    def _add(self, kind: str, data: dict[str, Any], origin: Origin) -> _Draft:
        self._at = origin.at if origin.at is not None else self._at
        draft = _Draft(kind, data, self._at)
        self._drafts.append(draft)
        return draft

    def _add_call(self, call_id: str, use: ToolUse, origin: Origin) -> None:
        title = use.title or use.name
        self._add(kinds.TOOL_CALL, {"id": call_id, "name": use.name, "args": dict(use.args), "title": title}, origin)

    def _close(self) -> None:
        """Calls that got no result before the conversation continued count as started, with an unknown end.
        A result that comes late is still taken.
        """
        for call_id, (_, use) in self._open.items():
            self._add_call(call_id, use, Origin(0))
        self._late.update(self._open)
        self._open.clear()

    def _key(self, call_id: str) -> str | None:
        for calls in (self._open, self._late):
            if call_id in calls:
                return call_id
            if same := [key for key, (given, _) in calls.items() if given == call_id]:
                return same[0]
        spoilt = not call_id or not call_id.isprintable() or call_id.isupper()
        return next(iter(self._open), None) if spoilt else None

    def _unique(self, call_id: str, origin: Origin) -> str:
        wanted = call_id or "call"
        given, number = wanted, 1
        while given in self._used:
            number += 1
            given = f"{wanted}#{origin.line}.{number}"
        self._used.add(given)
        return given

    def _source(self, origin: Origin) -> dict[str, Any]:
        return {"file": self._file, "line": origin.line}


def _tokens(data: Mapping[str, Any]) -> int:
    return clean.number(clean.mapping(data.get("usage")).get("output")) or estimate(str(data.get("text", "")))


_WIDTH = 300
_STATES = {"pending": "pending", "in_progress": "doing", "in-progress": "doing", "doing": "doing", "active": "doing"}
_DONE = ("completed", "done", "complete")
_GONE = ("deleted", "cancelled", "canceled")

Items = list[dict[str, str]]


class PlanState:
    """The plan as it stands, from sources that give it whole and from sources that change it item by item."""

    def __init__(self) -> None:
        self._items: dict[str, dict[str, str]] = {}
        self._created = 0

    def replace(self, given: object) -> Items:
        """A new list instead of the old one."""
        self._items = {}
        for number, each in enumerate(clean.items(given)):
            item = clean.mapping(each)
            name = item.get("content") or item.get("step") or item.get("text") or item.get("subject")
            self._put(f"w{number}", name, item.get("status") or item.get("state"))
        return self.items()

    def create(self, given: Mapping[str, Any], task_id: str) -> Items:
        """One more item. Where the source did not say its id, the next number is taken, as the source counts."""
        self._created += 1
        self._put(task_id or str(self._created), given.get("subject") or given.get("description"), "pending")
        return self.items()

    def update(self, given: Mapping[str, Any]) -> Items:
        task_id = str(given.get("taskId") or given.get("id") or "")
        held = self._items.get(task_id, {})
        name = given.get("subject") or held.get("text")
        self._put(task_id, name, given.get("status") or held.get("state"))
        return self.items()

    def items(self) -> Items:
        return [dict(item) for item in self._items.values()]

    def _put(self, key: str, name: object, status: object) -> None:
        if status in _GONE:
            self._items.pop(key, None)
            return
        shown = one_line(clean.text(name, 4_000), _WIDTH)
        if shown:
            state = "done" if status in _DONE else _STATES.get(str(status), "pending")
            self._items[key] = {"text": shown, "state": state}
