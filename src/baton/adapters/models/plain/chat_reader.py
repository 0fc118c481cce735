"""An answer of Chat Completions as it comes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from baton.adapters.models.answer import WrittenCall
from baton.adapters.models.plain.dialect import BrokenOff, Ending, Refused, Tokens
from baton.adapters.models.plain.events import Event
from baton.adapters.models.plain.fields import Json, at, count_at, object_at, objects_at, parse, text_at
from baton.adapters.models.plain.reported import reported
from baton.adapters.models.plain.thoughts import Thoughts
from baton.core.value import value
from baton.ports.model import Reasoning, Text

_STOPS = {
    "length": "length",
    "model_context_window_exceeded": "length",
    "content_filter": "refusal",
    "sensitive": "refusal",
}
_FAILED = ("error", "network_error")
_THOUGHTS = ("reasoning_content", "reasoning")
_DETAILS = "reasoning_details"
_GROWING = ("text", "summary", "data")


@value
class Beside:
    """What came beside an answer and is expected back: its thoughts by their field, and what stood at its calls."""

    thoughts: Mapping[str, object]
    calls: Mapping[str, Mapping[str, object]]

    @property
    def text(self) -> str:
        """The thoughts, where they are plain text."""
        return "".join(held for held in self.thoughts.values() if isinstance(held, str))


class _Writing:
    """A call that is being written."""

    def __init__(self) -> None:
        self.id = ""
        self.name = ""
        self.pieces: list[str] = []
        self.whole: Mapping[str, Any] | None = None
        self.extra: Mapping[str, object] = {}

    def add(self, delta: Json) -> None:
        self.id = self.id or text_at(delta, "id")
        self.name += text_at(delta, "function", "name")
        given = at(delta, "function", "arguments")
        if isinstance(given, str):
            self.pieces.append(given)
        elif isinstance(given, Mapping):
            self.whole = object_at(delta, "function", "arguments")
        if extra := object_at(delta, "extra_content"):
            self.extra = {"extra_content": extra}

    def written(self) -> WrittenCall:
        return WrittenCall(self.id, self.name, self.whole if self.whole is not None else "".join(self.pieces))


class ChatReader:
    def __init__(self) -> None:
        self._calls: list[_Writing] = []
        self._by_index: dict[object, _Writing] = {}
        self._thoughts = Thoughts()
        self._fields: dict[str, list[str]] = {}
        self._details: list[dict[str, object]] = []
        self._tokens: Tokens | None = None
        self._cost: float | None = None
        self._finish = ""
        self._refusal = ""
        self._model = ""
        self._done = False

    def read(self, event: Event) -> Iterator[Text | Reasoning]:
        if event.data.strip() == "[DONE]":
            self._done = True
            return
        chunk = parse(event.data)
        if at(chunk, "error"):
            raise Refused(reported(chunk, 0, None, in_stream=True))
        self._model = text_at(chunk, "model") or self._model
        self._count(object_at(chunk, "usage"))
        for choice in objects_at(chunk, "choices")[:1]:
            self._finish = text_at(choice, "finish_reason") or self._finish
            yield from self._delta(object_at(choice, "delta"))

    def end(self) -> Ending:
        if self._finish in _FAILED or not (self._finish or self._tokens or self._done or self._refusal):
            raise BrokenOff
        thoughts: dict[str, object] = {name: "".join(texts) for name, texts in self._fields.items()}
        if self._details:
            thoughts = {_DETAILS: self._details}
        kept = Beside(thoughts, {each.id: each.extra for each in self._calls if each.extra})
        return Ending(
            calls=tuple(each.written() for each in self._calls),
            tokens=self._tokens or Tokens(),
            stop="refusal" if self._refusal else _STOPS.get(self._finish, "stop"),
            refusal=self._refusal,
            kept=kept if kept.thoughts or kept.calls else None,
            model=self._model,
            cost=self._cost,
        )

    def _delta(self, delta: Json) -> Iterator[Text | Reasoning]:
        self._refusal += text_at(delta, "refusal")
        thought = next((name for name in _THOUGHTS if text_at(delta, name)), None)
        if thought:
            self._fields.setdefault(thought, []).append(text_at(delta, thought))
            yield Reasoning(text_at(delta, thought))
        for detail in objects_at(delta, _DETAILS):
            self._detail(detail)
        parts = objects_at(delta, "content")
        for said in (text_at(each, "text") for part in parts for each in objects_at(part, "thinking")):
            self._fields.setdefault("thinking", []).append(said)
            yield Reasoning(said)
        if text := text_at(delta, "content") or "".join(text_at(part, "text") for part in parts):
            yield from self._thoughts.split(text)
        for call in objects_at(delta, "tool_calls"):
            self._writing(call).add(call)
            yield Reasoning("")

    def _detail(self, given: Json) -> None:
        """Thoughts in parts, signed or sealed, which grow piece by piece and go back whole."""
        last = self._details[-1] if self._details else {}
        if any(at(last, name) != at(given, name) for name in ("type", "index")):
            self._details.append(dict(given))
            return
        grown = {name: text_at(last, name) + text_at(given, name) for name in _GROWING if text_at(given, name)}
        last.update({name: held for name, held in given.items() if held is not None} | grown)

    def _writing(self, delta: Json) -> _Writing:
        """The call that a fragment belongs to: by its index, where there is one. A server that gives each call the same
        index begins the next one with another id.
        """
        index, id_ = at(delta, "index"), text_at(delta, "id")
        newest = None if id_ else next(reversed(self._calls), None)
        found = newest if index is None else self._by_index.get(index)
        begins = bool(id_ and found and found.id and id_ != found.id and text_at(delta, "function", "name"))
        if found is None or begins:
            found = _Writing()
            self._calls.append(found)
            self._by_index[index] = found
        return found

    def _count(self, usage: Json) -> None:
        if not usage:
            return
        cached = count_at(usage, "prompt_tokens_details", "cached_tokens") or count_at(usage, "prompt_cache_hit_tokens")
        written = count_at(usage, "prompt_tokens_details", "cache_write_tokens")
        output = count_at(usage, "completion_tokens")
        self._tokens = Tokens(count_at(usage, "prompt_tokens"), output, cached, written)
        cost = at(usage, "cost")
        if isinstance(cost, int | float) and cost:
            self._cost = float(cost)
