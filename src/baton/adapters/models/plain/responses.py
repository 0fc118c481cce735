"""OpenAI's Responses. Nothing is stored at the provider: what a model thought goes back sealed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from baton.adapters.models.answer import WrittenCall, arguments
from baton.adapters.models.failure import Refusal
from baton.adapters.models.plain.dialect import Ask, BrokenOff, Ending, Kept, Refused, Tokens
from baton.adapters.models.plain.events import Event
from baton.adapters.models.plain.families import family_of
from baton.adapters.models.plain.fields import Json, at, count_at, object_at, objects_at, parse, text_at, write
from baton.adapters.models.plain.reported import reported
from baton.adapters.models.plain.schemas import with_properties
from baton.adapters.models.plain.turns import Answered, Asked, result_text, turns
from baton.adapters.models.replies import Replies
from baton.core.agent.message import AssistantMessage, Image, Prompt, ToolSpec
from baton.core.value import field, value
from baton.ports.model import Reasoning, Text

_CACHED = {"mode": "implicit", "ttl": "30m"}
_KEPT_UP_TO_HERE = {"prompt_cache_breakpoint": {"mode": "explicit"}}
_INCOMPLETE = {"content_filter": "refusal"}
_PASSED_BACK = {
    "reasoning": ("type", "id", "summary", "content", "encrypted_content"),
    "message": ("type", "id", "role", "status", "content", "phase"),
    "function_call": ("type", "id", "call_id", "name", "arguments", "namespace"),
}
"""What of each item that came may be sent."""


@value
class ResponsesDialect:
    """`reasoning` goes into each body."""

    model: str
    base: str
    headers: Mapping[str, str]
    reasoning: Mapping[str, object] = field(default_factory=dict[str, object])

    def ask(self, prompt: Prompt, replies: Replies[Kept], *, images: bool) -> Ask:
        items: list[object] = []
        repeats = False
        for turn in turns(prompt, images=images):
            if isinstance(turn, Asked):
                items += _asked(turn)
            else:
                items += _answered(turn, replies)
                repeats = repeats or any(replies.of(message) is not None for message in turn.messages)
        family = family_of(self.model)
        body: dict[str, object] = {"model": self.model, "stream": True, "store": False, "input": items}
        if prompt.system.strip() and family.caches:
            items.insert(0, {"role": "system", "content": [{**_part(prompt.system), **_KEPT_UP_TO_HERE}]})
        elif prompt.system.strip():
            body["instructions"] = prompt.system
        if prompt.max_output is not None:
            body["max_output_tokens"] = prompt.max_output
        if prompt.tools:
            body |= {"tool_choice": "auto", "tools": [_tool(spec) for spec in prompt.tools]}
        body |= {"include": ["reasoning.encrypted_content"]} if family.efforts else {}
        body |= {"prompt_cache_options": _CACHED} if family.caches else {}
        return Ask("/responses", body | dict(self.reasoning), repeats)

    def reader(self) -> ResponsesReader:
        return ResponsesReader()

    def refusal(self, status: int, body: object, after: float | None) -> Refusal:
        return reported(body, status, after)


def _asked(turn: Asked) -> Iterator[dict[str, object]]:
    for result in turn.results:
        yield {"type": "function_call_output", "call_id": result.call_id, "output": result_text(result)}
    if turn.content:
        alone = turn.content[0] if len(turn.content) == 1 else None
        yield {"role": "user", "content": alone if isinstance(alone, str) else [_part(each) for each in turn.content]}


def _part(given: str | Image) -> dict[str, object]:
    if isinstance(given, str):
        return {"type": "input_text", "text": given}
    url = f"data:{given.media_type};base64,{given.data}"
    return {"type": "input_image", "image_url": url, "detail": "auto"}


def _tool(spec: ToolSpec) -> dict[str, object]:
    """The schema as the tool gave it: the strict form would change it."""
    return {
        "type": "function",
        "name": spec.name,
        "description": spec.description,
        "parameters": with_properties(spec.parameters),
        "strict": False,
    }


def _answered(turn: Answered, replies: Replies[Kept]) -> Iterator[object]:
    for message in turn.messages:
        kept = replies.of(message)
        yield from kept.items if isinstance(kept, _Items) else _plain(message)


def _plain(message: AssistantMessage) -> Iterator[dict[str, object]]:
    if message.text.strip():
        yield {"role": "assistant", "content": message.text}
    for call in message.calls:
        written = write(call.args).decode()
        yield {"type": "function_call", "call_id": call.id, "name": call.name, "arguments": written}


@value
class _Items:
    """An answer as it came."""

    items: tuple[Mapping[str, object], ...]


class ResponsesReader:
    """An item is begun, written and done; only what is done goes back or becomes a call."""

    def __init__(self) -> None:
        self._items: dict[int, Json] = {}
        self._written: dict[int, list[str]] = {}
        self._spoken: set[int] = set()
        self._tokens = Tokens()
        self._stop = ""
        self._refusal = ""
        self._model = ""

    def read(self, event: Event) -> Iterator[Text | Reasoning]:
        data = parse(event.data)
        place = count_at(data, "output_index")
        match text_at(data, "type"):
            case "error" | "response.failed":
                raise Refused(_error(data))
            case "response.output_text.delta":
                self._spoken.add(place)
                yield from _said(Text(text_at(data, "delta")))
            case "response.reasoning_summary_text.delta" | "response.reasoning_text.delta":
                yield from _said(Reasoning(text_at(data, "delta")))
            case "response.reasoning_summary_part.added" if count_at(data, "summary_index"):
                yield Reasoning("\n\n")
            case "response.refusal.delta":
                self._refusal += text_at(data, "delta")
            case "response.function_call_arguments.delta":
                self._written.setdefault(place, []).append(text_at(data, "delta"))
                yield Reasoning("")
            case "response.output_item.done":
                yield from self._done(place, object_at(data, "item"))
            case "response.completed" | "response.incomplete":
                self._end(object_at(data, "response"))
            case _:
                pass

    def end(self) -> Ending:
        if not self._stop:
            raise BrokenOff
        items = [item for _, item in sorted(self._items.items())]
        return Ending(
            calls=tuple(_call(item) for item in items if text_at(item, "type") == "function_call"),
            tokens=self._tokens,
            stop="refusal" if self._refusal else self._stop,
            refusal=self._refusal,
            kept=_kept(items),
            model=self._model,
        )

    def _done(self, place: int, item: Json) -> Iterator[Text | Reasoning]:
        """A server may leave out the pieces and send the whole only."""
        if text_at(item, "type") == "function_call" and not text_at(item, "arguments"):
            item = {**item, "arguments": "".join(self._written.get(place, []))}
        self._items[place] = item
        if text_at(item, "type") == "message":
            content = objects_at(item, "content")
            self._refusal = self._refusal or "".join(text_at(part, "refusal") for part in content)
            if place not in self._spoken:
                yield from _said(Text("".join(text_at(part, "text") for part in content)))

    def _end(self, response: Json) -> None:
        why = text_at(response, "incomplete_details", "reason")
        cut = bool(why) or text_at(response, "status") == "incomplete"
        self._stop = _INCOMPLETE.get(why, "length") if cut else "stop"
        self._model = text_at(response, "model")
        used = object_at(response, "usage")
        details = object_at(used, "input_tokens_details")
        cached, written = count_at(details, "cached_tokens"), count_at(details, "cache_write_tokens")
        self._tokens = Tokens(count_at(used, "input_tokens"), count_at(used, "output_tokens"), cached, written)


def _said(piece: Text | Reasoning) -> Iterator[Text | Reasoning]:
    if piece.text:
        yield piece


def _call(item: Json) -> WrittenCall:
    return WrittenCall(text_at(item, "call_id"), text_at(item, "name"), text_at(item, "arguments"))


def _kept(items: list[Json]) -> _Items | None:
    """Thoughts go back sealed, and with them all that came, by its ids: the provider checks that they belong together.
    A thought that came without its seal cannot go back, and then nothing goes by its id.
    """
    thoughts = [item for item in items if text_at(item, "type") == "reasoning"]
    sealed = bool(thoughts) and all(text_at(item, "encrypted_content") for item in thoughts)
    if not sealed and not any(text_at(item, "phase") for item in items):
        return None
    return _Items(tuple(each for item in items if (each := _as_sent(item, sealed=sealed))))


def _as_sent(item: Json, *, sealed: bool) -> dict[str, object] | None:
    kind = text_at(item, "type")
    if kind not in _PASSED_BACK or (kind == "reasoning" and not sealed):
        return None
    made = {name: item[name] for name in _PASSED_BACK[kind] if item.get(name) is not None}
    if kind == "function_call":
        made["arguments"] = write(arguments(text_at(item, "arguments"))).decode()
    return made if sealed else {name: held for name, held in made.items() if name != "id"}


def _error(data: Json) -> Refusal:
    """As an event of its own, whose fields may stand apart, or as the end of an answer."""
    found = object_at(data, "response", "error") or object_at(data, "error")
    told = found or {"code": at(data, "code"), "message": at(data, "message")}
    return reported({"error": told}, 0, None, in_stream=True)
