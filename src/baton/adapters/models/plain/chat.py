"""Chat Completions, as OpenAI defined them and most servers speak them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from baton.adapters.models.answer import WrittenCall
from baton.adapters.models.failure import Refusal
from baton.adapters.models.plain.dialect import Ask, BrokenOff, Ending, Kept, Refused, Tokens
from baton.adapters.models.plain.events import Event
from baton.adapters.models.plain.fields import Json, at, count_at, object_at, objects_at, parse, text_at, write
from baton.adapters.models.plain.reported import reported
from baton.adapters.models.plain.thoughts import Thoughts
from baton.adapters.models.plain.turns import Answered, Asked, result_text, turns
from baton.adapters.models.replies import Replies
from baton.core.agent.message import Call, Image, Prompt, ToolSpec
from baton.core.value import field, value
from baton.ports.model import Reasoning, Text

_STOPS = {
    "length": "length",
    "model_context_window_exceeded": "length",
    "content_filter": "refusal",
    "sensitive": "refusal",
}
_FAILED = ("error", "network_error")
_THOUGHTS = ("reasoning_content", "reasoning")


@value
class ChatDialect:
    """`limit` is the field for the longest output: OpenAI's reasoning models refuse `max_tokens`, many servers know
    nothing else. `thought` is a field that must stand beside each call, even if empty. `extra` goes into each body.
    """

    model: str
    base: str
    headers: Mapping[str, str]
    limit: str = "max_tokens"
    thought: str = ""
    extra: Mapping[str, object] = field(default_factory=dict[str, object])

    def ask(self, prompt: Prompt, replies: Replies[Kept], *, images: bool) -> Ask:
        messages: list[dict[str, object]] = []
        repeats = False
        if prompt.system.strip():
            messages.append({"role": "system", "content": prompt.system})
        for turn in turns(prompt, images=images):
            if isinstance(turn, Asked):
                messages += _asked(turn)
            else:
                made, kept = self._answered(turn, replies)
                messages.append(made)
                repeats = repeats or kept
        body: dict[str, object] = {"model": self.model, "stream": True, "messages": messages}
        body["stream_options"] = {"include_usage": True}
        if prompt.max_output is not None:
            body[self.limit] = prompt.max_output
        if prompt.tools:
            body |= {"tool_choice": "auto", "tools": [_tool(spec) for spec in prompt.tools]}
        return Ask("/chat/completions", body | dict(self.extra), repeats)

    def reader(self) -> ChatReader:
        return ChatReader()

    def refusal(self, status: int, body: object, after: float | None) -> Refusal:
        return reported(body, status, after)

    def _answered(self, turn: Answered, replies: Replies[Kept]) -> tuple[dict[str, object], bool]:
        texts, calls, more = list[str](), list[object](), dict[str, object]()
        for message in turn.messages:
            kept = replies.of(message)
            beside = kept if isinstance(kept, _Beside) else _Beside({}, {})
            more |= beside.thoughts
            texts += [message.text] if message.text.strip() else []
            calls += [_call(call) | dict(beside.calls.get(call.id, {})) for call in message.calls]
        made: dict[str, object] = {"role": "assistant"}
        made |= {"content": "\n\n".join(texts)} if texts or not calls else {"content": None}
        made |= {"tool_calls": calls} if calls else {}
        if calls and self.thought and self.thought not in more:
            more[self.thought] = ""
        return made | more, any(replies.of(message) is not None for message in turn.messages)


@value
class _Beside:
    """What came beside an answer and is expected back: its thoughts by their field, and what stood at its calls."""

    thoughts: Mapping[str, str]
    calls: Mapping[str, Mapping[str, object]]


def _asked(turn: Asked) -> Iterator[dict[str, object]]:
    for result in turn.results:
        yield {"role": "tool", "tool_call_id": result.call_id, "content": result_text(result)}
    if turn.content:
        alone = turn.content[0] if len(turn.content) == 1 else None
        content = alone if isinstance(alone, str) else [_part(each) for each in turn.content]
        yield {"role": "user", "content": content}


def _part(given: str | Image) -> dict[str, object]:
    if isinstance(given, str):
        return {"type": "text", "text": given}
    return {"type": "image_url", "image_url": {"url": f"data:{given.media_type};base64,{given.data}"}}


def _call(call: Call) -> dict[str, object]:
    written = write(call.args).decode()
    return {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": written}}


def _tool(spec: ToolSpec) -> dict[str, object]:
    """The schema as the tool gave it: the strict forms of some providers would change it."""
    function = {"name": spec.name, "description": spec.description, "parameters": dict(spec.parameters)}
    return {"type": "function", "function": function}


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
        thoughts = {name: "".join(texts) for name, texts in self._fields.items()}
        kept = _Beside(thoughts, {each.id: each.extra for each in self._calls if each.extra})
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
        parts = objects_at(delta, "content")
        if text := text_at(delta, "content") or "".join(text_at(part, "text") for part in parts):
            yield from self._thoughts.split(text)
        for call in objects_at(delta, "tool_calls"):
            self._writing(call).add(call)
            yield Reasoning("")

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
